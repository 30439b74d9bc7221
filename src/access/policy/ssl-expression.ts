import type { Directive } from '../../syntax';
import { memo } from '../primitives';

/** Variables that mod_ssl and the expressions of 2.4 read alike, and that no rule about TLS 1.3 has a say in. */
const VARIABLE =
  /^(?:SSL_CLIENT_(?:[SI]_DN_(?:C|ST|L|OU?|CN|T|I|G|S|D|UID|Email)|VERIFY|M_SERIAL)|REMOTE_ADDR)$/;
/** Variables whose values are numbers, which SSLRequire compares by their length first, and so as numbers. */
const NUMBER = /^SSL_CIPHER_(?:USE|ALG)KEYSIZE$/;

const TOKEN =
  /[ \t\r\n]*(?:(m(?:\/[^/\\]*(?:\\[^/][^/\\]*)*\/|\|[^|\\]*(?:\\[^|][^|\\]*)*\|)i?)|("[^"]*")|%\{([A-Za-z0-9_]+)\}|(\d+)|([a-z]+)|([=!<>]=|[=!]~|&&|\|\||[()!{},<>]))/y;

/** Another word for the same, as the tokens are compared. */
const WORDS: Readonly<Record<string, string>> = {
  __proto__: null!,
  eq: '==', ne: '!=', lt: '<', le: '<=', gt: '>', ge: '>=', and: '&&', or: '||', not: '!', in: 'in',
}; // prettier-ignore
const OF_NUMBERS: Readonly<Record<string, string>> = {
  __proto__: null!,
  '==': '-eq', '!=': '-ne', '<': '-lt', '<=': '-le', '>': '-gt', '>=': '-ge',
}; // prettier-ignore

/** What an SSLRequire asks as an expression of 2.4 for `Require expr`; undefined where none surely asks the same. */
export const sslRequireTest = memo((node: Directive): string | undefined => {
  try {
    return new SslExpression(node.rest).read();
  } catch (error) {
    if (error instanceof NotAlike) return undefined;
    throw error;
  }
});

/** Thrown where the two languages differ, or may. */
class NotAlike extends Error {}

interface SslToken {
  readonly kind: 'regex' | 'text' | 'variable' | 'number' | 'sign' | 'end';
  readonly text: string;
}

/** How deep an expression may nest, which is read by recursion: no configuration of a person comes near. */
const MAX_NESTED = 100;

/** Reads the argument of SSLRequire (2.2 ssl_expr_scan.l, ssl_expr_parse.y) as one of 2.4 (server/util_expr_parse.y). */
class SslExpression {
  readonly #tokens: SslToken[];
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#tokens = tokensOf(text);
  }

  read(): string {
    const text = this.#either();
    if (this.#next().kind !== 'end') throw new NotAlike();
    return text;
  }

  #either(): string {
    const parts = [this.#both()];
    while (this.#takes('||')) parts.push(this.#both());
    return parts.length === 1
      ? parts[0]!
      : parts.map((part) => (part.includes(' && ') ? `(${part})` : part)).join(' || ');
  }

  #both(): string {
    const parts = [this.#single()];
    while (this.#takes('&&')) parts.push(this.#single());
    return parts.join(' && ');
  }

  #single(): string {
    if (this.#depth >= MAX_NESTED) throw new NotAlike();
    this.#depth++;
    const text = this.#operand();
    this.#depth--;
    return text;
  }

  #operand(): string {
    if (this.#takes('!')) return `!(${this.#single().replace(/^\((.*)\)$/s, '$1')})`;
    if (!this.#takes('(')) return this.#comparison();
    const inner = this.#either();
    if (!this.#takes(')')) throw new NotAlike();
    return / (?:&&|\|\|) /.test(inner) ? `(${inner})` : inner;
  }

  #comparison(): string {
    const { kind, text: name } = this.#next();
    const sign = this.#next();
    if (kind !== 'variable' || sign.kind !== 'sign') throw new NotAlike();
    const variable = `%{${name}}`;
    if (NUMBER.test(name)) {
      const value = this.#next();
      const operator = OF_NUMBERS[sign.text];
      if (value.kind !== 'number' || operator === undefined) throw new NotAlike();
      return `${variable} ${operator} ${value.text}`;
    }
    if (!VARIABLE.test(name)) throw new NotAlike();
    switch (sign.text) {
      case '==':
      case '!=':
        return `${variable} ${sign.text} ${this.#word()}`;
      case '=~':
      case '!~':
        return `${variable} ${sign.text} ${this.#regex(name)}`;
      case 'in':
        return `${variable} -in ${this.#list()}`;
      default:
        throw new NotAlike();
    }
  }

  /** A text that means itself in both. */
  #word(): string {
    const { kind, text } = this.#next();
    const value = kind === 'text' ? text.slice(1, -1) : kind === 'number' ? text : undefined;
    if (value === undefined || !/^[ \w.,:@/=+-]*$/.test(value)) throw new NotAlike();
    return `'${value}'`;
  }

  #list(): string {
    if (!this.#takes('{')) throw new NotAlike();
    const words = [this.#word()];
    while (this.#takes(',')) words.push(this.#word());
    if (!this.#takes('}')) throw new NotAlike();
    return `{${words.join(', ')}}`;
  }

  /** In 2.4 `.` may match a line end, and `$` may not stand before one: an address has none. */
  #regex(name: string): string {
    const { kind, text } = this.#next();
    if (kind !== 'regex') throw new NotAlike();
    const isFolded = text.endsWith('i');
    const regex = text.slice(2, isFolded ? -2 : -1);
    if (/[#\r\n]|[$%]\{/.test(regex)) throw new NotAlike();
    if (name !== 'REMOTE_ADDR' && /[.$^(]/.test(regex.replace(/\\[.$^()]/g, '').replace(/^\^/, '')))
      throw new NotAlike();
    return `m#${regex}#${isFolded ? 'i' : ''}`;
  }

  #takes(sign: string): boolean {
    const { kind, text } = this.#tokens[this.#at]!;
    if (kind !== 'sign' || text !== sign) return false;
    this.#at++;
    return true;
  }

  #next(): SslToken {
    const token = this.#tokens[this.#at]!;
    if (token.kind !== 'end') this.#at++;
    return token;
  }
}

function tokensOf(text: string): SslToken[] {
  const tokens: SslToken[] = [];
  const end = text.trimEnd().length;
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < end;) {
    const found = TOKEN.exec(text);
    if (found === null) throw new NotAlike();
    const [, regex, quoted, variable, number, word, sign] = found;
    if (regex !== undefined) tokens.push({ kind: 'regex', text: regex });
    else if (quoted !== undefined) tokens.push({ kind: 'text', text: quoted });
    else if (variable !== undefined) tokens.push({ kind: 'variable', text: variable });
    else if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else {
      const known = sign ?? WORDS[word!];
      if (known === undefined) throw new NotAlike();
      tokens.push({ kind: 'sign', text: known });
    }
  }
  tokens.push({ kind: 'end', text: '' });
  return tokens;
}
