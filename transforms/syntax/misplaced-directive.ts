import { hostAround, isConditional, type Place, placeCondition } from '../../src/config';
import { defineTransform, type ResultContext } from '../../src/engine';
import { findDirective, isIn24 } from '../../src/httpd/directives';
import { type DirectiveContext, type Verdict, judge, soundLine } from '../../src/httpd/judge';
import type { Release } from '../../src/httpd/release';
import { type Directive, type Section, hasPlaceholder } from '../../src/syntax';
import { ReportedLines } from '../common/reported-lines';
import { getOrInsert } from '../../src/maps';
import { isNotInUse } from '../common/lines';

/** Reports directives of the result that 2.4 knows, but not here or not with so many arguments, if no other rule has. */
export default defineTransform({
  id: 'misplaced-directive',
  changes: ['C31', 'A08', 'A16', 'P01', 'R13'],
  title: 'Directives in the wrong place, or with the wrong number of arguments',
  stops: true,
  why: '2.4 allows some directives in other places than 2.2, or with another number of arguments. It does not start if a line breaks these rules, and answers 500 if the line is in a .htaccess.',
  docs: ['server/config.c: invoke_cmd', 'server/core.c: ap_check_cmd_context'],
  advisory: true,
  run() {},
  runOnResult(context) {
    const reported = new ReportedLines(context);
    for (const { node, place, from, directiveContext, verdict } of offencesIn(context)) {
      const { file, at } = context.origin(place.file, from);
      if (reported.has(file, at, context.ownerOf(node.key))) continue;
      const message = messageOf(node, directiveContext, verdict);
      // What no server reads keeps none from starting, and what 2.2 refused shows that it read none of it.
      const isUnread = isNotInUse(place, context.result);
      if (!isUnread || !message.endsWith(ALSO_IN_22)) report(context, file, at, message);
    }
  },
});

interface Offence {
  readonly node: Directive | Section;
  readonly place: Place;
  readonly from: number;
  readonly directiveContext: DirectiveContext;
  readonly verdict: Verdict;
}

/** The rule runs twice on a result: as the outcome of a tree, and as a tree of its own. */
const offencesByResult = new WeakMap<ResultContext['result'], readonly Offence[]>();

function offencesIn({ result, resultIndex: index, target }: ResultContext): readonly Offence[] {
  const knownOffences = offencesByResult.get(result);
  if (knownOffences !== undefined) return knownOffences;
  const placeKinds = new PlaceKinds(target);
  const offences: Offence[] = [];
  const checkLine = (node: Directive | Section, place: Place, from: number, isAlone = false): void => {
    const placeKind = placeKinds.of(place);
    if (placeKind === undefined || isSoundLine(node, placeKind.soundLine(node.key), place.file.document.text))
      return;
    const { directiveContext } = placeKind;
    const verdict = verdictOn(
      node,
      directiveContext,
      target,
      // A virtual host stands at server level, whatever includes the file.
      isAlone || hasKnownRoot(place, result.isServer) || hostAround(place.chain) !== undefined,
    );
    if (verdict === undefined || placeCondition(place.chain).on24 === false) return;
    offences.push({ node, place, from, directiveContext, verdict });
  };
  const isKnown = (name: string): boolean => isKnownIn(name, target);
  index.visitDirectives([...index.names].filter(isKnown), (node, place) => checkLine(node, place, node.from));
  for (const { node, place } of index.misplaced)
    if (isKnown(node.key)) checkLine(node, place, node.from, true);
  index.visitSections([...index.sectionNames].filter(isKnown), (node, place) =>
    checkLine(node, place, node.open.from),
  );
  offencesByResult.set(result, offences);
  return offences;
}

/** Whether a line matches the pattern of accepted lines: only other lines are examined. */
function isSoundLine(
  node: Directive | Section,
  soundPattern: RegExp | true | undefined,
  text: string,
): boolean {
  if (soundPattern === undefined || soundPattern === true) return soundPattern === true;
  if (node.kind === 'section' || node.joined) return false;
  soundPattern.lastIndex = node.from;
  return soundPattern.test(text) && soundPattern.lastIndex === node.to;
}

/** Order, Allow, Deny and Satisfy are known only to mod_access_compat, and have their own transform. */
function isKnownIn(name: string, target: Release): boolean {
  const info = findDirective(name);
  return info?.spec24 !== undefined && info.owners24[0] !== 'access_compat' && isIn24(info, target);
}

/** Whether the outermost level of the file is known to be the server, or a `.htaccess`; a fragment may be included anywhere. */
function hasKnownRoot({ root }: Place, isServer: boolean): boolean {
  return isServer && (root.role === 'server' || root.role === 'htaccess');
}

/** A kind of place: for most lines, the verdict depends only on this and on the name of the directive. */
class PlaceKind {
  readonly #inner = new Map<string, PlaceKind | null>();
  readonly #sound = new Map<string, RegExp | true | undefined>();

  constructor(
    readonly directiveContext: DirectiveContext,
    private readonly target: Release,
  ) {}

  /** Undefined inside a section that no module of httpd has, which may read its body in any way. */
  inside(key: string): PlaceKind | undefined {
    const kind = getOrInsert(this.#inner, key, () => {
      const sections = [...this.directiveContext.sections, key];
      return findDirective(key) === undefined
        ? null
        : new PlaceKind({ ...this.directiveContext, sections }, this.target);
    });
    return kind ?? undefined;
  }

  soundLine(key: string): RegExp | true | undefined {
    return getOrInsert(this.#sound, key, () => soundLine(key, this.directiveContext, '2.4', this.target));
  }
}

class PlaceKinds {
  readonly #server: PlaceKind;
  readonly #htaccess: PlaceKind;
  readonly #byPlace = new WeakMap<Place, PlaceKind | null>();

  constructor(target: Release) {
    this.#server = new PlaceKind({ sections: [] }, target);
    this.#htaccess = new PlaceKind({ sections: [], htaccess: { classes: 'LOFAI' } }, target);
  }

  of(place: Place): PlaceKind | undefined {
    const { chain, root } = place;
    const outermost = root.role === 'htaccess' ? this.#htaccess : this.#server;
    if (chain.length === 0) return outermost;
    let kind = this.#byPlace.get(place);
    if (kind !== undefined) return kind ?? undefined;
    kind = outermost;
    for (const { section } of chain) if (!isConditional(section)) kind = kind?.inside(section.key) ?? null;
    this.#byPlace.set(place, kind);
    return kind ?? undefined;
  }
}

function verdictOn(
  node: Directive | Section,
  directiveContext: DirectiveContext,
  target: Release,
  isRootKnown: boolean,
): Verdict | undefined {
  const verdict = judge(node.key, directiveContext, () => node.args.map((arg) => arg.value), '2.4', target);
  // The outermost level of a fragment may be inside a section once it is included.
  if (verdict?.problem === 'place' && verdict.inside === undefined && !isRootKnown) return undefined;
  return verdict?.problem === 'arguments' && node.args.some(({ value }) => hasPlaceholder(value))
    ? undefined
    : verdict;
}

const ALSO_IN_22 = '; 2.2 refused it too';

function messageOf(node: Directive | Section, directiveContext: DirectiveContext, verdict: Verdict): string {
  const knownName = findDirective(node.key)!.name;
  const name = node.kind === 'section' ? `<${knownName}>` : knownName;
  const verdict22 = judge(node.key, directiveContext, () => node.args.map((arg) => arg.value), '2.2');
  const alsoIn22 = verdict22 === undefined || verdict22.problem === 'unknown' ? '' : ALSO_IN_22;
  switch (verdict.problem) {
    case 'arguments':
      return `${name} takes ${verdict.takes} in 2.4${alsoIn22}`;
    case 'refused':
      return `2.4 refuses ${name} in every place${alsoIn22}: remove it`;
    case 'unknown':
      return `2.4 does not know ${name}`;
    case 'place': {
      const inside =
        verdict.inside === undefined ? undefined : `inside <${findDirective(verdict.inside)?.name}>`;
      return `2.4 does not allow ${name} ${inside ?? (directiveContext.htaccess ? 'in a .htaccess' : 'at server level')}${alsoIn22}`;
    }
  }
}

function report(context: ResultContext, file: Place['file'], at: number, message: string): void {
  context.report({ file, at, level: 'error', message });
}
