import { isConditional, type Place, placeCondition } from '../../src/config';
import { defineTransform, type ResultContext } from '../../src/engine';
import { findDirective, isIn24 } from '../../src/httpd/directives';
import { type Spot, type Verdict, judge, soundLine } from '../../src/httpd/judge';
import type { Release } from '../../src/httpd/release';
import { type Directive, type Section, hasPlaceholder } from '../../src/syntax';
import { Named } from './named';

/**
 * Reports what 2.4 knows, but not in its place or not with its number of arguments, as far as the result still has it and no other
 * transform has spoken of it.
 */
export default defineTransform({
  id: 'misplaced-directive',
  changes: ['C31', 'A08', 'A16', 'P01', 'R13'],
  title: 'Directives that 2.4 refuses where they stand, or as they stand',
  why: 'The places where 2.4 takes some directives, and the number of arguments it takes, are others than in 2.2. It does not start (or answers 500, in a .htaccess) where a line breaks them.',
  docs: ['server/config.c: invoke_cmd', 'server/core.c: ap_check_cmd_context'],
  advisory: true,
  directives: [],
  run() {},
  runOnResult(context) {
    const named = new Named(context);
    for (const { node, place, from, spot, verdict } of offencesIn(context)) {
      const { file, at } = context.origin(place.file, from);
      if (named.has(file, at, context.ownerOf(node.key))) continue;
      report(context, file, at, messageOf(node, spot, verdict));
    }
  },
});

interface Offence {
  readonly node: Directive | Section;
  readonly place: Place;
  readonly from: number;
  readonly spot: Spot;
  readonly verdict: Verdict;
}

/** A result is asked about twice: as what becomes of a tree, and by itself. */
const foundIn = new WeakMap<ResultContext['result'], readonly Offence[]>();

function offencesIn({ result, resultIndex: index, target }: ResultContext): readonly Offence[] {
  const before = foundIn.get(result);
  if (before !== undefined) return before;
  const kinds = new Kinds(target);
  const offences: Offence[] = [];
  const look = (node: Directive | Section, place: Place, from: number): void => {
    const kind = kinds.of(place);
    if (kind === undefined || isSound(node, kind.soundLine(node.key), place.file.document.text)) return;
    const { spot } = kind;
    const verdict = verdictOn(node, spot, target, result.isServer && isRooted(place));
    if (verdict === undefined || placeCondition(place.chain).on24 === false) return;
    offences.push({ node, place, from, spot, verdict });
  };
  const isKnown = (name: string): boolean => isKnownIn(name, target);
  index.visitDirectives([...index.names].filter(isKnown), (node, place) => look(node, place, node.from));
  index.visitSections([...index.sectionNames].filter(isKnown), (node, place) =>
    look(node, place, node.open.from),
  );
  foundIn.set(result, offences);
  return offences;
}

/** Whether a line has the look of one that there is nothing to say about: only others are taken apart. */
function isSound(node: Directive | Section, sound: RegExp | true | undefined, text: string): boolean {
  if (sound === undefined || sound === true) return sound === true;
  if (node.kind === 'section' || node.joined) return false;
  sound.lastIndex = node.from;
  return sound.test(text) && sound.lastIndex === node.to;
}

/** Order and its kin are known to mod_access_compat only, and have their own transform. */
function isKnownIn(name: string, target: Release): boolean {
  const info = findDirective(name);
  return info?.spec24 !== undefined && info.owners24[0] !== 'access_compat' && isIn24(info, target);
}

/** Whether the outermost level of the file is known to be the server, or a `.htaccess`; a fragment may be included anywhere. */
function isRooted({ root }: Place): boolean {
  return root.role === 'server' || root.role === 'htaccess';
}

/** A kind of place: what there is to say of a line hangs on its name and on this, for most lines. */
class Kind {
  readonly spot: Spot;
  readonly #target: Release;
  readonly #inner = new Map<string, Kind | null>();
  readonly #sound = new Map<string, RegExp | true | undefined>();

  constructor(spot: Spot, target: Release) {
    this.spot = spot;
    this.#target = target;
  }

  /** Undefined inside of a section that nobody ships: what it makes of its body is not known. */
  inside(key: string): Kind | undefined {
    let kind = this.#inner.get(key);
    if (kind === undefined) {
      const sections = [...this.spot.sections, key];
      kind = findDirective(key) === undefined ? null : new Kind({ ...this.spot, sections }, this.#target);
      this.#inner.set(key, kind);
    }
    return kind ?? undefined;
  }

  soundLine(key: string): RegExp | true | undefined {
    let sound = this.#sound.get(key);
    if (sound === undefined) this.#sound.set(key, (sound = soundLine(key, this.spot, '2.4', this.#target)));
    return sound;
  }
}

/** The kinds of place of a tree. */
class Kinds {
  readonly #server: Kind;
  readonly #htaccess: Kind;
  readonly #byChain = new Map<Place['chain'], Kind | null>();

  constructor(target: Release) {
    this.#server = new Kind({ sections: [] }, target);
    this.#htaccess = new Kind({ sections: [], htaccess: { classes: 'LOFAI' } }, target);
  }

  of({ chain, root }: Place): Kind | undefined {
    const outermost = root.role === 'htaccess' ? this.#htaccess : this.#server;
    if (chain.length === 0) return outermost;
    let kind = this.#byChain.get(chain);
    if (kind !== undefined) return kind ?? undefined;
    kind = outermost;
    for (const { section } of chain) if (!isConditional(section)) kind = kind?.inside(section.key) ?? null;
    this.#byChain.set(chain, kind);
    return kind ?? undefined;
  }
}

function verdictOn(
  node: Directive | Section,
  spot: Spot,
  target: Release,
  rooted: boolean,
): Verdict | undefined {
  const verdict = judge(node.key, spot, () => node.args.map((arg) => arg.value), '2.4', target);
  // What a fragment says at its outermost level may be inside a section once it is included.
  if (verdict?.problem === 'place' && verdict.inside === undefined && !rooted) return undefined;
  return verdict?.problem === 'arguments' && node.args.some(({ value }) => hasPlaceholder(value))
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
