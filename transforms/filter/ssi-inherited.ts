import { type Place, placeCondition, serversOf } from '../../src/config';
import { insertAfter } from '../../src/edit';
import { defineTransform, type TransformContext } from '../../src/engine';
import type { Directive } from '../../src/syntax';
import { allowsOverride, type OverrideClass } from '../common/allow-override';
import { containersOf, isCarriedOver } from '../common/lines';
import { PlacesMet } from '../common/meeting-sections';
import { getOrInsert } from '../../src/maps';

/** A setting that each section has of its own in 2.2. */
interface Setting {
  /** The line that sets the default of 2.2 (modules/filters/mod_include.c: create_includes_dir_config). */
  readonly line: string;
  /** The class of AllowOverride that 2.4 asks for; none where any will do. */
  readonly overrideClass?: OverrideClass;
}

const SETTINGS: Readonly<Record<string, Setting>> = {
  __proto__: null!,
  xbithack: { line: 'XBitHack off', overrideClass: 'options' },
  ssierrormsg: { line: 'SSIErrorMsg "[an error occurred while processing this directive]"' },
  ssitimeformat: { line: 'SSITimeFormat "%A, %d-%b-%Y %H:%M:%S %Z"' },
  ssiundefinedecho: { line: 'SSIUndefinedEcho "(none)"' },
  ssilastmodified: { line: 'SSILastModified off', overrideClass: 'limit' },
  ssietag: { line: 'SSIETag off', overrideClass: 'limit' },
};

/** The lines of one section or level. */
interface InheritedSsiScope {
  readonly place: Place;
  readonly lines: Directive[];
}

/** A setting of another section, which 2.4 inherits. */
interface InheritedLine {
  readonly node: Directive;
  readonly place: Place;
  readonly isCertain: boolean;
}

export default defineTransform({
  id: 'ssi-inherited',
  changes: ['F04'],
  title: 'Settings of server-side includes are inherited separately',
  why: 'In 2.2, a section with one of these directives has the defaults of all others; in 2.4 it inherits the others.',
  docs: ['modules/filters/mod_include.c: merge_includes_dir_config'],
  onlyWhenUpgrading: true,
  run(context) {
    const servers = serversOf(context.tree);
    const scopes = new Map<unknown, InheritedSsiScope>();
    context.directives([...Object.keys(SETTINGS), 'SSIAccessEnable'], (node, place) => {
      if (!isCarriedOver(place)) return;
      const server = servers.of(place);
      const key = containersOf(place).at(-1)?.section ?? server.section ?? server;
      getOrInsert(scopes, key, () => ({ place, lines: [] })).lines.push(node);
    });
    const all = [...scopes.values()];
    const places = new PlacesMet(all, ({ place }) => place, context.tree);
    for (const [i, scope] of all.entries()) reportScope(context, scope, i, places);
  },
});

/** @param at which of them it is */
function reportScope(
  context: TransformContext,
  scope: InheritedSsiScope,
  at: number,
  places: PlacesMet<InheritedSsiScope>,
): void {
  const set = new Set(scope.lines.map(({ key }) => key));
  const inherited = new Map<string, InheritedLine>();
  for (const { item: outer, index, meeting } of places.before(scope.place)) {
    if (index === at || (meeting === 'maybe' && index > at)) continue;
    for (const node of outer.lines) {
      if (set.has(node.key) || !(node.key in SETTINGS) || isDefault(node)) continue;
      const isCertain = meeting === 'always' && placeCondition(outer.place.chain).on22 === true;
      if (inherited.get(node.key)?.isCertain !== true)
        inherited.set(node.key, { node, place: outer.place, isCertain });
    }
  }
  if (inherited.size === 0) return;
  const { place, lines } = scope;
  const settings = [...inherited.keys()].map((key) => SETTINGS[key]!);
  const isAllowed =
    place.root.role !== 'htaccess' ||
    settings.every(
      ({ overrideClass }) =>
        overrideClass === undefined || allowsOverride(context, place.root, overrideClass) === true,
    );
  const isSafe = isAllowed && [...inherited.values()].every(({ isCertain }) => isCertain);
  const names = [...inherited.values()].map(({ node, place: { file } }) => {
    const { line } = file.document.positionAt(node.from);
    return `${node.name} of ${file.name}:${line}`;
  });
  const what = `2.4 inherits ${names.join(' and ')} here, where 2.2 had the default`;
  const last = lines.at(-1)!;
  context.report({
    file: place.file,
    at: lines[0]!.from,
    level: 'warning',
    safety: isSafe ? 'safe' : 'manual',
    message: isSafe
      ? what
      : `${what}: if both apply to a page, add ${settings.map(({ line }) => line).join(' and ')}`,
    edits: isSafe
      ? [
          insertAfter(
            place.file.document,
            last,
            settings.map(({ line }) => line),
          ),
        ]
      : [],
  });
}

/** Whether a line sets what 2.2 has anyway. */
function isDefault({ key, args }: Directive): boolean {
  const value = args[0]?.value ?? '';
  const { line } = SETTINGS[key]!;
  return (
    line
      .slice(line.indexOf(' ') + 1)
      .replaceAll('"', '')
      .toLowerCase() === value.toLowerCase()
  );
}
