import { conditionUnder } from '../../src/access';
import {
  type ConfigFile,
  type ConfigTree,
  type Place,
  conditionOf,
  isConditional,
  isModuleLacked,
  placeCondition,
  serversOf,
  versionHolds,
} from '../../src/config';
import { type ResultContext, type TransformContext, type TreeIndex, defineTransform } from '../../src/engine';
import { findDirective } from '../../src/httpd/directives';
import { findModule, nameIn24, reasonModuleGone } from '../../src/httpd/modules';
import { nameOf } from '../../src/httpd/release';
import { type Directive, type Node, type Section, walk } from '../../src/syntax';
import { getOrInsert, groupBy, memo } from '../../src/maps';
import { keepsOutByItself, whatItRefuses } from '../common/keeps-out';
import { containersOf, openingsAround, scopeOf, valuesOf } from '../common/lines';
import { isServerFor24, isWrittenFor24 } from '../common/written-for';

/** Lines about access, which order-allow-deny sees to, and lines that 2.4 does not miss, such as those without effect there. */
const NOT_MISSED =
  /^(?:allow|auth[a-z]*|defaulttype|deny|ifmodule|loadmodule|namevirtualhost|order|require|satisfy|sslrequire|sslrequiressl)$/;

/** Lines with another name in 2.4. */
const NAMES_24: Readonly<Record<string, string>> = {
  __proto__: null!,
  include: 'includeoptional',
  maxclients: 'maxrequestworkers',
  maxrequestsperchild: 'maxconnectionsperchild',
};

export default defineTransform({
  id: 'block-for-22',
  changes: ['C40'],
  title: 'Blocks for 2.2 with lines that 2.4 lacks then',
  why: 'A block such as <IfModule !mod_authz_core.c> or <IfVersion < 2.4> is skipped by 2.4 as a whole. Its lines about access are usually repeated for 2.4; other lines are easily forgotten.',
  docs: ['core: <IfModule>', 'mod_version: <IfVersion>'],
  advisory: true,
  onlyWhenUpgrading: true,
  run(context) {
    const blocks = new BlocksNotRead(context, context.tree);
    context.sections(BLOCKS, (node, place) => {
      const { missed, included, skips, around } = blocks.of(node, place, true);
      const lines = missed.filter(({ key }) => !NOT_MISSED.test(key));
      if (lines.length === 0) return;
      const { line } = place.file.document.positionAt(lines[0]!.from);
      const opening = whatOpens([...lines, ...included], around);
      // What else a block for a module that is gone holds is told with its name.
      if (opening === undefined && isOfGone(node, context.tree)) return;
      context.report({
        file: place.file,
        at: node.open.from,
        level: opening === undefined ? 'warning' : 'error',
        ...(opening !== undefined && { changesAccess: true }),
        message: `${skips}${namesOf(lines)} (from line ${line})${opening ?? ''}: ${REMEDY}`,
      });
    });
  },
  runOnResult(context) {
    const blocks = new BlocksNotRead(context, context.result);
    const failing = new Set<object>();
    context.resultIndex.visitSections(BLOCKS, (node, place) => {
      const { missed, skips, around } = blocks.of(node, place);
      // Where the AuthType is skipped too, what that comes to is told with the other lines about access.
      if (missed.some(({ key }) => key === 'authtype')) return;
      const lines = missed.filter((line) => OF_USERS.test(line.key) && !isDefault(line, context));
      const asks = lines.length > 0 ? blocks.requireFor24(around) : undefined;
      if (asks === undefined) return;
      failing.add(scopeOf(place));
      context.report({
        ...context.origin(place.file, node.open.from),
        level: 'error',
        changesAccess: true,
        message: `${skips}${namesOf(lines)}, which Require ${asks.rest.trim()} beside it needs: 2.4 goes by what a section above says, or answers 500 there. ${REMEDY[0]!.toUpperCase()}${REMEDY.slice(1)}`,
      });
    });
    reportOtherLists(context, failing);
  },
});

/**
 * How others get in where 2.4 skips these lines; undefined where none of them says who does.
 * @param around what they and their block stand in
 */
function whatOpens(lines: readonly Directive[], around: readonly Node[]): string | undefined {
  const refusing = lines.filter(
    (line) => keepsOutByItself(line) || (isEngineOn(line) && directivesIn(around).some(isRefusingRule)),
  );
  if (refusing.length > 0) return `, so that it lets in whom ${namesOf(refusing)} kept out`;
  if (lines.some(({ key }) => key.startsWith('anonymous'))) return `, so that others may log in`;
  const overrides = lines.filter(({ key }) => key.startsWith('allowoverride'));
  if (overrides.length === 0) return undefined;
  return `, so that it goes by other .htaccess files than 2.2, or by other lines of them`;
}

const isEngineOn = ({ key, args }: Directive): boolean =>
  key === 'rewriteengine' && args[0]?.value.toLowerCase() === 'on';
const isRefusingRule = (line: Directive): boolean => line.key === 'rewriterule' && keepsOutByItself(line);

/**
 * Tells where 2.4 looks users or groups up elsewhere than 2.2: others may log in.
 * @param failing the sections of which it is told that nobody can log in
 */
function reportOtherLists(context: ResultContext, failing: ReadonlySet<object>): void {
  const servers = serversOf(context.result);
  const lines = context.resultIndex.directives(LISTS).filter(({ place }) => !failing.has(scopeOf(place)));
  const nameOfList = ({ node, place }: (typeof lines)[number]): string =>
    `${node.key} ${openingsAround(place)}`;
  for (const ofServer of groupBy(lines, ({ place }) => servers.of(place)).values())
    for (const ofList of groupBy(ofServer, nameOfList).values()) reportOtherList(context, ofList);
}

/** @param lines of one name, in sections of one server that open with the same words: httpd merges these, and the last counts */
function reportOtherList(context: ResultContext, lines: ReturnType<TreeIndex['directives']>): void {
  const { defines } = context.result;
  const [was, is] = READERS.map((reader) =>
    lines.findLast(({ place }) => isReadBy(reader, place.chain, defines)),
  );
  const line = was ?? is;
  const isName = line?.node.key === 'authname';
  if (line === undefined || (was && is && (isName || valuesOf(was.node) === valuesOf(is.node)))) return;
  if (isName && (was === undefined || !mayAskForUsers(context, was.place))) return;
  const { node, place } = line;
  const other = was === undefined ? 'before' : 'after';
  if (
    !(was && is) &&
    (isDefault(node, context) || !hasSection(context, other, place)) &&
    !isSaidOtherwise(line, other, context)
  )
    return;
  const level = is === undefined ? 'error' : 'warning';
  const [before, after] = [was, is].map((said) => said?.node.rest ?? 'not set here');
  const outcome = isName
    ? 'answers 500 where a password is asked for'
    : 'looks up elsewhere who logs in: others may get in';
  context.report({
    ...context.origin(place.file, node.from),
    level: isServerFor24(context) || isWrittenFor24(context, place) ? 'info' : level,
    changesAccess: true,
    message: `${node.name} is ${before} for 2.2, and ${after} for 2.4, which ${outcome}. Say the same for both`,
  });
}

/** Whether 2.4 may ask for users where a section has a say: by its own Require lines, or by those of others if it has none. */
function mayAskForUsers(context: ResultContext, place: Place): boolean {
  const { all, byScope } = requiresFor24(context);
  return (byScope.get(scopeOf(place)) ?? all).some(({ node }) => asksForUsers(node));
}

const requiresFor24 = memo(({ result, resultIndex }: ResultContext) => {
  const read = ({ place }: ReadLine): boolean => isReadBy('after', place.chain, result.defines);
  const all = resultIndex.directives(['Require']).filter(read);
  return { all, byScope: groupBy(all, ({ place }) => scopeOf(place)) };
});

type ReadLine = ReturnType<TreeIndex['directives']>[number];

/** 2.2 reads the configuration before, and 2.4 after. */
const READERS = ['before', 'after'] as const;
type ReadAs = (typeof READERS)[number];

/** Whether a version may read what stands in all of these sections. */
function isReadBy(reader: ReadAs, chain: Place['chain'], defines: ConfigTree['defines']): boolean {
  return chain.every(({ section }) => conditionUnder(section, defines, '2.2')[reader] !== false);
}

/** Whether a version reads a section of the same server that opens as the one around a line does; any reads a whole file. */
function hasSection({ result, resultIndex }: ResultContext, reader: ReadAs, place: Place): boolean {
  const around = containersOf(place).at(-1);
  if (around === undefined) return true;
  if (isReadBy(reader, place.chain.slice(0, place.chain.indexOf(around)), result.defines)) return true;
  const servers = serversOf(result);
  return resultIndex.someSection([around.section.key], (section, at) => {
    const inside = { ...at, chain: [...at.chain, { ...around, section }] };
    return (
      isReadBy(reader, inside.chain, result.defines) &&
      openingsAround(inside) === openingsAround(place) &&
      servers.of(at) === servers.of(place)
    );
  });
}

/** Whether a version that does not read this line reads another list where the section stands in. */
function isSaidOtherwise(
  { node, place }: ReadLine,
  reader: ReadAs,
  { result, resultIndex }: ResultContext,
): boolean {
  const around = containersOf(place).map(({ section }) => section);
  return resultIndex.directives([node.key]).some((other) => {
    const outer = containersOf(other.place);
    return (
      other.place.file === place.file &&
      outer.length < around.length &&
      outer.every(({ section }, i) => section === around[i]) &&
      valuesOf(other.node) !== valuesOf(node) &&
      isReadBy(reader, other.place.chain, result.defines)
    );
  });
}

/** Whether a line says what holds without it: where no other is named in the run, both versions ask the provider `file`. */
function isDefault({ key, args }: Directive, { resultIndex }: ResultContext): boolean {
  const isFile = (words: Directive['args']): boolean =>
    words.length === 1 && words[0]!.value.toLowerCase() === 'file';
  const isProvider = key === 'authbasicprovider' || key === 'authdigestprovider';
  return isProvider && isFile(args) && !resultIndex.someDirective([key], (line) => !isFile(line.args));
}

const BLOCKS = ['ifmodule', 'ifversion'];
const REMEDY = 'move what 2.4 is to have out of the block, or repeat it in a block for 2.4';

/** What a Require for users needs beside AuthType: without a name or a list of passwords nobody can log in. */
const OF_USERS = /^auth(?:name|userfile|dbmuserfile|basicprovider|digestprovider)$/;

/** What says in which lists users and groups are looked up, and by which modules, or without which none is asked for. */
const LISTS = [
  'authname',
  'authuserfile',
  'authgroupfile',
  'authdbmuserfile',
  'authdbmgroupfile',
  'authbasicprovider',
  'authdigestprovider',
  'authldapurl',
];

/** Containers whose lines are those of the section around them. */
const SAME_SECTION = /^(?:if(?:define|module|version)|limit(?:except)?|require(?:all|any))$/;

/** What 2.4 lacks of the blocks for 2.2 that it skips. */
class BlocksNotRead {
  readonly #kept = new Map<readonly Node[], ReadonlySet<string>>();

  constructor(
    private readonly context: TransformContext,
    private readonly tree: ConfigTree,
  ) {}

  /**
   * The lines that nothing beside a block repeats for 2.4; none where it does not skip the block.
   * @param ofGone whether blocks for modules that 2.4 does not have are meant, too
   */
  of(
    node: Section,
    { chain, file }: Place,
    ofGone = false,
  ): {
    missed: readonly Directive[];
    /** What files say that the block includes. */
    included: readonly Directive[];
    skips: string;
    around: readonly Node[];
  } {
    const { on22, on24 } = conditionOf(node, this.tree.defines);
    const around = chain.at(-1)?.section.body ?? file.document.body;
    const skips = `${on24 === undefined ? nameOf(this.context.target) : '2.4'} skips this block, and with it `;
    const isOfLack =
      node.key !== 'ifmodule' ||
      node.args[0]?.value.startsWith('!') === true ||
      (ofGone && isOfGone(node, this.tree));
    const isRead =
      !this.#isSkipped(node) || on22 === false || placeCondition(chain).on24 === false || !isOfLack;
    if (isRead) return { missed: [], included: [], skips, around };
    const kept = getOrInsert(this.#kept, around, () =>
      keysFor24(around, (section) => this.#isSkipped(section), this.tree.includes),
    );
    const isMissed = (line: Directive): boolean => isKnown(line.key) && !kept.has(whatItSets(line));
    const missedIn = (line: Directive): readonly Directive[] =>
      [...filesOf([line], this.tree.includes)].flatMap(({ document }) =>
        [...directivesIn(document.body)].filter(isMissed),
      );
    // An Include beside the block may name another file.
    const missed = [...directivesIn(node.body)].filter(
      (line) => isMissed(line) || whatOpens(missedIn(line), around) !== undefined,
    );
    return { missed, included: missed.flatMap(missedIn), skips, around };
  }

  /** The first line of a body that asks for users in 2.4. */
  requireFor24(body: readonly Node[]): Directive | undefined {
    for (const node of body) {
      const found =
        node.kind === 'section' && SAME_SECTION.test(node.key) && !this.#isSkipped(node)
          ? this.requireFor24(node.body)
          : node.kind === 'directive' && asksForUsers(node)
            ? node
            : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #isSkipped(node: Section): boolean {
    return (conditionOf(node, this.tree.defines).on24 ?? versionHolds(node, this.context.target)) === false;
  }
}

function asksForUsers({ key, args }: Directive): boolean {
  return key === 'require' && /^(?:valid-user|user|group)$/i.test(args[0]?.value ?? '');
}

function namesOf(lines: readonly Directive[]): string {
  return listOf([...new Set(lines.map(({ name }) => name))]);
}

/** Lines that say something of what their first word names, so that another such line does not stand for them. */
const ABOUT_FIRST_WORD =
  /^(?:(?:script)?alias|(?:script)?aliasmatch|browsermatch(?:nocase)?|errordocument|expiresbytype|proxypass|proxypassmatch|proxypassreverse|redirect|redirectmatch|rewritemap|rewriterule|setenv|userdir)$/;

/** Lines about the header that they name behind what is done with it. */
const ABOUT_HEADER = /^(?:header|requestheader)$/;

/** What a line sets: its name in 2.4, and for some the path, header or other thing that it is about. */
function whatItSets(line: Directive): string {
  const { key, args } = line;
  const words = args.map(({ value }) => value);
  if (keepsOutByItself(line)) return whatItRefuses(line);
  if (key === 'require') return COUNTERPARTS[words[0]?.toLowerCase() ?? ''] ?? key;
  if (ABOUT_FIRST_WORD.test(key)) return `${key} ${words[0] ?? ''}`;
  if (!ABOUT_HEADER.test(key)) return NAMES_24[key] ?? key;
  const [, name = ''] = /^(?:always|onsuccess)$/i.test(words[0] ?? '') ? words.slice(1) : words;
  return `${key} ${name.replace(/:$/, '').toLowerCase()}`;
}

/** What a Require of 2.4 says in place of a line of 2.2. */
const COUNTERPARTS: Readonly<Record<string, string>> = {
  __proto__: null!,
  ssl: 'sslrequiressl refuses',
  'ssl-verify-client': 'sslverifyclient refuses',
  expr: 'sslrequire refuses',
};

/** What is set by the lines beside blocks for 2.2 that 2.4 reads, also those in conditionals there and in included files. */
function keysFor24(
  body: readonly Node[],
  isSkipped: (node: Section) => boolean,
  includes: ConfigTree['includes'],
): ReadonlySet<string> {
  const keys = new Set<string>();
  const entered = new Set<ConfigFile>();
  const add = (nodes: readonly Node[]): void => {
    const read = nodes.filter((node) => node.kind !== 'section' || (isConditional(node) && !isSkipped(node)));
    for (const line of directivesIn(read)) {
      keys.add(whatItSets(line));
      for (const file of includes.get(line) ?? []) {
        if (entered.has(file)) continue;
        entered.add(file);
        add(file.document.body);
      }
    }
  };
  add(body);
  return keys;
}

/** The files that lines include, and those that these include. */
function filesOf(
  lines: readonly Directive[],
  includes: ConfigTree['includes'],
  found = new Set<ConfigFile>(),
): ReadonlySet<ConfigFile> {
  for (const file of lines.flatMap((line) => [...(includes.get(line) ?? [])])) {
    if (found.has(file)) continue;
    found.add(file);
    filesOf([...directivesIn(file.document.body)], includes, found);
  }
  return found;
}

/** Whether a block asks for a module of 2.2 that 2.4 does not have, and that something loads. */
function isOfGone(node: Section, tree: ConfigTree): boolean {
  const name = node.key === 'ifmodule' ? (node.args[0]?.value ?? '') : '';
  const module = findModule(name);
  return (
    module !== undefined &&
    nameIn24(name) === name &&
    reasonModuleGone(module.identifier) !== undefined &&
    !isModuleLacked(tree, module.identifier)
  );
}

function directivesIn(body: readonly Node[]): readonly Directive[] {
  return [...walk(body)].flatMap(([node]) => (node.kind === 'directive' ? node : []));
}

const isKnown = (key: string): boolean => (findDirective(key)?.owners24.length ?? 1) > 0;

function listOf(names: readonly string[]): string {
  if (names.length > 4) return `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`;
  return names.length === 1 ? names[0]! : `${names.slice(0, -1).join(', ')} and ${names.at(-1)!}`;
}
