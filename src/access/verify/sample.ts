/**
 * A text that a regex matches, for asking what a section behind it decides: literals as they stand, the first alternative, the first
 * member of a class, one turn of a loop. Undefined where that fails.
 */
export function sampleOf(regex: string): string | undefined {
  const source = regex.replace(/^\(\?i\)/, '');
  const text = draft(source);
  try {
    return text !== '' && new RegExp(source).test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

function draft(source: string): string {
  let text = '';
  let last = '';
  for (let at = 0; at < source.length; at++) {
    const char = source.charAt(at);
    if (char === '^' || char === '$') continue;
    if (char === '|') break;
    if (char === '*' || char === '?') {
      text = text.slice(0, text.length - last.length);
      last = '';
      continue;
    }
    if (char === '+') continue;
    if (char === '{') {
      at = source.indexOf('}', at);
      if (at < 0) break;
      continue;
    }
    if (char === '\\') {
      const escaped = source.charAt(++at);
      last =
        escaped === 'd'
          ? '0'
          : escaped === 'w'
            ? 'w'
            : escaped === 's'
              ? ' '
              : /[bBAzZ]/.test(escaped)
                ? ''
                : escaped;
    } else if (char === '[') {
      const end = source.indexOf(']', at + 2);
      if (end < 0) break;
      const first = source.charAt(at + 1);
      last = first === '^' ? 'w' : first === '\\' ? source.charAt(at + 2) : first;
      at = end;
    } else if (char === '(') {
      const end = closing(source, at);
      if (end < 0) break;
      last = draft(source.slice(at + 1, end).replace(/^\?[:=!]/, ''));
      at = end;
    } else last = char === '.' ? 'w' : char;
    text += last;
  }
  return text;
}

function closing(source: string, open: number): number {
  let depth = 0;
  for (let at = open; at < source.length; at++) {
    if (source.charAt(at) === '\\') at++;
    else if (source.charAt(at) === '(') depth++;
    else if (source.charAt(at) === ')' && --depth === 0) return at;
  }
  return -1;
}

/** A text that a glob matches. */
export function sampleOfGlob(glob: string): string {
  return glob
    .replace(/\\(.)/g, '$1')
    .replace(/\[!?(.)[^\]]*\]/g, '$1')
    .replace(/[*?]/g, 'w');
}
