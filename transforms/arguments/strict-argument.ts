import type { Place } from '../../src/config';
import { type TransformContext, defineTransform } from '../../src/engine';
import { FIRST, livesIn, nameOf } from '../../src/httpd/release';
import type { Directive, Section } from '../../src/syntax';
import { isCarriedOver } from '../common/lines';
import { isWrittenFor24 } from '../common/written-for';
import { REFUSED_BY_BOTH } from './refused-by-both-rows';
import { REFUSED_WORDS } from './refused-word-rows';
import { STRICT_ARGUMENTS, type StrictArgument, type ArgumentFinding } from './strict-argument-rows';
import { STRICT_PROXY_ARGUMENTS } from './strict-proxy-rows';

/** The rows of all tables. */
export const STRICT_ROWS: readonly StrictArgument[] = [
  ...STRICT_ARGUMENTS,
  ...STRICT_PROXY_ARGUMENTS,
  ...REFUSED_BY_BOTH,
  ...REFUSED_WORDS,
];

export default defineTransform({
  id: 'strict-argument',
  changes: [],
  title: 'Arguments that 2.4 checks more strictly or reads differently',
  why: 'Both versions have these directives and read most of their arguments alike. Some releases of 2.4 refuse arguments that 2.2 accepted, or silently read them as something else. What neither version takes is told, too.',
  docs: ['docs/strict-arguments.md: every argument with its source in both versions'],
  directives: [
    'AllowCONNECT',
    'AllowOverride',
    'BalancerMember',
    'LimitXMLRequestBody',
    'MaxMemFree',
    'ProxyPass',
    'ProxyPassMatch',
    'ProxySet',
    'ThreadStackSize',
  ],
  run(context) {
    for (const row of STRICT_ROWS) if (livesIn(row, context.target)) reportRow(context, row);
  },
});

function reportRow(context: TransformContext, row: StrictArgument): void {
  context.directives(row.names, (node, place) => reportLine(context, row, node, place));
  for (const name of row.sections ?? [])
    context.sections([name], (node, place) => reportLine(context, row, node, place));
}

function reportLine(
  context: TransformContext,
  row: StrictArgument,
  node: Directive | Section,
  place: Place,
): void {
  const line = node.kind === 'section' ? node.open : node;
  if (!row.linePattern.test(line.rest) || !isCarriedOver(place)) return;
  const findings = row.findingFor(node, place, context);
  if (findings === undefined || (row.onlyWhenUpgrading === true && isWrittenFor24(context, place))) return;
  const list: readonly ArgumentFinding[] = 'message' in findings ? [findings] : findings;
  for (const { message, edits, at, level = row.level, task } of list)
    context.report({
      file: place.file,
      at: at ?? line.from,
      level,
      ...(task && { task }),
      safety: edits === undefined ? 'manual' : 'safe',
      message: `${releasesOf(row)} ${message}`,
      edits: edits ?? [],
    });
}

/** The releases that a row is about: the subject of its messages. */
function releasesOf({ since, until }: StrictArgument): string {
  if (until !== undefined) return `httpd ${nameOf(since ?? FIRST)} to ${nameOf(until)}`;
  return since === undefined ? '2.4' : `since ${nameOf(since)} httpd`;
}
