import { type Place, type Server, linesOf, serversOf } from '../../src/config';
import { insertAfter, removeLine, replaceArgument } from '../../src/edit';
import type { Directive } from '../../src/syntax';
import { lineRule } from '../common/line-rule';
import { type LineFinding, isUnknown } from '../common/lines';
import { lastDirective } from '../common/servers';
import { hasOtherPort, withEveryPort } from './url-port';

/** A URL without a port covers the default port of its scheme, one with an empty port covers every port. */
const SCHEMES = ['http://:/', 'https://:/', 'ftp://:/'];

export default lineRule({
  id: 'cache-enable',
  changes: ['R06', 'K02', 'K09'],
  title: 'CacheEnable for a cache in memory, or for a forward proxy',
  why: '2.4 has no mod_mem_cache: it accepts CacheEnable mem and CacheEnable fd, but caches nothing. A path covers only what the server itself serves; what a forward proxy gets is cached only for a URL with a scheme, and without a port that means the usual one, where 2.2 meant all.',
  docs: ['mod_cache: CacheEnable', 'modules/cache/cache_util.c: uri_meets_conditions'],
  directives: ['CacheEnable'],
  onlyWhenUpgrading: true,
  findingFor(node, place, { tree }) {
    if (node.args.length !== 2) return undefined;
    const servers = serversOf(tree);
    const server = servers.of(place);
    const [type, url] = node.args.map(({ value }) => value) as [string, string];
    if (type === 'mem' || type === 'fd') return ofMemoryCache(node, place, server);
    // In a section, and in a .htaccess, 2.2 refuses it.
    if (url === '/' && servers.isLine(place) && isForwardProxy(server))
      return ofForwardProxy(node, place, server);
    return isUnknown(url) ? undefined : ofPort(node, place);
  },
});

function ofPort(node: Directive, { file }: Place): LineFinding | undefined {
  const url = node.args[1]!;
  const everyPort = withEveryPort(url.value);
  if (everyPort !== undefined)
    return {
      level: 'warning',
      safety: 'safe',
      message: `without a port, ${url.value} covers every port in 2.2 and only the usual one in 2.4: ${everyPort} covers every port there`,
      edits: [replaceArgument(file.document, url, everyPort)],
    };
  if (!hasOtherPort(url.value)) return undefined;
  return {
    level: 'warning',
    message: `2.2 never caches what ${url.value} names, because of its port, and 2.4 does: delete this line if nothing from there is to be cached`,
  };
}

function ofMemoryCache(node: Directive, { file }: Place, server: Server): LineFinding {
  const [type, url] = node.args;
  const path = url?.value ?? '';
  const isCovered = linesOf(server, ['CacheEnable']).some(
    (line) => line.node.args[0]?.value === 'disk' && path.startsWith(line.node.args[1]?.value ?? ''),
  );
  const toDisk = !isCovered && lastDirective(server, 'CacheRoot') !== undefined;
  const assumption = toDisk
    ? 'this assumes that the cache on disk, which has a CacheRoot, can replace it'
    : isCovered
      ? 'this assumes that the cache on disk, which also covers this path, is enough'
      : 'this assumes that no cache is needed (mod_cache_disk or mod_cache_socache can replace it)';
  return {
    level: 'warning',
    safety: 'review',
    message: `2.4 has no cache in memory and caches nothing for CacheEnable ${type!.value} ${path}; ${assumption}`,
    edits: [toDisk ? replaceArgument(file.document, type!, 'disk') : removeLine(file.document, node)],
  };
}

function ofForwardProxy(node: Directive, { file }: Place, server: Server): LineFinding | undefined {
  // A block for 2.4 may contain these lines already.
  const cachedUrls = server.lines.flatMap((line) =>
    line.node.key === 'cacheenable' ? [line.node.args[1]?.value ?? ''] : [],
  );
  if (SCHEMES.every((url) => cachedUrls.some((cachedUrl) => cachedUrl.startsWith(url.slice(0, -2)))))
    return undefined;
  const lines = SCHEMES.map((url) => `CacheEnable ${node.args[0]!.value} ${url}`);
  const message = `ProxyRequests is On here, and 2.4 caches what this forward proxy fetches only with ${lines.join(', ')}`;
  const isDisabled = linesOf(server, ['CacheDisable']).some(
    (line) => line.node.args[0]?.value.startsWith('/') === true,
  );
  if (isDisabled)
    return {
      level: 'warning',
      message: `${message}; add these lines, and CacheDisable lines for the same URLs`,
    };
  return {
    level: 'warning',
    safety: 'review',
    message: `${message}; this assumes that all three are wanted`,
    edits: [insertAfter(file.document, node, lines)],
  };
}

function isForwardProxy(server: Server): boolean {
  return lastDirective(server, 'ProxyRequests')?.node.args[0]?.value.toLowerCase() === 'on';
}
