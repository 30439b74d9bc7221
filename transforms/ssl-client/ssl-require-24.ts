import { isKnownIn } from '../../src/httpd/lifespan';
import { NEWEST, type Release } from '../../src/httpd/release';

/** Variables that 2.4 knows and 2.2 had (server/util_expr_eval.c: the tables of names; modules/ssl/ssl_engine_vars.c of 2.2). */
const IN_BOTH = `HTTPS REQUEST_METHOD REQUEST_SCHEME REQUEST_URI REQUEST_FILENAME REMOTE_HOST REMOTE_IDENT REMOTE_USER SERVER_ADMIN SERVER_NAME
  SERVER_PORT SERVER_PROTOCOL SCRIPT_FILENAME PATH_INFO QUERY_STRING IS_SUBREQ DOCUMENT_ROOT AUTH_TYPE THE_REQUEST REMOTE_ADDR
  HTTP_USER_AGENT HTTP_PROXY_CONNECTION HTTP_REFERER HTTP_COOKIE HTTP_FORWARDED HTTP_HOST HTTP_ACCEPT TIME_YEAR TIME_MON TIME_DAY
  TIME_HOUR TIME_MIN TIME_SEC TIME_WDAY TIME SERVER_SOFTWARE API_VERSION`;

/** Variables that only 2.4 has: always empty in 2.2. */
const ONLY_IN_24 = `IPV6 CONN_LOG_ID CONN_REMOTE_ADDR HTTP2 CONTENT_TYPE HANDLER REQUEST_LOG_ID SCRIPT_USER SCRIPT_GROUP DOCUMENT_URI LAST_MODIFIED
  CONTEXT_PREFIX CONTEXT_DOCUMENT_ROOT REQUEST_STATUS REMOTE_PORT`;

/**
 * Variables of mod_ssl that only 2.4 has; whatever else begins so and is unknown is empty in both (2.4 ssl_engine_vars.c:
 * ssl_expr_lookup, ssl_var_lookup_ssl).
 */
const OF_SSL_ONLY_IN_24 =
  /^SSL_(?:SESSION_RESUMED|CLIENT_CERT_RFC4523_CEA|SRP_USER(?:INFO)?|(?:CLIENT|SERVER)_(?:SAN_[A-Z0-9_]+|[SI]_DN_[A-Z0-9_]+_RAW))$/i;

const namesIn = (list: string): ReadonlySet<string> => new Set(list.split(/[ \n]+/));
const namesInBoth = namesIn(IN_BOTH);
const namesOnlyIn24 = namesIn(ONLY_IN_24);

/** What a release of 2.4 makes of a variable: `new` is one that 2.2 did not know. */
export function knownVariable(name: string, release: Release = NEWEST): 'old' | 'new' | undefined {
  if (OF_SSL_ONLY_IN_24.test(name)) return 'new';
  if (/^(?:SSL_[A-Z0-9_]*|(?:HTTP|ENV):[^]+)$/i.test(name)) return 'old';
  if (!isKnownIn('variable', name, release)) return undefined;
  if (namesInBoth.has(name.toUpperCase())) return 'old';
  return namesOnlyIn24.has(name.toUpperCase()) ? 'new' : undefined;
}

const FUNCTIONS =
  /^(?:osenv|env|resp|req|http|note|reqenv|req_novary|tolower|toupper|escape|unescape|file|filesize|base64|unbase64|sha1|md5|ldap|ssl)$/i;

/** An address or a network, which 2.4 requires after -R and -ipmatch. */
const ADDRESS = /^["'][0-9a-f.:]+(?:\/[0-9.]+)?["']$/i;

type TokenKind24 = 'text' | 'regex' | 'var' | 'name' | 'test' | 'binary' | 'number' | 'sign';

interface Token24 {
  readonly kind: TokenKind24;
  /** The name of a variable, else the token as written. */
  readonly text: string;
}

/** Why 2.4 refuses an expression. */
export interface ExpressionRefusal {
  /** Why the expression cannot be written, as part of a message. */
  readonly reason: string;
  /** A mistake that a hint can correct. */
  readonly mistake?: 'string-alone' | 'oid-function' | undefined;
}

/** Why 2.4 refuses a text as SSLRequire's argument, if it does (server/util_expr_scan.l, util_expr_parse.y). */
export function refusal24(text: string): ExpressionRefusal | undefined {
  const tokens: Token24[] = [];
  for (let at = 0; at < text.length;) {
    const next = readToken24(text, at);
    if (typeof next === 'string') return { reason: next };
    if (next.token !== undefined) tokens.push(next.token);
    at = next.end;
  }
  const reader = new ExpressionReader24(tokens);
  return reader.condition() && reader.isAtEnd()
    ? undefined
    : (reader.refusedFunction ?? reader.refusalAtEnd());
}

type TokenOrRefusal = string | { readonly end: number; readonly token?: Token24 };

/** In an order in which the first match is the one that the scanner of 2.4 takes. */
const RULES: readonly (readonly [TokenKind24, RegExp])[] = [
  ['sign', /[=!]~|==?|!=|<=?|>=?|&&|\|\||!|\.|[(){},:]/y],
  ['sign', /-(?:in|eq|ne|ge|le|gt|lt)(?![A-Za-z0-9_])/y],
  ['test', /-[A-Za-z_](?![A-Za-z0-9_])/y],
  ['binary', /-[A-Za-z_][A-Za-z0-9_]+/y],
  ['number', /-?[0-9]+/y],
  ['name', /[A-Za-z][A-Za-z0-9_]*/y],
];

function readToken24(text: string, start: number): TokenOrRefusal {
  const blank = matchAt(/[ \t\n]+/y, text, start);
  if (blank !== undefined) return { end: start + blank.length };
  const char = text.charAt(start);
  if (char === '"' || char === "'") return readString(text, start + 1, char);
  if (char === '%' && text.charAt(start + 1) === '{') return readVariable(text, start);
  const backref = matchAt(/\$[0-9]/y, text, start);
  if (backref !== undefined) return { end: start + 2, token: { kind: 'text', text: backref } };
  const open = matchAt(/m[/#$%^,;:?|!.'"-]|m_(?![A-Za-z0-9_])|\//y, text, start);
  if (open !== undefined) {
    const close = text.indexOf(open.charAt(open.length - 1), start + open.length);
    // The scanner reads to the end and returns no token.
    if (close < 0) return { end: text.length };
    const end = text.charAt(close + 1) === 'i' ? close + 2 : close + 1;
    return { end, token: { kind: 'regex', text: text.slice(start, end) } };
  }
  for (const [kind, pattern] of RULES) {
    const found = matchAt(pattern, text, start);
    if (found !== undefined) return { end: start + found.length, token: { kind, text: found } };
  }
  return `${char} cannot be part of an expression`;
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

/** @param start offset after the first quotation mark */
function readString(text: string, start: number, mark: string): TokenOrRefusal {
  for (let at = start; at < text.length;) {
    const char = text.charAt(at);
    if (char === mark) return { end: at + 1, token: { kind: 'text', text: text.slice(start - 1, at + 1) } };
    if (char === '\n') break;
    const next = endOfCharacter(text, at);
    if (typeof next === 'string') return next;
    at = next;
  }
  return 'a string is not closed';
}

/** Reads a character of a string, an escape or a variable. @returns the offset after it, or why 2.4 refuses it */
function endOfCharacter(text: string, at: number): number | string {
  const escape = matchAt(/\\[0-9]+/y, text, at);
  if (escape !== undefined) {
    // 2.4 refuses an escape that is not one to three octal digits, or is above 377.
    if (!/^\\[0-7]{1,3}$/.test(escape) || Number.parseInt(escape.slice(1), 8) > 255)
      return `${escape} in a string is not a character`;
    return at + escape.length;
  }
  if (text.charAt(at) === '\\') return at + 2;
  if (!text.startsWith('%{', at)) return at + 1;
  const variable = readVariable(text, at);
  return typeof variable === 'string' ? variable : variable.end;
}

function readVariable(text: string, start: number): TokenOrRefusal {
  const name = matchAt(/[A-Za-z][A-Za-z0-9_]*/y, text, start + 2) ?? '';
  const at = start + 2 + name.length;
  const textUpTo = (end: number): string => text.slice(start, end);
  const close = text.indexOf('}', at);
  const unknownVariable = (end: number): string => `${textUpTo(end)} is not a variable`;
  if (close < 0) return 'a variable is not closed';
  if (name === '' || (at !== close && text.charAt(at) !== ':')) return unknownVariable(close + 1);
  if (at === close)
    return knownVariable(name) === undefined
      ? unknownVariable(close + 1)
      : { end: close + 1, token: { kind: 'var', text: name } };
  if (!FUNCTIONS.test(name)) return unknownVariable(close + 1);
  for (let end = at + 1; end < text.length;) {
    const char = text.charAt(end);
    if (char === '}')
      return end === at + 1 ? unknownVariable(end + 1) : { end: end + 1, token: { kind: 'var', text: name } };
    if (/["'\n]/.test(char)) return unknownVariable(close + 1);
    const next = endOfCharacter(text, end);
    if (typeof next === 'string') return next;
    end = next;
  }
  return 'a variable is not closed';
}

/** Reads the tokens by the grammar. Each method reads one part of it and returns whether it was there. */
class ExpressionReader24 {
  /** Set if a function is called that 2.4 does not have. */
  refusedFunction: ExpressionRefusal | undefined;
  private at = 0;

  constructor(private readonly tokens: readonly Token24[]) {}

  isAtEnd(): boolean {
    return this.at === this.tokens.length;
  }

  /** What is wrong where reading stopped. */
  refusalAtEnd(): ExpressionRefusal {
    const token = this.tokens[this.at];
    const before = this.tokens[this.at - 1];
    if (this.at === 1 && before?.kind === 'text')
      return { reason: 'a string alone is not a condition', mistake: 'string-alone' };
    if (token === undefined)
      return { reason: before === undefined ? 'it is empty' : 'something is missing at its end' };
    return {
      reason: `${token.kind === 'var' ? `%{${token.text}}` : token.text} is not allowed where it stands`,
    };
  }

  condition(): boolean {
    do if (!this.test()) return false;
    while (this.accept('sign', /^(?:&&|\|\|)$/) || this.accept('name', /^(?:and|or)$/));
    return true;
  }

  private test(): boolean {
    while (this.accept('sign', /^!$/) || this.accept('name', /^not$/));
    if (this.accept('name', /^(?:true|false)$/)) return true;
    if (this.accept('sign', /^\($/)) return this.condition() && this.accept('sign', /^\)$/);
    if (this.accept('test', /^-R$/)) return this.accept('text', ADDRESS);
    if (this.accept('test', /^-[defsLhxFUAnzT]$/)) return this.word();
    return this.word() && this.comparison();
  }

  private comparison(): boolean {
    if (this.accept('sign', /^(?:==?|!=|<=?|>=?|-(?:eq|ne|ge|le|gt|lt))$/)) return this.word();
    if (this.accept('name', /^(?:eq|ne|lt|le|gt|ge)$/)) return this.word();
    if (this.accept('binary', /^-ipmatch$/i)) return this.accept('text', ADDRESS);
    if (this.accept('binary', /^-(?:strmatch|strcmatch|fnmatch)$/i)) return this.word();
    if (this.accept('sign', /^[=!]~$/)) return this.accept('regex', /^/);
    return (this.accept('sign', /^-in$/) || this.accept('name', /^in$/)) && this.list();
  }

  private list(): boolean {
    if (this.accept('sign', /^\{$/)) {
      do if (!this.word()) return false;
      while (this.accept('sign', /^,$/));
      return this.accept('sign', /^\}$/);
    }
    return this.call(/^PeerExtList$/i, 'list');
  }

  private word(): boolean {
    do {
      const simple = this.accept('number', /^/) || this.accept('var', /^/) || this.accept('text', /^/);
      if (!simple && !this.call(FUNCTIONS, 'value')) return false;
    } while (this.accept('sign', /^\.$/));
    return true;
  }

  private call(functions: RegExp, result: string): boolean {
    const name = this.tokens[this.at]?.text ?? '';
    if (this.tokens[this.at]?.kind !== 'name' || this.tokens[this.at + 1]?.text !== '(') return false;
    this.at += 2;
    if (!functions.test(name))
      this.refusedFunction ??= {
        reason: `it has no function ${name}() that returns a ${result}`,
        mistake: name.toLowerCase() === 'oid' ? 'oid-function' : undefined,
      };
    return this.refusedFunction === undefined && this.word() && this.accept('sign', /^\)$/);
  }

  private accept(kind: TokenKind24, pattern: RegExp): boolean {
    const token = this.tokens[this.at];
    if (token?.kind !== kind || !pattern.test(token.text)) return false;
    this.at++;
    return true;
  }
}
