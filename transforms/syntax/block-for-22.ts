import { conditionUnder } from '../../src/access';
import {
  type ConfigFile,
  type ConfigTree,
  type Place,
  conditionOf,
  isConditional,
  placeCondition,
  versionHolds,
} from '../../src/config';
import { type ResultContext, type TransformContext, defineTransform } from '../../src/engine';
import { findDirective } from '../../src/httpd/directives';
import { nameOf } from '../../src/httpd/release';
import type { Directive, Node, Section } from '../../src/syntax';
import { getOrInsert, groupBy } from '../../src/maps';
import { isServerFor24, isWrittenFor24 } from '../common/written-for';

/** Lines about access, which order-allow-deny sees to, and lines that 2.4 does not miss. */
const NOT_MISSED = /^(?:allow|auth[a-z]*|deny|ifmodule|loadmodule|namevirtualhost|order|require|satisfy)$/;

/** Lines with another name in 2.4. */
const NAMES_24: Readonly<Record<string, string>> = {
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
      const { missed, skips } = blocks.of(node, place);
      const lines = missed.filter(({ key }) => !NOT_MISSED.test(key));
      if (lines.length === 0) return;
      const { line } = place.file.document.positionAt(lines[0]!.from);
      context.report({
        file: place.file,
        at: node.open.from,
        level: 'warning',
        message: `${skips}${namesOf(lines)} (from line ${line}): ${REMEDY}`,
      });
    });
  },
  runOnResult(context) {
    const blocks = new BlocksNotRead(context, context.result);
    const told = new Set<readonly Node[]>();
    context.resultIndex.visitSections(
      BLOCKS.map((name) => name.toLowerCase()),
      (node, place) => {
        const { missed, skips, around } = blocks.of(node, place);
        // Where the AuthType is skipped too, what that comes to is told with the other lines about access.
        const lines = missed.some(({ key }) => key === 'authtype')
          ? []
          : missed.filter((line) => OF_USERS.test(line.key) && !isDefault(line, context));
        const asks = lines.length > 0 ? blocks.requireFor24(around) : undefined;
        if (asks === undefined) {
          // What stands around such a block in the same section is asked with that.
          const isInner = SAME_SECTION.test(place.chain.at(-1)?.section.key ?? '');
          if (!isInner && !told.has(around)) reportOtherLists(context, around, place);
          told.add(around);
          return;
        }
        told.add(around);
        const given = context.origin(place.file, node.open.from);
        context.report({
          ...given,
          level: 'error',
          message: `${skips}${namesOf(lines)}, which Require ${asks.rest.trim()} beside it needs: 2.4 goes by what a section above says, or answers 500 there. ${REMEDY[0]!.toUpperCase()}${REMEDY.slice(1)}`,
        });
      },
    );
  },
});

/** A line or a section, and the file that it stands in. */
interface ReadNode {
  readonly node: Node;
  readonly file: ConfigFile;
}

type ReadAs = 'before' | 'after';

/** Tells where 2.4 looks users or groups up elsewhere than 2.2: others may log in. */
function reportOtherLists(context: ResultContext, around: readonly Node[], place: Place): void {
  const { on22, on24 } = placeCondition(place.chain);
  if (on22 === false || on24 === false) return;
  const read = (version: ReadAs): readonly ReadNode[] => [
    ...nodesFor(version, around, place.file, context.result),
  ];
  const [for22, for24] = [read('before'), read('after')];
  compareLists(context, for22, for24, place);
  const others = sectionsOf(for24);
  for (const [opening, sections] of sectionsOf(for22)) {
    const inTheir = others.get(opening) ?? [];
    const isSame =
      sections.length === inTheir.length && sections.every(({ node }, i) => inTheir[i]!.node === node);
    if (isSame || inTheir.length === 0) continue;
    const linesOf = (version: ReadAs, list: readonly ReadNode[]): readonly ReadNode[] =>
      list.flatMap(({ node, file }) =>
        node.kind === 'section' ? [...nodesFor(version, node.body, file, context.result)] : [],
      );
    compareLists(context, linesOf('before', sections), linesOf('after', inTheir), place);
  }
}

/** @param for22 what 2.2 reads as one section, and `for24` 2.4 */
function compareLists(
  context: ResultContext,
  for22: readonly ReadNode[],
  for24: readonly ReadNode[],
  place: Place,
): void {
  const [in22, in24] = [listsIn(for22), listsIn(for24)];
  for (const key of new Set([...in22.keys(), ...in24.keys()])) {
    const [was, is] = [in22.get(key), in24.get(key)];
    const at = was ?? is;
    if (at === undefined || (was && is && wordsOf(was.node) === wordsOf(is.node))) continue;
    if (!(was && is) && isDefault(at.node, context)) continue;
    const isOf24 = isServerFor24(context) || isWrittenFor24(context, place);
    const level = is === undefined ? 'error' : 'warning';
    const [before, after] = [was, is].map((line) => line?.node.rest ?? 'not set here');
    context.report({
      ...context.origin(at.file, at.node.from),
      level: isOf24 ? 'info' : level,
      message: `${at.node.name} is ${before} for 2.2, and ${after} for 2.4, which looks up elsewhere who logs in: others may get in. Say the same for both`,
    });
  }
}

/** The last line of each name that says in which lists users and groups are looked up. */
function listsIn(parts: readonly ReadNode[]): ReadonlyMap<string, ReadNode & { readonly node: Directive }> {
  const found = new Map<string, ReadNode & { readonly node: Directive }>();
  for (const { node, file } of parts)
    if (node.kind === 'directive' && LISTS.test(node.key)) found.set(node.key, { node, file });
  return found;
}

/** Sections by how they open: httpd merges those that open with the same words. */
function sectionsOf(parts: readonly ReadNode[]): ReadonlyMap<string, readonly ReadNode[]> {
  return groupBy(
    parts.filter(({ node }) => node.kind === 'section'),
    ({ node }) =>
      node.kind === 'section' ? `${node.key} ${node.args.map(({ value }) => value).join(' ')}` : '',
  );
}

/** What a version reads of a body, with what stands in blocks for it and in included files. */
function* nodesFor(
  version: ReadAs,
  body: readonly Node[],
  file: ConfigFile,
  tree: ConfigTree,
  entered: Set<ConfigFile> = new Set(),
): Generator<ReadNode> {
  for (const node of body)
    if (node.kind === 'section' && SAME_SECTION.test(node.key)) {
      if (conditionUnder(node, tree.defines, '2.2')[version] !== false)
        yield* nodesFor(version, node.body, file, tree, entered);
    } else {
      yield { node, file };
      if (node.kind !== 'directive') continue;
      for (const target of tree.includes.get(node) ?? []) {
        if (entered.has(target)) continue;
        entered.add(target);
        yield* nodesFor(version, target.document.body, target, tree, entered);
      }
    }
}

const wordsOf = ({ args }: Directive): string => args.map(({ value }) => value).join(' ');

/** Whether a line says what holds without it: where no other is named in the run, both versions ask the provider `file`. */
function isDefault({ key, args }: Directive, { resultIndex }: ResultContext): boolean {
  const isFile = (words: Directive['args']): boolean =>
    words.length === 1 && words[0]!.value.toLowerCase() === 'file';
  const names = ['AuthBasicProvider', 'AuthDigestProvider'].filter((name) => name.toLowerCase() === key);
  return names.length > 0 && isFile(args) && !resultIndex.someDirective(names, (line) => !isFile(line.args));
}

const BLOCKS = ['IfModule', 'IfVersion'];
const REMEDY = 'move what 2.4 is to have out of the block, or repeat it in a block for 2.4';

/** What a Require for users needs beside AuthType: without a name or a list of passwords nobody can log in. */
const OF_USERS = /^auth(?:name|userfile|dbmuserfile|basicprovider|digestprovider)$/;

/** What says in which lists users and groups are looked up, and by which modules. */
const LISTS = /^auth(?:(?:dbm)?(?:user|group)file|(?:basic|digest)provider|ldapurl)$/;

/** Containers whose lines are those of the section around them. */
const SAME_SECTION = /^(?:if(?:define|module|version)|limit(?:except)?|require(?:all|any))$/;

/** What 2.4 lacks of the blocks for 2.2 that it skips. */
class BlocksNotRead {
  readonly #kept = new Map<readonly Node[], ReadonlySet<string>>();

  constructor(
    private readonly context: TransformContext,
    private readonly tree: ConfigTree,
  ) {}

  /** The lines that nothing beside a block repeats for 2.4; none where it does not skip the block. */
  of(
    node: Section,
    { chain, file }: Place,
  ): { missed: readonly Directive[]; skips: string; around: readonly Node[] } {
    const { on22, on24 } = conditionOf(node, this.tree.defines);
    const around = chain.at(-1)?.section.body ?? file.document.body;
    const skips = `${on24 === undefined ? nameOf(this.context.target) : '2.4'} skips this block, and with it `;
    const isOfLack = node.key !== 'ifmodule' || node.args[0]?.value.startsWith('!') === true;
    const isRead =
      !this.#isSkipped(node) || on22 === false || placeCondition(chain).on24 === false || !isOfLack;
    if (isRead) return { missed: [], skips, around };
    const kept = getOrInsert(this.#kept, around, () =>
      keysFor24(around, (section) => this.#isSkipped(section), this.tree.includes),
    );
    const missed = [...directivesIn(node.body)].filter(
      (line) => isKnown(line.key) && !kept.has(whatItSets(line)),
    );
    return { missed, skips, around };
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
function whatItSets({ key, args }: Directive): string {
  const words = args.map(({ value }) => value);
  if (ABOUT_FIRST_WORD.test(key)) return `${key} ${words[0] ?? ''}`;
  if (!ABOUT_HEADER.test(key)) return NAMES_24[key] ?? key;
  const [, name = ''] = /^(?:always|onsuccess)$/i.test(words[0] ?? '') ? words.slice(1) : words;
  return `${key} ${name.replace(/:$/, '').toLowerCase()}`;
}

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

function* directivesIn(body: readonly Node[]): Generator<Directive> {
  for (const node of body) {
    if (node.kind === 'directive') yield node;
    else if (node.kind === 'section') yield* directivesIn(node.body);
  }
}

const isKnown = (key: string): boolean => (findDirective(key)?.owners24.length ?? 1) > 0;

function listOf(names: readonly string[]): string {
  if (names.length > 4) return `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`;
  return names.length === 1 ? names[0]! : `${names.slice(0, -1).join(', ')} and ${names.at(-1)!}`;
}
