import { serversOf } from '../../src/config';
import type { Place, Server } from '../../src/config';
import { type TransformContext, defineTransform } from '../../src/engine';
import { holds } from '../../src/httpd/facts';
import { addTo } from '../../src/maps';
import type { Directive } from '../../src/syntax';
import { containersOf, isCarriedOver } from '../common/lines';
import { inReadingOrder, isMatchWorker, mappingsOf, workerFor, workerName } from './proxy-lines';

/** A line that asks for a worker: a ProxyPass, or a member of a balancer. */
interface Use {
  readonly node: Directive;
  readonly place: Place;
  readonly url: string;
  readonly parameters: readonly string[];
  readonly balancer?: string;
}

export default defineTransform({
  id: 'proxy-worker-shared',
  changes: ['P05'],
  title: 'One backend with parameters in several places',
  why: 'A second ProxyPass to a backend uses the worker of the first, whose URL its own begins with. In 2.2, its parameters change that worker, so the last ones apply to all; 2.4 ignores them with a warning (AH01146). Members of balancers share workers with each other and with ProxyPass in 2.2, URL included; in 2.4 each balancer has its own.',
  docs: [
    'mod_proxy: ProxyPass',
    'modules/proxy/mod_proxy.c: add_pass, add_member',
    'modules/proxy/proxy_util.c: ap_proxy_get_worker',
  ],
  advisory: true,
  onlyWhenUpgrading: true,
  run(context) {
    for (const uses of usesOf(context).values()) reportUses(context, inReadingOrder(context, uses));
  },
});

/** What asks for a worker, server by server. */
function usesOf(context: TransformContext): ReadonlyMap<Server, readonly Use[]> {
  const servers = serversOf(context.tree);
  const hasMatchWorkers = holds('proxy-match-worker', context.target);
  const uses = new Map<Server, Use[]>();
  for (const [server, mappings] of mappingsOf(context))
    for (const mapping of mappings)
      if (
        mapping.url !== '!' &&
        !/^balancer:/i.test(mapping.url) &&
        !(hasMatchWorkers && isMatchWorker(mapping))
      )
        addTo(uses, server, mapping);
  context.directives(['BalancerMember'], (node, place) => {
    if (!isCarriedOver(place)) return;
    const words = node.args.map(({ value }) => value);
    const balancer = containersOf(place).at(-1)?.section.args[0]?.value ?? words.shift() ?? '';
    const [url = '', ...parameters] = words;
    addTo(uses, servers.of(place), { node, place, url, parameters, balancer });
  });
  return uses;
}

function reportUses(context: TransformContext, uses: readonly Use[]): void {
  const workers22 = new Map<string, Use>();
  // In 2.4, a member has a worker of its balancer alone.
  const workers24 = new Map<string, Use>();
  for (const use of uses) {
    const was = workerFor(use.url, workers22);
    const is = use.balancer === undefined ? workerFor(use.url, workers24) : undefined;
    if (is !== undefined) reportLostParameters(context, is.worker, use);
    else if (was !== undefined) reportPartedWorkers(context, was, use);
    const name = workerName(use.url);
    if (was === undefined) workers22.set(name, use);
    if (is === undefined && use.balancer === undefined) workers24.set(name, use);
  }
}

/** Whether the later parameters add nothing to the earlier ones. */
function sameParameters(later: readonly string[], earlier: readonly string[]): boolean {
  return later.every((word) => earlier.includes(word));
}

const areAlike = (a: readonly string[], b: readonly string[]): boolean =>
  sameParameters(a, b) && sameParameters(b, a);

function reportLostParameters(context: TransformContext, first: Use, use: Use): void {
  if (sameParameters(use.parameters, first.parameters)) return;
  const ignored = use.parameters.filter((word) => !first.parameters.includes(word));
  context.report({
    file: use.place.file,
    at: use.node.from,
    level: 'warning',
    message: `2.4 ignores ${ignored.join(' ')}, because ${lineOf(first)} already sets up this backend; 2.2 applied the parameters to both lines: move them to that line`,
  });
}

/** A worker that was one in 2.2, and is two in 2.4. */
function reportPartedWorkers(
  context: TransformContext,
  { name, worker: first }: { readonly name: string; readonly worker: Use },
  use: Use,
): void {
  if (use.balancer === first.balancer) return;
  const found = partedBy(name, first, use);
  if (found !== undefined) context.report({ file: use.place.file, at: use.node.from, ...found });
}

function partedBy(
  name: string,
  first: Use,
  use: Use,
): { readonly level: 'info' | 'warning'; readonly message: string } | undefined {
  if (use.balancer !== undefined && name !== workerName(use.url))
    return {
      level: 'warning',
      message: `2.2 took this member for the backend of ${lineOf(first)}, with whose URL its own begins, and sent its requests to ${name}; 2.4 sends them to ${use.url}: write ${name} here if the old URL was the right one`,
    };
  if (use.balancer !== undefined && first.balancer !== undefined)
    return {
      level: areAlike(use.parameters, first.parameters) ? 'info' : 'warning',
      message: `${use.url} is also in ${first.balancer}: in 2.2 both balancers shared one worker, with the last parameters and one state; in 2.4 each has its own worker, so check the parameters of both lines`,
    };
  if (areAlike(ofConnections(use), ofConnections(first))) return undefined;
  return {
    level: 'warning',
    message: `this line and ${lineOf(first)} shared one backend in 2.2, with the parameters of both; 2.4 keeps a member of a balancer apart: give each line the parameters that it needs`,
  };
}

const lineOf = ({ node, place }: Use): string =>
  `${place.file.name}:${place.file.document.positionAt(node.from).line}`;

/** The parameters that matter outside of a balancer, too. */
const ofConnections = ({ parameters }: Use): readonly string[] =>
  parameters.filter((word) => !/^(?:route|redirect|loadfactor|lbset|status)=/i.test(word));
