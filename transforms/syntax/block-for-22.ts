import { conditionOf, isConditional, placeCondition, versionHolds } from '../../src/config';
import { defineTransform } from '../../src/engine';
import { findDirective } from '../../src/httpd/directives';
import { nameOf } from '../../src/httpd/release';
import type { Directive, Node, Section } from '../../src/syntax';
import { getOrInsert } from '../../src/maps';

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
    const { target } = context;
    const { defines } = context.tree;
    const isSkipped = (node: Section): boolean =>
      (conditionOf(node, defines).on24 ?? versionHolds(node, target)) === false;
    const keptIn = new Map<readonly Node[], ReadonlySet<string>>();
    context.sections(['IfModule', 'IfVersion'], (node, place) => {
      const { on22, on24 } = conditionOf(node, defines);
      if (!isSkipped(node) || on22 === false || placeCondition(place.chain).on24 === false) return;
      if (node.key === 'ifmodule' && node.args[0]?.value.startsWith('!') !== true) return;
      const around = place.chain.at(-1)?.section.body ?? place.file.document.body;
      const kept = getOrInsert(keptIn, around, () => keysFor24(around, isSkipped));
      const missed = [...directivesIn(node.body)].filter(
        (line) => !NOT_MISSED.test(line.key) && isKnown(line.key) && !kept.has(whatItSets(line)),
      );
      if (missed.length === 0) return;
      const names = [...new Set(missed.map(({ name }) => name))];
      const { line } = place.file.document.positionAt(missed[0]!.from);
      context.report({
        file: place.file,
        at: node.open.from,
        level: 'warning',
        message: `${on24 === undefined ? nameOf(target) : '2.4'} skips this block, and with it ${listOf(names)} (from line ${line}): move what 2.4 is to have out of the block, or repeat it in a block for 2.4`,
      });
    });
  },
});

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
