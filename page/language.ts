import { HighlightStyle, StreamLanguage, type StringStream, syntaxHighlighting } from '@codemirror/language';
import { tags } from '@lezer/highlight';

/** Where in a logical line the reader is. */
interface LineState {
  part: 'start' | 'comment' | 'arguments';
  /** The line before ends with a backslash. */
  isContinued: boolean;
}

/** httpd's configuration: a directive or a section a line, arguments, comments on lines of their own. */
const httpd = StreamLanguage.define<LineState>({
  name: 'httpd',
  startState: () => ({ part: 'start', isContinued: false }),
  token(stream, state) {
    if (stream.sol()) {
      if (!state.isContinued) state.part = 'start';
      state.isContinued = /(?:^|[^\\])(?:\\\\)*\\\r?$/.test(stream.string);
    }
    const isIndentation = stream.sol();
    if (stream.eatWhile(/[ \t\r]/)) return isIndentation ? 'meta' : null;
    if (state.part === 'start' && stream.peek() === '#') state.part = 'comment';
    if (state.part === 'comment') {
      stream.skipToEnd();
      return 'comment';
    }
    return state.part === 'start' ? name(stream, state) : argument(stream);
  },
  blankLine: (state) => {
    state.isContinued = false;
  },
  languageData: { commentTokens: { line: '#' } },
});

function name(stream: StringStream, state: LineState): string {
  state.part = 'arguments';
  if (stream.match(/^<\/?\w*/) !== null) return 'tagName';
  if (stream.match(/^[^ \t\r<>]+/) === null) stream.next();
  return 'keyword';
}

function argument(stream: StringStream): string | null {
  if (stream.match(/^>[ \t\r]*$/) !== null) return 'tagName';
  if (stream.match(/^"(?:[^"\\]|\\.)*"?/) !== null || stream.match(/^'(?:[^'\\]|\\.)*'?/) !== null)
    return 'string';
  if (stream.match(/^[$%]\{[^}]*\}?/) !== null) return 'variableName';
  if (stream.match(/^[0-9][0-9a-fA-F.:/]*(?=[ \t\r>]|$)/) !== null) return 'number';
  stream.next();
  stream.match(/^[^ \t\r>"'$%]+/);
  return null;
}

/** Classes, so that the colours are the style sheet's, in the dark too. */
const colours = HighlightStyle.define([
  { tag: tags.comment, class: 'hl-comment' },
  { tag: tags.keyword, class: 'hl-directive' },
  { tag: tags.tagName, class: 'hl-section' },
  { tag: tags.string, class: 'hl-string' },
  { tag: tags.variableName, class: 'hl-variable' },
  { tag: tags.number, class: 'hl-number' },
  { tag: tags.meta, class: 'hl-indentation' },
]);

/** The language of an editor that shows httpd configuration. */
export const httpdLanguage = [httpd, syntaxHighlighting(colours)];
