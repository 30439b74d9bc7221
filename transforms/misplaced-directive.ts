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
 * @param ownerOf the transform that looks after a directive (lower case)
 */
export function misplacedDirective(ownerOf: (key: string) => string | undefined): Transform {
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
      for (const { node, place, from, spot, verdict } of offencesIn(context)) {
        const { file, at } = context.origin(place.file, from);
        if (named.has(file, at, node.key, ownerOf(node.key))) continue;
        report(context, file, at, messageOf(node, spot, verdict));
      }
    },
  });
}

interface Offence {
  readonly node: Directive | Section;
  readonly place: Place;
  readonly from: number;
  readonly spot: Spot;
  readonly verdict: Verdict;
}

/** A result is asked about twice: as what becomes of a tree, and by itself. */
const foundIn = new WeakMap<ResultContext['result'], readonly Offence[]>();

function offencesIn({ result, resultIndex: index }: ResultContext): readonly Offence[] {
  const before = foundIn.get(result);
  if (before !== undefined) return before;
  const spots = new Spots();
  const offences: Offence[] = [];
  const look = (node: Directive | Section, place: Place, from: number): void => {
    const spot = spots.of(place);
    if (spot === undefined) return;
    const verdict = verdictOn(node, spot, result.isServer && isRooted(place));
    if (verdict === undefined || placeCondition(place.chain).on24 === false) return;
    offences.push({ node, place, from, spot, verdict });
  };
  index.visitDirectives([...index.names].filter(isKnown), (node, place) => look(node, place, node.from));
  index.visitSections([...index.sectionNames].filter(isKnown), (node, place) =>
    look(node, place, node.open.from),
  );
  foundIn.set(result, offences);
  return offences;
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

/** The spots of a tree: one for all places that are alike. */
class Spots {
  readonly #byChain = new Map<Place['chain'], Spot | undefined>();
  readonly #byText = new Map<string, Spot | undefined>();

  of(place: Place): Spot | undefined {
    const { chain } = place;
    let spot = this.#byChain.get(chain);
    if (spot === undefined && !this.#byChain.has(chain)) this.#byChain.set(chain, (spot = this.#make(place)));
    return spot;
  }

  /** Undefined inside of a section that nobody ships: what it makes of its body is not known. */
  #make({ chain, root }: Place): Spot | undefined {
    const sections = chain.flatMap(({ section }) => (isConditional(section) ? [] : [section.key]));
    const htaccess = root.role === 'htaccess';
    const text = `${htaccess} ${sections.join(' ')}`;
    let spot = this.#byText.get(text);
    if (spot === undefined && !sections.some((section) => findDirective(section) === undefined)) {
      spot = htaccess ? { sections, htaccess: { classes: 'LOFAI' } } : { sections };
      this.#byText.set(text, spot);
    }
    return spot;
  }
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
      return `2.4 refuses ${name} wherever it stands${too}`;
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
