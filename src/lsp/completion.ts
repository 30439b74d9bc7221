import { type CompletionItem, CompletionItemKind } from 'vscode-languageserver/node';
import { allDirectives, isIn24 } from '../httpd/directives';
import { type DirectiveContext, judge } from '../httpd/judge';
import { NEWEST } from '../httpd/release';
import type { Document, Node, Section } from '../syntax';

/** Sections that httpd decides about while it reads: what may stand in them hangs on what is around them. */
const WHILE_READING = new Set([
  'ifdefine',
  'ifmodule',
  'ifversion',
  'ifdirective',
  'iffile',
  'ifsection',
  'requireall',
  'requireany',
  'requirenone',
]);

/** 2.4 takes these with a notice at every start (server/mpm_common.c), and calls them otherwise. */
const OLD_NAMES = new Set(['MaxClients', 'MaxRequestsPerChild']);

/** What AllowOverride All lets a `.htaccess` say: whether the server allows less is for the findings. */
const ALL_CLASSES = 'LOFAI';

/**
 * The directives and sections that 2.4 takes at a place, with the modules that have them; none behind the first word of a line.
 * The old access lines are not among them.
 * @param line bytes of the line before the cursor
 * @param at byte offset in the document
 */
export function completionsAt(
  { body }: Document,
  line: string,
  at: number,
  isHtaccess: boolean,
): readonly CompletionItem[] {
  const [, bracket, slash] = /^[ \t]*(<?)(\/?)[A-Za-z]*$/.exec(line) ?? [];
  if (bracket === undefined || slash === undefined) return [];
  const chain = sectionsAround(body, at);
  const innermost = chain.at(-1);
  if (slash !== '')
    return bracket === '' || innermost === undefined
      ? []
      : [{ label: `/${innermost.name}>`, kind: CompletionItemKind.Struct }];
  const context: DirectiveContext = {
    sections: chain.map(({ key }) => key).filter((key) => !WHILE_READING.has(key)),
    ...(isHtaccess && { htaccess: { classes: ALL_CLASSES } }),
  };
  const items: CompletionItem[] = [];
  for (const info of allDirectives()) {
    if (bracket !== '' && !info.section) continue;
    if (
      !isIn24(info, NEWEST) ||
      OLD_NAMES.has(info.name) ||
      info.owners24.every((owner) => owner === 'access_compat')
    )
      continue;
    if (judge(info.name, context, undefined, '2.4') !== undefined) continue;
    const { name, section, owners24 } = info;
    items.push({
      label: section ? `<${name}>` : name,
      kind: section ? CompletionItemKind.Struct : CompletionItemKind.Property,
      detail: owners24.map((owner) => (owner === 'core' ? 'core' : `mod_${owner}`)).join(', '),
      filterText: name,
      insertText: section && bracket === '' ? `<${name}` : name,
    });
  }
  return items;
}

/** The sections that a place lies in, outermost first. */
function sectionsAround(body: readonly Node[], at: number): readonly Section[] {
  const around = body.find(
    (node): node is Section =>
      node.kind === 'section' && node.open.end <= at && at <= (node.close?.from ?? node.end),
  );
  return around === undefined ? [] : [around, ...sectionsAround(around.body, at)];
}
