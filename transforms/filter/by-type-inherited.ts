import { isConditional, type Place, placeCondition, serversOf } from '../../src/config';
import { type Edit, appendArguments, insertAfter } from '../../src/edit';
import { defineTransform, type TransformContext } from '../../src/engine';
import { type Directive, quoteWord } from '../../src/syntax';
import { allowsOverride } from '../common/allow-override';
import { containersOf, isCarriedOver, isUnknown } from '../common/lines';
import { type Meeting, PlacesMet } from '../common/meeting-sections';
import { addTo, getOrInsert } from '../../src/maps';

/** Filters that leave what they have been applied to alone, so that it does no harm if 2.4 inserts them twice. */
const APPLIES_ONCE = new Set(['deflate', 'inflate', 'includes', 'brotli_compress']);

/** The lines of one section or level that add one filter. */
interface FilterScope {
  readonly filter: string;
  /** How many were read before it. */
  readonly order: number;
  readonly place: Place;
  /** The first of them that adds this filter alone, or the last. */
  line: Directive;
  readonly types: Map<string, string>;
  /** The types for which lines in blocks for 2.4 add the filter there, in small letters. */
  readonly typesFor24: ReadonlySet<string>;
  readonly isCertain: boolean;
}

/** The lines about filters of a whole run. */
interface FilterLines {
  readonly scopes: readonly FilterScope[];
  /** By section: see {@link sectionOf}. */
  readonly inSection: ReadonlyMap<unknown, readonly FilterScope[]>;
  readonly places: PlacesMet<FilterScope>;
  /** The places by the name of one filter, in small letters. */
  readonly ofFilter: ReadonlyMap<string, PlacesMet<FilterScope>>;
  /** The words of FilterChain, by section. */
  readonly chains: ReadonlyMap<unknown, readonly string[]>;
}

export default defineTransform({
  id: 'by-type-inherited',
  changes: ['F21'],
  title: 'AddOutputFilterByType in several sections',
  why: 'In 2.2, media types of an inner section are added to those that it inherits. In 2.4 the inner lines for a filter replace the outer ones, the filter runs twice if both have it, and FilterChain with ! or = drops what is inherited.',
  docs: [
    'mod_filter: AddOutputFilterByType',
    'modules/filters/mod_filter.c: filter_merge',
    'server/core.c of 2.2: merge_ct_filters',
  ],
  directives: ['AddOutputFilterByType', 'FilterChain'],
  onlyWhenUpgrading: true,
  run(context) {
    const all = filterLines(context);
    for (const scope of all.scopes) reportScope(context, scope, all);
    context.directives(['FilterChain'], (node, place) => reportChain(context, node, place, all));
  },
});

function filterLines(context: TransformContext): FilterLines {
  const scopes = filterScopes(context);
  const servers = serversOf(context.tree);
  const placesOf = (some: readonly FilterScope[]): PlacesMet<FilterScope> =>
    new PlacesMet(some, ({ place }) => place, servers);
  const byFilter = new Map<string, FilterScope[]>();
  const inSection = new Map<unknown, FilterScope[]>();
  for (const scope of scopes) {
    addTo(byFilter, scope.filter.toLowerCase(), scope);
    addTo(inSection, sectionOf(scope.place), scope);
  }
  const chains = new Map<unknown, string[]>();
  for (const { node, place } of context.index.directives(['FilterChain']))
    for (const { value } of node.args) addTo(chains, sectionOf(place), value);
  return {
    scopes,
    inSection,
    places: placesOf(scopes),
    ofFilter: new Map([...byFilter].map(([filter, some]) => [filter, placesOf(some)])),
    chains,
  };
}

function filterScopes(context: TransformContext): readonly FilterScope[] {
  const scopes = new Map<string, FilterScope>();
  const ids = new Map<unknown, number>();
  const for24 = new Map<string, Set<string>>();
  const servers = serversOf(context.tree);
  context.directives(['AddOutputFilterByType'], (node, place) => {
    const [name, ...types] = node.args.map(({ value }) => value);
    const { on22, on24 } = placeCondition(place.chain);
    if (name === undefined || isUnknown(node.rest) || on24 === false) return;
    const section = containersOf(place).at(-1)?.section ?? servers.of(place).section ?? servers.of(place);
    const id = getOrInsert(ids, section, () => ids.size);
    const filters = name.split(';').filter((filter) => filter !== '');
    for (const filter of filters) {
      const key = `${id} ${filter.toLowerCase()}`;
      const typesFor24 = for24.get(key) ?? new Set();
      for24.set(key, typesFor24);
      if (on22 === false) {
        for (const type of types) typesFor24.add(type.toLowerCase());
        continue;
      }
      const scope = scopes.get(key) ?? {
        filter,
        order: scopes.size,
        place,
        line: node,
        types: new Map<string, string>(),
        typesFor24,
        isCertain: on22 === true || isForModules(place),
      };
      scopes.set(key, scope);
      if (filters.length === 1 && scope.line.args[0]?.value.includes(';')) scope.line = node;
      for (const type of types) scope.types.set(type.toLowerCase(), type);
    }
  });
  return [...scopes.values()];
}

/** Whether only `<IfModule>` stands around a line: where its modules are missing, nothing is filtered. */
function isForModules({ chain }: Place): boolean {
  return chain.every(
    ({ section }) =>
      !isConditional(section) ||
      (section.key === 'ifmodule' && section.args[0]?.value.startsWith('!') === false),
  );
}

function reportScope(context: TransformContext, inner: FilterScope, all: FilterLines): void {
  const outer = all.ofFilter
    .get(inner.filter.toLowerCase())!
    .before(inner.place)
    .filter(({ item, meeting }) => item !== inner && (meeting === 'always' || item.order < inner.order));
  const isSure = ({ item, meeting }: (typeof outer)[number]): boolean =>
    meeting === 'always' && item.isCertain;
  const certain = outer.filter(isSure).map(({ item }) => item);
  const possible = outer.filter((each) => !isSure(each)).map(({ item }) => item);
  const isOnce =
    APPLIES_ONCE.has(inner.filter.toLowerCase()) ||
    // With an emptied chain, nothing inherited runs beside it.
    wordsIn(all, inner.place).some((word) => isByType(word, '-', inner.filter) || /^[!=]/.test(word));
  const missing = missingTypes(certain, [...inner.types.keys(), ...inner.typesFor24]);
  if (certain.length > 0 && (missing.size > 0 || !isOnce)) {
    const needsOptions = !isOnce && inner.place.root.role === 'htaccess';
    const isAllowed = !needsOptions || allowsOverride(context, inner.place.root, 'options') === true;
    report(context, inner, certain, missing, {
      isOnce,
      unless: isAllowed ? undefined : ' and include Options in AllowOverride',
    });
  }
  const more = missingTypes(possible, [...inner.types.keys(), ...inner.typesFor24, ...missing.keys()]);
  if (possible.length > 0 && (more.size > 0 || (!isOnce && certain.length === 0)))
    report(context, inner, possible, more, {
      isOnce: isOnce || certain.length > 0,
      unless: ` if requests for this section meet ${possible.length > 1 ? 'those lines' : 'that line'} too`,
    });
}

function missingTypes(outer: readonly FilterScope[], known: readonly string[]): ReadonlyMap<string, string> {
  const isKnown = new Set(known);
  const missing = new Map<string, string>();
  for (const { types } of outer)
    for (const [type, text] of types) if (!isKnown.has(type)) missing.set(type, text);
  return missing;
}

/** @param unless why nothing is edited, as the end of the message */
function report(
  context: TransformContext,
  inner: FilterScope,
  outer: readonly FilterScope[],
  missing: ReadonlyMap<string, string>,
  { isOnce, unless }: { readonly isOnce: boolean; readonly unless: string | undefined },
): void {
  const from = shownOf(outer.map(nameOf), MOST_LINES, ' and ');
  const types = shownOf([...missing.values()].map(quoteWord), MOST_TYPES, ' ');
  const chain = isOnce ? undefined : `FilterChain -BYTYPE:${inner.filter}`;
  const added = [
    ...(types === '' ? [] : [`AddOutputFilterByType ${inner.filter} ${types}`]),
    ...(chain === undefined ? [] : [chain]),
  ];
  const what = [
    ...(types === ''
      ? []
      : [
          `no longer adds ${inner.filter} for ${types} here, which ${from} ${outer.length > 1 ? 'set' : 'sets'}`,
        ]),
    ...(isOnce ? [] : [`runs ${inner.filter} twice, for this line and ${from}`]),
  ].join(', and ');
  context.report({
    file: inner.place.file,
    at: inner.line.from,
    level: 'warning',
    safety: unless === undefined ? 'safe' : 'manual',
    message: `2.4 ${what}, where 2.2 added up the lines of all sections${unless === undefined ? '' : `: add ${added.join(' and ')}${unless}`}`,
    edits: unless === undefined ? typeEdits(inner, [...missing.values()], chain) : [],
  });
}

/** More lines, or types, than these are not named in a message: each section may have as many to name as there are sections. */
const MOST_LINES = 20;
const MOST_TYPES = 100;

function shownOf(names: readonly string[], most: number, between: string): string {
  const shown = names.slice(0, most).join(between);
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}

/** Adds types to the line of a scope, or a line of their own where that line has other filters too; and then a line after it. */
function typeEdits(
  { filter, line, place }: FilterScope,
  types: readonly string[],
  chain: string | undefined,
): readonly Edit[] {
  const { document } = place.file;
  const isAlone = line.args[0]?.value.toLowerCase() === filter.toLowerCase();
  const lines = [
    ...(types.length > 0 && !isAlone
      ? [`AddOutputFilterByType ${filter} ${types.map(quoteWord).join(' ')}`]
      : []),
    ...(chain === undefined ? [] : [chain]),
  ];
  return [
    ...(types.length > 0 && isAlone ? [appendArguments(document, line, types)] : []),
    ...(lines.length > 0 ? [insertAfter(document, line, lines)] : []),
  ];
}

/** A FilterChain that clears the chain takes away what 2.2 did not have in it. */
function reportChain(context: TransformContext, node: Directive, place: Place, all: FilterLines): void {
  const clears = node.args.findLast(({ value }) => /^[!=]/.test(value));
  if (clears === undefined || !isCarriedOver(place)) return;
  const written = (filter: string): string => `BYTYPE:${filter}`;
  const dropped = new Map<string, { readonly scope: FilterScope; readonly meeting: Meeting }>();
  const here = all.inSection.get(sectionOf(place)) ?? [];
  const met = new Map(all.places.before(place).map(({ item, meeting }) => [item, meeting]));
  for (const scope of here) if (scope.line.from < node.from) met.set(scope, 'always');
  for (const [scope, meeting] of [...met].sort(([a], [b]) => a.order - b.order)) {
    const key = scope.filter.toLowerCase();
    if (dropped.get(key)?.meeting !== 'always') dropped.set(key, { scope, meeting });
  }
  for (const scope of here) if (scope.line.from > node.from) dropped.delete(scope.filter.toLowerCase());
  for (const word of wordsIn(all, place))
    for (const filter of dropped.keys()) if (isByType(word, '', filter)) dropped.delete(filter);
  if (dropped.size === 0) return;
  const found = [...dropped.values()];
  const added = `FilterChain ${found.map(({ scope }) => written(scope.filter)).join(' ')}`;
  const isCertain = found.every(({ scope, meeting }) => meeting === 'always' && scope.isCertain);
  const what = `FilterChain ${clears.value} also drops ${found.map(({ scope }) => `the ${scope.filter} of ${nameOf(scope)}`).join(' and ')} in 2.4`;
  context.report({
    file: place.file,
    at: node.from,
    level: 'warning',
    safety: isCertain ? 'safe' : 'manual',
    message: isCertain ? what : `${what}, if requests for this section meet it: add ${added} here then`,
    edits: isCertain ? [insertAfter(place.file.document, node, [added])] : [],
  });
}

/** The section that a place is in, its virtual host, or what is read as a whole. */
function sectionOf(place: Place): unknown {
  return (
    containersOf(place).at(-1)?.section ??
    place.chain.findLast(({ section }) => section.key === 'virtualhost')?.section ??
    place.root
  );
}

function wordsIn({ chains }: FilterLines, place: Place): readonly string[] {
  return chains.get(sectionOf(place)) ?? [];
}

/** Whether a word of FilterChain, after a sign, is what 2.4 calls the filter that AddOutputFilterByType adds. */
function isByType(word: string, sign: '-' | '', filter: string): boolean {
  const name = sign === '' ? word.replace(/^[+@]/, '') : word;
  return name.toLowerCase() === `${sign}BYTYPE:${filter}`.toLowerCase();
}

function nameOf({ line, place }: FilterScope): string {
  return `${place.file.name}:${place.file.document.positionAt(line.from).line}`;
}
