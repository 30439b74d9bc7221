import { serversOf } from '../../src/config';
import { type TransformContext, defineTransform } from '../../src/engine';
import { holds } from '../../src/httpd/facts';
import { containersOf, isCarriedOver } from '../common/lines';
import { type Mapping, inReadingOrder, isMatchWorker, mappingsOf, pathAndAbove } from './proxy-lines';

export default defineTransform({
  id: 'proxy-worker-shared',
  changes: ['P05'],
  title: 'One backend with parameters in several places',
  why: 'A second ProxyPass to a backend uses the worker of the first. In 2.2, its parameters change that worker, so the last ones apply to all; 2.4 ignores them with a warning (AH01146). Members of several balancers share one worker in 2.2; in 2.4 each balancer has its own.',
  docs: ['mod_proxy: ProxyPass', 'modules/proxy/mod_proxy.c: add_pass, add_member'],
  advisory: true,
  onlyWhenUpgrading: true,
  run(context) {
    const hasMatchWorkers = holds('proxy-match-worker', context.target);
    for (const mappings of mappingsOf(context).values()) {
      const firstByUrl = new Map<string, Mapping>();
      for (const mapping of inReadingOrder(context, mappings)) {
        if (mapping.url === '!' || /^balancer:/i.test(mapping.url)) continue;
        if (hasMatchWorkers && isMatchWorker(mapping)) continue;
        // httpd uses an earlier worker if the new URL begins with its URL.
        const urls = pathAndAbove(mapping.url.toLowerCase());
        const first = urls.map((url) => firstByUrl.get(url)).find((found) => found !== undefined);
        if (first === undefined) firstByUrl.set(urls[0]!, mapping);
        else if (!sameParameters(mapping.parameters, first.parameters))
          reportLostParameters(context, first, mapping);
      }
    }
    reportSharedMembers(context);
  },
});

/** Whether the later parameters add nothing to the earlier ones. */
function sameParameters(later: readonly string[], earlier: readonly string[]): boolean {
  return later.every((word) => earlier.includes(word));
}

function reportLostParameters(
  context: TransformContext,
  first: Mapping,
  { node, place, parameters }: Mapping,
): void {
  const ignored = parameters.filter((word) => !first.parameters.includes(word));
  const { line } = first.place.file.document.positionAt(first.node.from);
  context.report({
    file: place.file,
    at: node.from,
    level: 'warning',
    message: `2.4 ignores ${ignored.join(' ')}, because ${first.place.file.name}:${line} already sets up this backend; 2.2 applied the parameters to both lines: move them to that line`,
  });
}

function reportSharedMembers(context: TransformContext): void {
  const servers = serversOf(context.tree);
  const membersByServer = new Map<
    unknown,
    Map<string, { readonly balancer: string; readonly words: readonly string[] }>
  >();
  context.directives(['BalancerMember'], (node, place) => {
    if (!isCarriedOver(place)) return;
    const words = node.args.map(({ value }) => value);
    const container = containersOf(place).at(-1)?.section.args[0]?.value;
    const balancer = container ?? words.shift() ?? '';
    const [url = '', ...rest] = words;
    const server = servers.of(place);
    const members =
      membersByServer.get(server) ?? new Map<string, { balancer: string; words: readonly string[] }>();
    membersByServer.set(server, members);
    const firstMember = members.get(url);
    if (firstMember === undefined) members.set(url, { balancer, words: rest });
    else if (firstMember.balancer !== balancer)
      context.report({
        file: place.file,
        at: node.from,
        level:
          sameParameters(rest, firstMember.words) && sameParameters(firstMember.words, rest)
            ? 'info'
            : 'warning',
        message: `${url} is also in ${firstMember.balancer}: in 2.2 both balancers shared one worker, with the last parameters and one state; in 2.4 each has its own worker, so check the parameters of both lines`,
      });
  });
}
