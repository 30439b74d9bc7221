import { conditionUnder } from '../../src/access';
import { type Place, conditionOf, isConditional, placeCondition, versionHolds } from '../../src/config';
import { type ResultContext, type TransformContext, defineTransform } from '../../src/engine';
import { findDirective } from '../../src/httpd/directives';
import { nameOf } from '../../src/httpd/release';
import type { Directive, Node, Section } from '../../src/syntax';
import { getOrInsert } from '../../src/maps';
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
    const blocks = new BlocksNotRead(context);
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
    const blocks = new BlocksNotRead(context);
    const told = new Set<readonly Node[]>();
    context.resultIndex.visitSections(
      BLOCKS.map((name) => name.toLowerCase()),
      (node, place) => {
        const { missed, skips, around } = blocks.of(node, place);
        // Where the AuthType is skipped too, what that comes to is told with the other lines about access.
        const lines = missed.some(({ key }) => key === 'authtype')
          ? []
          : missed.filter(({ key }) => OF_USERS.test(key));
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

/** Tells of a section in which 2.4 looks users or groups up elsewhere than 2.2: others may log in. */
function reportOtherLists(context: ResultContext, around: readonly Node[], place: Place): void {
  const { on22, on24 } = placeCondition(place.chain);
  if (on22 === false || on24 === false) return;
  const [in22, in24] = [listsIn(around, 'before', context), listsIn(around, 'after', context)];
  for (const key of new Set([...in22.keys(), ...in24.keys()])) {
    const [was, is] = [in22.get(key), in24.get(key)];
    const line = was ?? is;
    if (line === undefined || was?.rest === is?.rest) continue;
    const isOf24 = isServerFor24(context) || isWrittenFor24(context, place);
    const level = is === undefined ? 'error' : 'warning';
    context.report({
      ...context.origin(place.file, line.from),
      level: isOf24 ? 'info' : level,
      message: `${line.name} is ${was?.rest ?? 'not set here'} for 2.2, and ${is?.rest ?? 'not set here'} for 2.4, which looks up elsewhere who logs in: others may get in. Say the same for both`,
    });
  }
}

/** The last line of each name that says in which lists users and groups are looked up, as a version reads a section. */
function listsIn(
  body: readonly Node[],
  version: 'before' | 'after',
  { tree }: Pick<ResultContext, 'tree'>,
  found: Map<string, Directive> = new Map(),
): ReadonlyMap<string, Directive> {
  for (const node of body)
    if (node.kind === 'directive' && LISTS.test(node.key)) found.set(node.key, node);
    else if (
      node.kind === 'section' &&
      SAME_SECTION.test(node.key) &&
      conditionUnder(node, tree.defines, '2.2')[version] !== false
    )
      listsIn(node.body, version, { tree }, found);
  return found;
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

  constructor(private readonly context: TransformContext) {}

  /** The lines that nothing beside a block repeats for 2.4; none where it does not skip the block. */
  of(
    node: Section,
    { chain, file }: Place,
  ): { missed: readonly Directive[]; skips: string; around: readonly Node[] } {
    const { on22, on24 } = conditionOf(node, this.context.tree.defines);
    const around = chain.at(-1)?.section.body ?? file.document.body;
    const skips = `${on24 === undefined ? nameOf(this.context.target) : '2.4'} skips this block, and with it `;
    const isOfLack = node.key !== 'ifmodule' || node.args[0]?.value.startsWith('!') === true;
    const isRead =
      !this.#isSkipped(node) || on22 === false || placeCondition(chain).on24 === false || !isOfLack;
    if (isRead) return { missed: [], skips, around };
    const kept = getOrInsert(this.#kept, around, () =>
      keysFor24(around, (section) => this.#isSkipped(section)),
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
    return (
      (conditionOf(node, this.context.tree.defines).on24 ?? versionHolds(node, this.context.target)) === false
    );
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

/** What is set by the lines beside blocks for 2.2 that 2.4 reads, also those in conditionals there. */
function keysFor24(body: readonly Node[], isSkipped: (node: Section) => boolean): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const node of body) {
    if (node.kind === 'directive') keys.add(whatItSets(node));
    else if (node.kind === 'section' && isConditional(node) && !isSkipped(node))
      for (const line of directivesIn(node.body)) keys.add(whatItSets(line));
  }
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
