import { type Place, conditionOf, isConditional, placeCondition } from '../../src/config';
import { defineTransform } from '../../src/engine';
import { memo } from '../../src/maps';
import { isCarriedOver, isUnknown } from '../common/lines';
import { type Directive, type Node, type Section, readWords } from '../../src/syntax';
import { ReportedLines } from '../common/reported-lines';
import { refusedRequire } from './refused-require';
import { ProvidersAndMethods } from './providers-and-methods';

export default defineTransform({
  id: 'access-line-refused',
  changes: [],
  title: 'Access lines for 2.4 that 2.4 refuses',
  why: 'Lines that were written for 2.4, as those in a block that only 2.4 reads, are left as they are, but for a Require not beside Require all granted alone, which order-allow-deny puts into <RequireAll>. 2.4 does not start if one of them asks for what no module answers, or says what has no effect; it answers 500 if the line is in a .htaccess.',
  docs: [
    'mod_authz_core: Require',
    'modules/aaa/mod_authz_core.c: add_authz_provider, add_authz_section, authz_core_check_section',
    'modules/aaa/mod_authz_host.c: ip_parse_config',
    'server/core.c: set_override',
  ],
  advisory: true,
  run() {},
  runOnResult(context) {
    const reported = new ReportedLines(context);
    const known = new ProvidersAndMethods(context);
    const report = (node: Directive | Section, place: Place, message: string | undefined): void => {
      if (message === undefined || placeCondition(place.chain).on24 === false) return;
      const { file, at } = context.origin(place.file, node.kind === 'section' ? node.open.from : node.from);
      if (!reported.has(file, at, undefined)) context.report({ file, at, level: 'error', message });
    };
    context.resultIndex.visitDirectives(['require'], (node, place) => {
      if (!isUnknown(node.rest)) report(node, place, requireProblem(node, place, known));
    });
    context.resultIndex.visitSections([...CONTAINERS], (node, place) =>
      report(node, place, containerProblem(node, place)),
    );
    context.resultIndex.visitSections(['limit', 'limitexcept'], (node, place) =>
      report(
        node,
        place,
        node.args.length === 0 ? `2.4 takes at least one method after <${node.name}: name one` : undefined,
      ),
    );
    context.resultIndex.visitDirectives(['authmerging', 'allowoverride'], (node, place) => {
      if (!isUnknown(node.rest)) report(node, place, wordProblem(node));
    });
  },
});

const CONTAINERS = new Set(['requireall', 'requireany', 'requirenone']);

function requireProblem(node: Directive, place: Place, known: ProvidersAndMethods): string | undefined {
  const words = readWords(node.rest);
  const isNegated = words[0]?.value.toLowerCase() === 'not';
  const provider = words[isNegated ? 1 : 0];
  const name = provider?.value ?? '';
  const args = provider === undefined ? '' : node.rest.slice(provider.end).trimStart();
  // What both versions read in 2.2's words is converted, or it is said why not. A block that asks for some module may ask for the
  // one that answers.
  const isOfAuthor = !isCarriedOver(place) && placeCondition(place.chain).on24 === true;
  const problem = refusedRequire(name, args, known, isOfAuthor);
  if (problem !== undefined) return problem;
  return isNegated && hasAlternatives(place)
    ? '2.4 refuses Require not among alternatives, where it has no effect: put it into a <RequireAll>, beside a line that lets somebody in'
    : undefined;
}

/**
 * Whether what stands at a place is one of several alternatives: in no container, or in one that asks for any. A file that
 * nothing includes may be meant for the inside of a container.
 */
function hasAlternatives({ chain, root }: Place): boolean {
  const container = chain.findLast(({ section }) => CONTAINERS.has(section.key));
  if (container !== undefined) return container.section.key !== 'requireall';
  return (
    root.role === 'server' || root.role === 'htaccess' || chain.some(({ section }) => !isConditional(section))
  );
}

function containerProblem(node: Section, place: Place): string | undefined {
  const { name, key, open } = node;
  if (open.rest !== '') return `2.4 takes nothing after <${name}: remove "${open.rest}"`;
  const lines = linesIn(node.body);
  if (lines.length === 0)
    return `2.4 refuses a <${name}> without a Require line: say in it who may get in, or remove it`;
  if (key === 'requirenone' && hasAlternatives(place))
    return `2.4 refuses <${name}> among alternatives, where it has no effect: put it into a <RequireAll>, beside a line that lets somebody in`;
  // A nested container of the same kind is a part of the one around it. Of a .htaccess it is not asked.
  const isPart = !hasAlternatives(place);
  if (key !== 'requireall' || isPart || place.root.role === 'htaccess') return undefined;
  return lines.every((isNegative) => isNegative)
    ? `2.4 refuses a <${name}> that only keeps out: add Require all granted to it`
    : undefined;
}

/** What a container is made of, as far as 2.4 may read it: whether each is negative. What an Include brings may be anything. */
const linesIn = memo((body: readonly Node[]): readonly boolean[] =>
  body.flatMap((node): readonly boolean[] => {
    if (node.kind === 'stray') return [false];
    if (node.kind === 'directive') {
      if (node.key === 'require') return [readWords(node.rest)[0]?.value.toLowerCase() === 'not'];
      return node.key === 'include' || node.key === 'includeoptional' || node.key === 'use' ? [false] : [];
    }
    if (node.kind !== 'section') return [];
    if (isConditional(node) && conditionOf(node).on24 === false) return [];
    if (node.key === 'requirenone') return [true];
    if (node.key === 'requireany') return [false];
    return linesIn(node.body);
  }),
);

const MERGING = new Set(['off', 'and', 'or']);
const OVERRIDE = /^(?:(?:all|authconfig|fileinfo|indexes|limit|none|options)(?:=|$)|nonfatal=)/i;

function wordProblem({ key, name, args }: Directive): string | undefined {
  const [first] = args;
  if (first === undefined) return undefined;
  if (key === 'authmerging')
    return MERGING.has(first.value.toLowerCase())
      ? undefined
      : `2.4 takes Off, And or Or after ${name}: write one of them for "${first.value}"`;
  const wrong = args.find(({ value }) => !OVERRIDE.test(value));
  return wrong && `2.4 knows no ${name} ${wrong.value}: remove the word`;
}
