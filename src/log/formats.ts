/** What a format says of a request: where its text stands among the groups of the pattern. */
export type FieldName =
  | 'client'
  | 'user'
  | 'time'
  | 'request'
  | 'method'
  | 'path'
  | 'query'
  | 'protocol'
  | 'status'
  | 'server'
  | 'port'
  | 'referer'
  | 'agent'
  | 'host';

/** A LogFormat that lines can be read by. */
export interface LineFormat {
  /** What messages call it: a nickname, or the format itself. */
  readonly name: string;
  readonly pattern: RegExp;
  /** Field → number of its group. */
  readonly fields: ReadonlyMap<FieldName, number>;
}

/** Headers of which a format may tell. */
const HEADERS: Readonly<Record<string, FieldName>> = {
  __proto__: null!,
  referer: 'referer',
  'user-agent': 'agent',
  host: 'host',
};

/** What a letter of a format stands for (modules/loggers/mod_log_config.c: log_pre_config). */
const LETTERS: Readonly<Record<string, FieldName>> = {
  h: 'client',
  a: 'client',
  u: 'user',
  r: 'request',
  m: 'method',
  U: 'path',
  q: 'query',
  H: 'protocol',
  s: 'status',
  v: 'server',
  V: 'server',
  p: 'port',
}; // prettier-ignore

const ITEM = /%([!,0-9]*)([<>]?)(?:\{([^}]*)\})?(\^?[A-Za-z]{1,2}|%)/y;

/** Begins with an item that may be nothing: neither a status, nor a time, nor a request line. */
const BEFORE_ANY = /^%(?!%)[!,0-9]*[<>]?(?:\{[^}]*\})?\^?(?![rst])[A-Za-z]/;

/**
 * Reads a LogFormat. Each of its items takes what stands up to the text behind it, so that a line is gone through once. Undefined
 * for a format that does not say what was asked for.
 * @param name as it is called in messages
 */
export function compileFormat(name: string, format: string): LineFormat | undefined {
  const fields = new Map<FieldName, number>();
  let pattern = '^';
  let at = 0;
  let groups = 0;
  while (at < format.length) {
    ITEM.lastIndex = at;
    const item = ITEM.exec(format);
    if (item === null) {
      const [literal, length] = literalAt(format, at);
      pattern += literal;
      at += length;
      continue;
    }
    at += item[0].length;
    const [, condition = '', , argument, letter = ''] = item;
    if (letter === '%') {
      pattern += '%';
      continue;
    }
    const field = fieldOf(letter, argument);
    const text = textUpTo(format, at, field, { letter, argument });
    // A condition leaves a dash where the status is not one of those.
    const isKnown = field !== undefined && condition === '' && (!fields.has(field) || item[2] === '>');
    // Two items without a text between them: the first takes all that it can for good, so that a line is gone through once.
    const isWhole = BEFORE_ANY.test(format.slice(at));
    if (isKnown || isWhole) groups++;
    if (isKnown) fields.set(field, groups);
    pattern += isWhole ? `(?=(${text}))\\${groups}` : isKnown ? `(${text})` : `(?:${text})`;
  }
  const hasTarget = fields.has('request') || fields.has('path');
  return hasTarget ? { name, pattern: new RegExp(pattern), fields } : undefined;
}

function fieldOf(letter: string, argument: string | undefined): FieldName | undefined {
  // Only a name of two letters begins with these.
  const plain = letter.replace('^', '');
  if (plain === 'i') return HEADERS[(argument ?? '').toLowerCase()];
  if (plain === 't') return argument === undefined || argument === '' ? 'time' : undefined;
  // %{c}a is the address of a proxy, %{remote}p the port of the client.
  if (argument !== undefined && plain !== 'h')
    return plain === 'p' && /^(?:canonical|local)$/.test(argument) ? 'port' : undefined;
  return plain.length === 1 ? LETTERS[plain] : undefined;
}

/** A text of the format as a pattern, and how long it is there: `\t`, `\n` and `\"` stand for one character each. */
function literalAt(format: string, at: number): readonly [pattern: string, length: number] {
  const char = format[at]!;
  if (char !== '\\' || at + 1 >= format.length) return [escaped(char), 1];
  const next = format[at + 1]!;
  return [next === 't' ? '\\t' : next === 'n' ? '\\n' : escaped(next), 2];
}

const escaped = (char: string): string => char.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

/** What an item takes: up to the character that follows it in the format. */
function textUpTo(
  format: string,
  at: number,
  field: FieldName | undefined,
  { letter, argument = '' }: { readonly letter: string; readonly argument: string | undefined },
): string {
  if (field === 'status') return '[0-9]{3}|-';
  if (field === 'time') return '\\[[^\\]]*\\]';
  // The blanks of a time are those of its own format.
  if (letter === 't') return `[^ ]*${' [^ ]*'.repeat(argument.split(' ').length - 1)}`;
  const [next = ''] = at < format.length ? literalAt(format, at) : [];
  // httpd escapes a quote that a client has sent.
  if (next === '"') return '(?:[^"\\\\]|\\\\.)*';
  // A name may have blanks, and the time behind it begins with a bracket.
  if (field === 'user' && /^[ \t]%t/.test(format.slice(at))) return '[^"[]+';
  if (field === 'request') return '[^ \\t"]* [^ \\t"]*(?: HTTP/[0-9.]+)?';
  // A query begins with its mark.
  if (field === 'path' && /^%[<>]?q/.test(format.slice(at))) return '[^ \\t"?]*';
  if (format.startsWith('%%', at)) return '[^%]*';
  if (next === '' || format[at] === '%') return '[^ \\t"]*';
  return `[^${next.replace(/^\^$/, '\\^')}]*`;
}

/** The formats that everybody has, in the order in which they are tried: a line of the first is one of the others, too. */
export const STOCK_FORMATS: readonly (readonly [name: string, format: string])[] = [
  ['vhost_combined', '%v:%p %h %l %u %t "%r" %>s %O "%{Referer}i" "%{User-Agent}i"'],
  ['combined', '%h %l %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i"'],
  ['vhost_common', '%v:%p %h %l %u %t "%r" %>s %b'],
  ['common', '%h %l %u %t "%r" %>s %b'],
];
