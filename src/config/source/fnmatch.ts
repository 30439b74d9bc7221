type Token = '*' | ((code: number) => boolean);

/** Whether a path component is a pattern at all (apr-1.5 strings/apr_fnmatch.c: apr_fnmatch_test). */
export function isPattern(text: string): boolean {
  return /^(?:[^\\]|\\.)*?(?:[?*]|\[(?:[^\\\]]|\\.)*\])/s.test(text);
}

/**
 * Compiles one path component as httpd matches it for Include: apr_fnmatch with APR_FNM_PERIOD. `*`, `?`, `[a-z]`, `[!a]`, backslash
 * escapes; a leading dot is matched by a dot only; letter case counts.
 */
export function compilePattern(pattern: string): (name: string) => boolean {
  const tokens = tokenize(pattern);
  const dots = pattern.startsWith('.') || pattern.startsWith('\\.');
  return (name) => (dots || !name.startsWith('.')) && match(tokens, name);
}

/** Linear with one point of return, the last `*`: no pattern can make it run long. */
function match(tokens: readonly Token[], name: string): boolean {
  let at = 0;
  let token = 0;
  let star = -1;
  let mark = 0;
  while (at < name.length) {
    const test = tokens[token];
    if (test === '*') {
      star = token++;
      mark = at;
    } else if (test !== undefined && test(name.charCodeAt(at))) {
      token++;
      at++;
    } else if (star >= 0) {
      token = star + 1;
      at = ++mark;
    } else {
      return false;
    }
  }
  while (tokens[token] === '*') token++;
  return token === tokens.length;
}

function tokenize(pattern: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern.charAt(at);
    const set = char === '[' ? readSet(pattern, at + 1) : undefined;
    if (set !== undefined) {
      tokens.push(set.test);
      at = set.end;
    } else if (char === '*') {
      tokens.push('*');
    } else if (char === '?') {
      tokens.push(() => true);
    } else {
      const code = pattern.charCodeAt(char === '\\' && at + 1 < pattern.length ? ++at : at);
      tokens.push((other) => other === code);
    }
  }
  return tokens;
}

/** A `[set]` whose inside begins at `start`; undefined when it is not closed, for then `[` stands for itself. */
function readSet(
  pattern: string,
  start: number,
): { test: (code: number) => boolean; end: number } | undefined {
  let at = start;
  const negated = pattern.charAt(at) === '!' || pattern.charAt(at) === '^';
  if (negated) at++;
  const ranges: [number, number][] = [];
  for (let first = true; at < pattern.length; first = false) {
    if (pattern.charAt(at) === ']' && !first) {
      return {
        test: (code) => ranges.some(([low, high]) => code >= low && code <= high) !== negated,
        end: at,
      };
    }
    if (pattern.charAt(at) === '\\' && ++at >= pattern.length) return undefined;
    const low = pattern.charCodeAt(at++);
    if (pattern.charAt(at) === '-' && at + 1 < pattern.length && pattern.charAt(at + 1) !== ']') {
      if (pattern.charAt(++at) === '\\' && ++at >= pattern.length) return undefined;
      ranges.push([low, pattern.charCodeAt(at++)]);
    } else {
      ranges.push([low, low]);
    }
  }
  return undefined;
}
