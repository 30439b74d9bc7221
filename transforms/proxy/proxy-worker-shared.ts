import { serversOf } from '../../src/config';
import { type TransformContext, defineTransform } from '../../src/engine';
import { containersOf, isCarriedOver } from '../shared/lines';
import { type Mapping, inReadingOrder, mappingsOf, pathAndAbove } from './proxy-lines';

export default defineTransform({
  id: 'proxy-worker-shared',
  changes: ['P05'],
  title: 'One backend with parameters in several places',
  why: 'A second ProxyPass to a backend uses the worker of the first. In 2.2, its parameters change that worker, so the last ones apply to all; 2.4 ignores them with a warning (AH01146). Members of several balancers share one worker in 2.2; in 2.4 each balancer has its own.',
  docs: ['mod_proxy: ProxyPass', 'modules/proxy/mod_proxy.c: add_pass, add_member'],
  advisory: true,
  directives: [],
  onlyWhenUpgrading: true,
  run(context) {
    for (const mappings of mappingsOf(context).values()) {
      const seen = new Map<string, Mapping>();
      for (const mapping of inReadingOrder(context, mappings)) {
        if (mapping.url === '!' || /^balancer:/i.test(mapping.url)) continue;
        // httpd takes the worker whose URL the new one begins with.
        const urls = pathAndAbove(mapping.url.toLowerCase());
        const first = urls.map((url) => seen.get(url)).find((one) => one !== undefined);
        if (first === undefined) seen.set(urls[0]!, mapping);
        else if (!sameParameters(mapping.parameters, first.parameters)) tell(context, first, mapping);
      }
    }
    tellMembers(context);
  },
});

/** Whether the later ones say nothing that the earlier have not said. */
function sameParameters(later: readonly string[], earlier: readonly string[]): boolean {
  return later.every((word) => earlier.includes(word));
}

function tell(context: TransformContext, first: Mapping, { node, place, parameters }: Mapping): void {
  const lost = parameters.filter((word) => !first.parameters.includes(word));
  const { line } = first.place.file.document.positionAt(first.node.from);
  context.report({
    file: place.file,
    at: node.from,
    level: 'warning',
    safety: 'manual',
    message: `2.4 ignores ${lost.join(' ')}, because ${first.place.file.name}:${line} already sets up this backend; 2.2 applied them to both lines: move them there`,
    edits: [],
  });
}

function tellMembers(context: TransformContext): void {
  const servers = serversOf(context.tree);
  const seen = new Map<
    unknown,
    Map<string, { readonly balancer: string; readonly words: readonly string[] }>
  >();
  context.directives(['BalancerMember'], (node, place) => {
    if (!isCarriedOver(place)) return;
    const words = node.args.map(({ value }) => value);
    const around = containersOf(place).at(-1)?.section.args[0]?.value;
    const balancer = around ?? words.shift() ?? '';
    const [url = '', ...rest] = words;
    const server = servers.of(place);
    const members = seen.get(server) ?? new Map<string, { balancer: string; words: readonly string[] }>();
    seen.set(server, members);
    const known = members.get(url);
    if (known === undefined) members.set(url, { balancer, words: rest });
    else if (known.balancer !== balancer)
      context.report({
        file: place.file,
        at: node.from,
        level: sameParameters(rest, known.words) && sameParameters(known.words, rest) ? 'info' : 'warning',
        safety: 'manual',
        message: `${url} is in ${known.balancer} too: in 2.2 both had one worker, with the last parameters and one state; in 2.4 each has its own`,
        edits: [],
      });
  });
}
