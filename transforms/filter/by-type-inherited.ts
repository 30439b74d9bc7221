import { isConditional, type Place, placeCondition, serversOf } from '../../src/config';
import { type Edit, appendArguments, insertAfter } from '../../src/edit';
import { defineTransform, type TransformContext } from '../../src/engine';
import { type Directive, quoteWord } from '../../src/syntax';
import { allowsOverride } from '../common/allow-override';
import { containersOf, isCarriedOver, isUnknown } from '../common/lines';
import { type Meeting, meetsBefore } from '../common/meeting-sections';

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
  /** What its lines in blocks for 2.4 add there, in small letters. */
  readonly typesFor24: ReadonlySet<string>;
  readonly isCertain: boolean;
}

export default defineTransform({
  id: 'by-type-inherited',
  changes: ['F21'],
  title: 'AddOutputFilterByType in several sections',
  why: 'In 2.2, media types of an inner section are added to those that it inherits. In 2.4 the inner lines for a filter replace the outer ones, the filter runs twice if both have it, and FilterChain with ! or = drops what is inherited.',
  docs: ['mod_filter: AddOutputFilterByType', 'modules/filters/mod_filter.c: filter_merge', 'server/core.c of 2.2: merge_ct_filters'],
  directives: ['AddOutputFilterByType', 'FilterChain'],
  onlyWhenUpgrading: true,
  run(context) {
    const scopes = filterScopes(context);
    const chains = chainWords(context);
    const byFilter = new Map<string, FilterScope[]>();
    for (const scope of scopes) addTo(byFilter, scope.filter.toLowerCase(), scope);
    for (const scope of scopes)
      reportScope(context, scope, byFilter.get(scope.filter.toLowerCase())!, chains);
    context.directives(['FilterChain'], (node, place) => reportChain(context, node, place, scopes, chains));
  },
}); // prettier-ignore

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
    let id = ids.get(section);
    if (id === undefined) ids.set(section, (id = ids.size));
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

/** The words of FilterChain, by section: see {@link sectionOf}. */
type ChainWords = ReadonlyMap<unknown, readonly string[]>;

/** @param scopes those of the same filter */
function reportScope(
  context: TransformContext,
  inner: FilterScope,
  scopes: readonly FilterScope[],
  chains: ChainWords,
): void {
  const servers = serversOf(context.tree);
  const outer = scopes
    .map((scope) => ({ scope, meeting: meetsBefore(scope.place, inner.place, servers) }))
    .filter(
      ({ scope, meeting }) =>
        scope !== inner && meeting !== 'never' && (meeting === 'always' || scope.order < inner.order),
    );
  const isSure = ({ scope, meeting }: (typeof outer)[number]): boolean =>
    meeting === 'always' && scope.isCertain;
  const certain = outer.filter(isSure);
  const possible = outer.filter((each) => !isSure(each));
  const isOnce =
    APPLIES_ONCE.has(inner.filter.toLowerCase()) ||
    // With an emptied chain, nothing inherited runs beside it.
    wordsIn(chains, inner.place).some((word) => isByType(word, '-', inner.filter) || /^[!=]/.test(word));
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

type MetScope = { readonly scope: FilterScope };

function missingTypes(outer: readonly MetScope[], known: readonly string[]): ReadonlyMap<string, string> {
  const isKnown = new Set(known);
  return new Map(outer.flatMap(({ scope }) => [...scope.types]).filter(([type]) => !isKnown.has(type)));
}

/** @param unless why nothing is edited, as the end of the message */
function report(
  context: TransformContext,
  inner: FilterScope,
  outer: readonly MetScope[],
  missing: ReadonlyMap<string, string>,
  { isOnce, unless }: { readonly isOnce: boolean; readonly unless: string | undefined },
): void {
  const from = outer.map(({ scope }) => nameOf(scope)).join(' and ');
  const types = [...missing.values()].map(quoteWord).join(' ');
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
function reportChain(
  context: TransformContext,
  node: Directive,
  place: Place,
  scopes: readonly FilterScope[],
  chains: ChainWords,
): void {
  const clears = node.args.findLast(({ value }) => /^[!=]/.test(value));
  if (clears === undefined || !isCarriedOver(place)) return;
  const servers = serversOf(context.tree);
  const written = (filter: string): string => `BYTYPE:${filter}`;
  const dropped = new Map<string, { readonly scope: FilterScope; readonly meeting: Meeting }>();
  for (const scope of scopes) {
    const isHere = isSameScope(scope.place, place) && scope.line.from < node.from;
    const meeting = isHere ? 'always' : meetsBefore(scope.place, place, servers);
    if (meeting === 'never') continue;
    const key = scope.filter.toLowerCase();
    if (dropped.get(key)?.meeting !== 'always') dropped.set(key, { scope, meeting });
  }
  for (const scope of scopes)
    if (isSameScope(scope.place, place) && scope.line.from > node.from)
      dropped.delete(scope.filter.toLowerCase());
  for (const word of wordsIn(chains, place))
    for (const filter of dropped.keys()) if (isByType(word, '', filter)) dropped.delete(filter);
  if (dropped.size === 0) return;
  const all = [...dropped.values()];
  const added = `FilterChain ${all.map(({ scope }) => written(scope.filter)).join(' ')}`;
  const isCertain = all.every(({ scope, meeting }) => meeting === 'always' && scope.isCertain);
  const what = `FilterChain ${clears.value} also drops ${all.map(({ scope }) => `the ${scope.filter} of ${nameOf(scope)}`).join(' and ')} in 2.4`;
  context.report({
    file: place.file,
    at: node.from,
    level: 'warning',
    safety: isCertain ? 'safe' : 'manual',
    message: isCertain ? what : `${what}, if requests for this section meet it: add ${added} here then`,
    edits: isCertain ? [insertAfter(place.file.document, node, [added])] : [],
  });
}

function isSameScope(a: Place, b: Place): boolean {
  return sectionOf(a) === sectionOf(b);
}

/** The section that a place is in, its virtual host, or what is read as a whole. */
function sectionOf(place: Place): unknown {
  return (
    containersOf(place).at(-1)?.section ??
    place.chain.findLast(({ section }) => section.key === 'virtualhost')?.section ??
    place.root
  );
}

function chainWords(context: TransformContext): ChainWords {
  const words = new Map<unknown, string[]>();
  for (const { node, place } of context.index.directives(['FilterChain']))
    for (const { value } of node.args) addTo(words, sectionOf(place), value);
  return words;
}

function wordsIn(chains: ChainWords, place: Place): readonly string[] {
  return chains.get(sectionOf(place)) ?? [];
}

function addTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

/** Whether a word of FilterChain, after a sign, is what 2.4 calls the filter that AddOutputFilterByType adds. */
function isByType(word: string, sign: '-' | '', filter: string): boolean {
  const name = sign === '' ? word.replace(/^[+@]/, '') : word;
  return name.toLowerCase() === `${sign}BYTYPE:${filter}`.toLowerCase();
}

function nameOf({ line, place }: FilterScope): string {
  return `${place.file.name}:${place.file.document.positionAt(line.from).line}`;
}
