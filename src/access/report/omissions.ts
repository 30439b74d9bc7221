import type { Directive, Document } from '../../syntax';
import type { AccessFinding } from './findings';
import type { SectionConversion } from './outcome';

/** The lines of a section that name somebody and have no counterpart in what is written for it, each with the reason. */
export function omissionsOf(conversion: SectionConversion): Pick<AccessFinding, 'omitted'> {
  const { scope, file, edits, isBranch, strict } = conversion;
  if (isBranch || strict !== undefined) return {};
  const requires = edits.flatMap(({ written }) => written.requires);
  if (requires.length === 0) return {};
  const origins = new Set<object | undefined>(requires.map(({ origin }) => origin));
  const words = new Set(requires.flatMap(({ text }) => text.split(/[ \t]+/)));
  const says = (text: string): boolean => requires.every((line) => line.text === text);
  const result = says('Require all granted') ? 'granted' : says('Require all denied') ? 'denied' : 'some';
  const omitted = scope.lines.old.flatMap(({ node, file: holder }) => {
    if (node.kind !== 'directive' || holder !== file || origins.has(node)) return [];
    const why = reasonFor(node, result, words);
    if (why === undefined) return [];
    const isCommented = commentAbove(file.document, node);
    return {
      at: node.from,
      text: `${node.name} ${node.rest}`,
      why: isCommented ? `${why}; the comment above it stays` : why,
    };
  });
  return omitted.length === 0 ? {} : { omitted };
}

/** @param words those of the lines that are written */
function reasonFor(
  { key, rest, args }: Directive,
  result: 'granted' | 'denied' | 'some',
  words: ReadonlySet<string>,
): string | undefined {
  const hosts = args.slice(1).map(({ value }) => value);
  // What goes into a line under another name, or stands for the rest that no line lets in, needs no reason.
  if ((key !== 'allow' && key !== 'deny') || hosts.some((host) => words.has(host))) return undefined;
  const isAll = /\ball\b/i.test(rest);
  if (key === 'deny') {
    if (isAll) return undefined;
    if (result === 'denied') return 'nobody gets in, named here or not';
    return result === 'granted'
      ? 'an Allow line lets in again whom it names'
      : 'whom it names no line lets in';
  }
  if (hosts.length === 1 && /^none$/i.test(hosts[0]!)) return 'it names nobody';
  if (result === 'denied') return 'a Deny line keeps out whom it names';
  if (isAll) return undefined;
  return result === 'granted'
    ? 'everybody gets in, named here or not'
    : 'whom it names another line lets in or keeps out';
}

/** Whether a comment stands right above a line. */
function commentAbove({ text }: Document, { start }: Directive): boolean {
  const end = start - 1;
  if (end <= 0) return false;
  return /^[ \t]*#/.test(text.slice(text.lastIndexOf('\n', end - 1) + 1, end));
}
