import type { ConfigFile } from '../../config';
import type { Directive, Section } from '../../syntax';
import { type RequireNode, type Scope, type State, linesOfPolicy, requireNodes } from '../policy';
import { type MethodClass, covers, getOrInsert } from '../primitives';
import { directivesOf } from '../view';

/** A part of a file, around the lines that decide. */
export interface Excerpt {
  readonly file: string;
  readonly lines: readonly ExcerptLine[];
}

export interface ExcerptLine {
  /** From 1. */
  readonly line: number;
  readonly text: string;
  /** `decides`: it is in effect; `section`: it opens or closes a section that the request meets. */
  readonly mark: 'decides' | 'section' | undefined;
}

/** Lines shown before and after those that decide. */
const CONTEXT = 2;
const MOST_LINES = 40;

/** The lines of 2.2's access control in effect for a request: a section that sets a part replaces what came before. */
export function linesInEffect22(
  met: readonly Scope[],
  { hosts, requires, satisfy, ssl }: State,
  method: MethodClass,
): ReadonlySet<Directive> {
  const nodes = new Set<Directive>();
  for (const { origin, mask } of linesOfPolicy({ hosts, requires }))
    if (covers(mask, method)) nodes.add(origin);
  if (satisfy.has(method)) {
    const lines = met.flatMap(({ policy }) => policy.satisfy.filter(({ mask }) => covers(mask, method)));
    const last = lines.at(-1);
    if (last !== undefined) nodes.add(last.origin);
  }
  if (ssl !== undefined) for (const { node } of met.flatMap((scope) => scope.ssl)) nodes.add(node);
  return nodes;
}

/** The Require lines that 2.4 goes by. @param tree what 2.4 has merged of the sections that the request meets */
export function linesInEffect24(met: readonly Scope[], tree?: RequireNode): ReadonlySet<Directive> {
  const nodes = new Set<Directive>(requireNodes(tree).map(({ origin }) => origin));
  for (const { node } of met.flatMap(({ ssl }) => ssl)) nodes.add(node);
  return nodes;
}

/** The text around the lines that decide, with the sections that the request meets. */
export function excerptsOf(met: readonly Scope[], inEffect: ReadonlySet<Directive>): Excerpt[] {
  const files = new Map<ConfigFile, Set<number>>();
  const sections = new Map<ConfigFile, Set<Section>>();
  const addSection = (file: ConfigFile, section: Section): void =>
    void getOrInsert(sections, file, () => new Set()).add(section);
  for (const scope of met) {
    const { lines, ssl } = scope;
    const all = [...lines.old, ...lines.requires, ...lines.requires24, ...lines.only22, ...ssl];
    for (const [node, file] of directivesOf(scope, all)) {
      if (!inEffect.has(node)) continue;
      getOrInsert(files, file, () => new Set()).add(file.document.positionAt(node.from).line);
      // A line by way of an Include stands in no section of its file.
      if (scope.section !== undefined && file === scope.file) addSection(file, scope.section);
    }
    if (scope.section !== undefined) addSection(scope.file, scope.section);
  }
  return [...files].map(([file, deciding]) => excerptOf(file, deciding, sections.get(file) ?? new Set()));
}

function excerptOf(
  { name, document }: ConfigFile,
  deciding: ReadonlySet<number>,
  sections: ReadonlySet<Section>,
): Excerpt {
  const lineAt = (offset: number): number => document.positionAt(offset).line;
  const bounds = new Set<number>();
  const visible = new Set(deciding);
  for (const { open, close } of sections) {
    const [first, last] = [lineAt(open.from), close === undefined ? undefined : lineAt(close.from)];
    const holds = [...deciding].some((line) => line > first && (last === undefined || line < last));
    for (const line of [first, last]) {
      if (line === undefined) continue;
      bounds.add(line);
      if (holds) visible.add(line);
    }
  }
  const texts = document.text.split('\n');
  const isShown = (line: number): boolean => {
    for (let near = line - CONTEXT; near <= line + CONTEXT; near++) if (visible.has(near)) return true;
    return false;
  };
  const lines = texts
    .map((text, i) => ({ text: text.replace(/\r$/, ''), line: i + 1 }))
    .filter(({ text, line }) => isShown(line) && (line < texts.length || text !== ''))
    .map(({ text, line }): ExcerptLine => ({
      line,
      text,
      mark: deciding.has(line) ? 'decides' : bounds.has(line) ? 'section' : undefined,
    }));
  return { file: name, lines: lines.slice(0, MOST_LINES) };
}
