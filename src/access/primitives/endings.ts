/** More endings than this are not looked at. */
const MANY = 64;

/**
 * How every text ends that a regex matches, in lower case; undefined where that cannot be told for sure. What comes before the endings may
 * be anything. PCRE's `$` also matches before a last line end, which all endings then have behind them.
 */
export function regexEndings(regex: string): readonly string[] | undefined {
  const source = regex.replace(/^\(\?i\)/, '');
  // Other settings than this one, verbs, classes by name, and what takes more than one letter behind its backslash are read otherwise.
  if (/\((?:\?(?!:)|\*)|\[:|\\(?![dDwWsSbB])[A-Za-z0-9]/.test(source)) return undefined;
  if (!source.endsWith('$') || /(?:^|[^\\])(?:\\\\)*\\\$$/.test(source)) return undefined;
  const atoms = atomsOf(source.slice(0, -1));
  if (atoms === undefined) return undefined;
  let found: readonly string[] = [''];
  for (const atom of atoms.reverse()) {
    const next = atom === null ? undefined : join(atom, found);
    if (next === undefined) break;
    found = next;
  }
  return found.includes('') ? undefined : found;
}

/** The same of a pattern with wildcards. */
export function globEndings(glob: string): readonly string[] | undefined {
  const literal = /[^*?[\]\\]*$/.exec(glob)![0].toLowerCase();
  return literal === '' || /\\/.test(glob) ? undefined : [literal];
}

/** True where nothing can end in one of these and in one of those. */
export function areDisjoint(a: readonly string[], b: readonly string[]): boolean {
  return a.every((one) => b.every((other) => !one.endsWith(other) && !other.endsWith(one)));
}

function join(heads: readonly string[], tails: readonly string[]): readonly string[] | undefined {
  if (heads.length * tails.length > MANY) return undefined;
  return [...new Set(heads.flatMap((head) => tails.map((tail) => head + tail)))];
}

/** The parts of a regex in a row, each as the texts that it can stand for; null for one that can stand for too many. */
function atomsOf(source: string): (readonly string[] | null)[] | undefined {
  const atoms: (readonly string[] | null)[] = [];
  for (let at = 0; at < source.length;) {
    const [texts, end] = atomAt(source, at);
    if (end <= at) return undefined;
    const sign = /^(?:[*+?]|\{[0-9,]*\})[?+]?/.exec(source.slice(end))?.[0] ?? '';
    atoms.push(sign === '' ? texts : sign === '?' && texts !== null ? [...new Set([...texts, ''])] : null);
    at = end + sign.length;
  }
  return atoms;
}

/** @returns where it ends: not behind its beginning where it is nothing that is known here */
function atomAt(source: string, at: number): [texts: readonly string[] | null, end: number] {
  const char = source.charAt(at);
  if (char === '(') {
    const end = closing(source, at);
    if (end < 0) return [null, at];
    const inner = source.slice(at + 1, end).replace(/^\?:/, '');
    // What a group with a sign says is not looked into, but for the one that only groups.
    return [inner.startsWith('?') ? null : groupTexts(inner), end + 1];
  }
  if (char === '[') {
    const list = /^\[\^?\]?(?:\\[^]|[^\]\\])*\]/.exec(source.slice(at))?.[0];
    if (list === undefined) return [null, at];
    const plain = /^\[([A-Za-z0-9_~.]+)\]$/.exec(list)?.[1];
    return [plain === undefined ? null : [...new Set(plain.toLowerCase())], at + list.length];
  }
  if (char === '\\') {
    const escaped = source.charAt(at + 1);
    if (escaped === '') return [null, at];
    return [/[A-Za-z0-9]/.test(escaped) ? null : [escaped], at + 2];
  }
  // Alternatives outside of parentheses, and what cannot stand here.
  if (/[|)*+?]/.test(char)) return [null, at];
  return [/[.^${]/.test(char) ? null : [char.toLowerCase()], at + 1];
}

function groupTexts(inner: string): readonly string[] | null {
  const texts = alternatives(inner).map((one) => {
    const atoms = atomsOf(one);
    return atoms?.reduce<readonly string[] | null>(
      (heads, atom) => (heads === null || atom === null ? null : (join(heads, atom) ?? null)),
      [''],
    );
  });
  return texts.some((one) => one === undefined || one === null) || texts.length > MANY
    ? null
    : [...new Set(texts.flatMap((one) => one ?? []))];
}

function alternatives(inner: string): string[] {
  const found: string[] = [];
  let from = 0;
  for (let at = 0; at < inner.length; at++) {
    const char = inner.charAt(at);
    if (char === '\\') at++;
    else if (char === '(') at = Math.max(at, closing(inner, at));
    else if (char === '[') at += (/^\[\^?\]?(?:\\[^]|[^\]\\])*\]/.exec(inner.slice(at))?.[0].length ?? 1) - 1;
    else if (char === '|') {
      found.push(inner.slice(from, at));
      from = at + 1;
    }
  }
  return [...found, inner.slice(from)];
}

/** The parenthesis that closes the one at `at`; -1 where there is none. */
function closing(source: string, at: number): number {
  let depth = 0;
  for (let i = at; i < source.length; i++) {
    const char = source.charAt(i);
    if (char === '\\') i++;
    else if (char === '[') i += (/^\[\^?\]?(?:\\[^]|[^\]\\])*\]/.exec(source.slice(i))?.[0].length ?? 1) - 1;
    else if (char === '(') depth++;
    else if (char === ')' && --depth === 0) return i;
  }
  return -1;
}
