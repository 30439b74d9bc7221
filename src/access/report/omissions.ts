import type { Directive, Document } from '../../syntax';
import { EMPTY_LIST, lazy } from '../primitives';
import type { AccessFinding } from './findings';
import type { SectionConversion } from './outcome';

/** The lines of a section that name somebody and have no counterpart in what is written for it, each with the reason. */
export function omissionsOf(conversion: SectionConversion): NonNullable<AccessFinding['omitted']> {
  const { scope, file, edits, isBranch, strict } = conversion;
  if (isBranch || strict !== undefined) return EMPTY_LIST;
  const requires = edits.flatMap(({ written }) => written.requires);
  if (requires.length === 0) return EMPTY_LIST;
  const origins = new Set<object | undefined>(requires.map(({ origin }) => origin));
  const words = lazy(() => new Set(requires.flatMap(({ text }) => text.split(/[ \t]+/))));
  // Whether a host that it names goes into a line under another name.
  const isWritten = ({ args }: Directive): boolean => args.slice(1).some(({ value }) => words().has(value));
  const says = (text: string): boolean => requires.every((line) => line.text === text);
  const result = says('Require all granted') ? 'granted' : says('Require all denied') ? 'denied' : 'some';
  return scope.lines.old.flatMap(({ node, file: holder }) => {
    if (holder !== file || origins.has(node)) return [];
    const why = reasonFor(node, result);
    if (why === undefined || isWritten(node)) return [];
    const isCommented = commentAbove(file.document, node);
    return {
      at: node.from,
      text: `${node.name} ${node.rest}`,
      why: isCommented ? `${why}; the comment above it stays` : why,
    };
  });
}

/** Why nothing is written for a line; undefined where it stands for the rest that no line lets in, which needs no reason. */
function reasonFor({ key, rest, args }: Directive, who: 'granted' | 'denied' | 'some'): string | undefined {
  if (key !== 'allow' && key !== 'deny') return undefined;
  const isAll = /\ball\b/i.test(rest);
  if (key === 'deny') {
    if (isAll) return undefined;
    if (who === 'denied') return 'nobody gets in, named here or not';
    return who === 'granted' ? 'an Allow line lets in again whom it names' : 'whom it names no line lets in';
  }
  if (args.length === 2 && /^none$/i.test(args[1]!.value)) return 'it names nobody';
  if (who === 'denied') return 'a Deny line keeps out whom it names';
  if (isAll) return undefined;
  return who === 'granted'
    ? 'everybody gets in, named here or not'
    : 'whom it names another line lets in or keeps out';
}

/** Whether a comment stands right above a line. */
function commentAbove({ text }: Document, { start }: Directive): boolean {
  const end = start - 1;
  if (end <= 0) return false;
  return /^[ \t]*#/.test(text.slice(text.lastIndexOf('\n', end - 1) + 1, end));
}
