import { appendArguments } from '../../src/edit';
import { type TransformContext, defineTransform } from '../../src/engine';
import { FACTS, sinceRelease } from '../../src/httpd/facts';
import { type Mapping, inReadingOrder, isMatchWorker, mappingsOf } from './proxy-lines';

export default defineTransform({
  id: 'proxy-match-worker',
  changes: ['P22'],
  title: 'ProxyPassMatch has a worker of its own',
  why: "In 2.2, a ProxyPassMatch to a URL with $1 has no worker that is ever used: its parameters have no effect, unless an earlier ProxyPass sets up the same backend, and its requests go through that one's worker. Since 2.4.47 it has one. The worker with the longest URL serves a request, so it also takes requests of that ProxyPass, whose parameters then do not count, and it keeps no connection to the backend.",
  docs: [
    'mod_proxy: ProxyPass, enablereuse',
    'modules/proxy/proxy_util.c: ap_proxy_define_worker_ex, ap_proxy_get_worker_ex',
    'CHANGES 2.4.47',
  ],
  lifeSpan: FACTS['proxy-match-worker'],
  onlyWhenUpgrading: true,
  run(context) {
    for (const ofServer of mappingsOf(context).values()) {
      const mappings = inReadingOrder(context, ofServer);
      mappings.forEach((mapping, i) => {
        if (!isMatchWorker(mapping)) return;
        const owner = ownerOf(mapping, mappings);
        if (owner === undefined) reportUnused(context, mapping);
        else if (mapping.parameters.length === 0 || mappings.indexOf(owner) < i)
          carryOver(context, mapping, owner);
        else reportOwn(context, mapping, owner);
      });
    }
  },
});

/** The mapping whose worker served the requests of a ProxyPassMatch in 2.2: that with the longest URL in front of theirs. */
function ownerOf({ url }: Mapping, mappings: readonly Mapping[]): Mapping | undefined {
  const literal = url.slice(0, url.search(/\$\d/)).toLowerCase();
  const ownedBy = mappings.filter(
    (other) =>
      !isMatchWorker(other) && other.url.includes('://') && literal.startsWith(other.url.toLowerCase()),
  );
  return ownedBy.sort((a, b) => b.url.length - a.url.length)[0];
}

const nameOf = (word: string): string => word.slice(0, word.indexOf('=')).toLowerCase();

/** Gives the worker of 2.4 what that of 2.2 had. */
function carryOver(context: TransformContext, { node, place, parameters }: Mapping, owner: Mapping): void {
  const names = new Set(parameters.map(nameOf));
  const lacking = owner.parameters.filter((word) => !names.has(nameOf(word)));
  const keepsNone = [...parameters, ...owner.parameters].some((word) =>
    /^(?:disable|enable)reuse=/i.test(word),
  );
  const added = keepsNone ? lacking : [...lacking, 'enablereuse=on'];
  if (added.length === 0) return;
  context.report({
    file: place.file,
    at: node.from,
    level: 'info',
    safety: 'safe',
    message: `${sinceRelease('proxy-match-worker')} this line has a worker of its own, which ${lineOf(owner)} uses too; it gets ${added.join(' ')}, as the one that they shared in 2.2`,
    edits: [appendArguments(place.file.document, node, added)],
  });
}

function reportUnused(context: TransformContext, { node, place, parameters }: Mapping): void {
  if (parameters.length === 0) return;
  context.report({
    file: place.file,
    at: node.from,
    level: 'warning',
    message: `2.2 did not apply ${parameters.join(' ')} to a URL with $1; ${sinceRelease('proxy-match-worker')} it counts: take away what the requests should not have`,
  });
}

function reportOwn(context: TransformContext, { node, place, parameters }: Mapping, owner: Mapping): void {
  context.report({
    file: place.file,
    at: node.from,
    level: 'warning',
    message: `2.2 did not apply ${parameters.join(' ')} to a URL with $1; ${sinceRelease('proxy-match-worker')} it counts, also for requests of ${lineOf(owner)}: write the parameters of that line here, with enablereuse=on`,
  });
}

const lineOf = ({ node, place }: Mapping): string =>
  `${place.file.name}:${place.file.document.positionAt(node.from).line}`;
