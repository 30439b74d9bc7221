import { isConditional, type Place, placeCondition } from '../src/config';
import { defineTransform } from '../src/engine';
import type { ResultContext, Transform } from '../src/engine';
import { findDirective } from '../src/httpd/directives';
import { type Spot, type Verdict, judge } from '../src/httpd/judge';
import type { Directive, Section } from '../src/syntax';
import { Named } from './named';

/**
 * Reports what 2.4 knows, but not in its place or not with its number of arguments, as far as the result still has it and no other
 * transform has spoken of it.
 * @param owners directive (lower case) → the transform that looks after it
 */
export function misplacedDirective(owners: ReadonlyMap<string, string>): Transform {
  return defineTransform({
    id: 'misplaced-directive',
    seed: ['C31', 'A08', 'A16', 'P01', 'R13'],
    title: 'Directives that 2.4 refuses where they stand, or as they stand',
    why: 'The places where 2.4 takes some directives, and the number of arguments it takes, are others than in 2.2. It does not start (or answers 500, in a .htaccess) where a line breaks them.',
    docs: ['server/config.c: invoke_cmd', 'server/core.c: ap_check_cmd_context'],
    directives: [],
    run() {},
    runOnResult(context) {
      const named = new Named(context);
      const spots = new Map<Place['chain'], Spot | undefined>();
      const look = (node: Directive | Section, place: Place, from: number): void => {
        let spot = spots.get(place.chain);
        if (spot === undefined && !spots.has(place.chain)) spots.set(place.chain, (spot = spotOf(place)));
        if (spot === undefined) return;
        const verdict = verdictOn(node, spot, context.result.isServer && isRooted(place));
        if (verdict === undefined || placeCondition(place.chain).on24 === false) return;
        const { file, at } = context.origin(place.file, from);
        if (named.has(file, at, owners.get(node.key))) return;
        report(context, file, at, messageOf(node, spot, verdict));
      };
      const { resultIndex: index } = context;
      for (const { node, place } of index.directives([...index.names].filter(isKnown)))
        look(node, place, node.from);
      for (const { node, place } of index.sections([...index.sectionNames].filter(isKnown)))
        look(node, place, node.open.from);
    },
  });
}

/** Order and its kin are known to mod_access_compat only, and have their own transform. */
function isKnown(name: string): boolean {
  const info = findDirective(name);
  return info?.spec24 !== undefined && info.owners24[0] !== 'access_compat';
}

/** Whether the outermost level of the file is known to be the server, or a `.htaccess`; a fragment may be included anywhere. */
function isRooted({ root }: Place): boolean {
  return root.role === 'server' || root.role === 'htaccess';
}

/** Undefined inside of a section that nobody ships: what it makes of its body is not known. */
function spotOf({ chain, root }: Place): Spot | undefined {
  const sections = chain.flatMap(({ section }) => (isConditional(section) ? [] : [section.key]));
  if (sections.some((section) => findDirective(section) === undefined)) return undefined;
  return root.role === 'htaccess' ? { sections, htaccess: { classes: 'LOFAI' } } : { sections };
}

/** What other programs put values in place of (ERB, Jinja, Template Toolkit) before httpd sees the text. */
const TEMPLATE = /<%|\{\{|\[%/;

function verdictOn(node: Directive | Section, spot: Spot, rooted: boolean): Verdict | undefined {
  const verdict = judge(node.key, spot, () => node.args.map((arg) => arg.value), '2.4');
  // What a fragment says at its outermost level may be inside a section once it is included.
  if (verdict?.problem === 'place' && verdict.inside === undefined && !rooted) return undefined;
  return verdict?.problem === 'arguments' && node.args.some(({ value }) => TEMPLATE.test(value))
    ? undefined
    : verdict;
}

function messageOf(node: Directive | Section, spot: Spot, verdict: Verdict): string {
  const known = findDirective(node.key)!.name;
  const name = node.kind === 'section' ? `<${known}>` : known;
  const before = judge(node.key, spot, () => node.args.map((arg) => arg.value), '2.2');
  const too = before === undefined || before.problem === 'unknown' ? '' : '; nor did 2.2 take it';
  switch (verdict.problem) {
    case 'arguments':
      return `${name} takes ${verdict.takes} in 2.4${too}`;
    case 'refused':
      return `${name} is of an older httpd: 2.4 does not take it`;
    case 'unknown':
      return `2.4 does not know ${name}`;
    case 'place': {
      const inside =
        verdict.inside === undefined ? undefined : `inside <${findDirective(verdict.inside)?.name}>`;
      return `2.4 does not take ${name} ${inside ?? (spot.htaccess ? 'in a .htaccess' : 'at server level')}${too}`;
    }
  }
}

function report(context: ResultContext, file: Place['file'], at: number, message: string): void {
  context.report({ file, at, level: 'error', safety: 'manual', message, edits: [] });
}
