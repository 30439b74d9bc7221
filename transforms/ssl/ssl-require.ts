import type { Edit } from '../../src/edit';
import { defineTransform, type TransformContext } from '../../src/engine';
import { isKnownIn, lifeSpanOf } from '../../src/httpd/lifespan';
import { NEWEST, type Release, nameOf } from '../../src/httpd/release';
import type { Directive } from '../../src/syntax';
import { isCarriedOver, isUnknown } from '../shared/lines';
import { patternForPcre2, patternParts } from '../shared/pattern';

export default defineTransform({
  id: 'ssl-require',
  seed: ['S08'],
  title: 'SSLRequire is read by the new expression parser',
  why: '2.4 reads SSLRequire with the expression parser of the whole server, in a compatible mode. It does not know OID(), takes only some signs around a regular expression, refuses variables that it does not know, and looks for variables and $1 in strings.',
  docs: ['mod_ssl: SSLRequire', 'expr', 'server/util_expr_scan.l', 'modules/ssl/ssl_expr_scan.l of 2.2'],
  directives: ['SSLRequire'],
  run(context) {
    context.directives(['SSLRequire'], (node, place) => {
      if (isCarriedOver(place) && !isUnknown(node.rest)) check(context, node, place.file);
    });
  },
});

type File = Parameters<TransformContext['report']>[0]['file'];

/** What may stand around a regular expression in 2.4, the plainest first. */
const DELIMITERS = '#/,;:|_!^?%$.-'.split('');

/** Variables that 2.4 knows and 2.2 had (server/util_expr_eval.c: the tables of names). */
const VARIABLES = `HTTPS IPV6 REQUEST_METHOD REQUEST_SCHEME REQUEST_URI REQUEST_FILENAME REMOTE_HOST REMOTE_IDENT REMOTE_USER SERVER_ADMIN SERVER_NAME
  SERVER_PORT SERVER_PROTOCOL SCRIPT_FILENAME PATH_INFO QUERY_STRING IS_SUBREQ DOCUMENT_ROOT AUTH_TYPE THE_REQUEST REMOTE_ADDR REMOTE_PORT
  HTTP_USER_AGENT HTTP_PROXY_CONNECTION HTTP_REFERER HTTP_COOKIE HTTP_FORWARDED HTTP_HOST HTTP_ACCEPT TIME_YEAR TIME_MON TIME_DAY
  TIME_HOUR TIME_MIN TIME_SEC TIME_WDAY TIME SERVER_SOFTWARE API_VERSION`;

function check(context: TransformContext, node: Directive, file: File): void {
  const { logical, rest } = node;
  const offset = logical.text.length - rest.length;
  const tokens = readTokens(rest);
  if (tokens === undefined) return;
  const common = { file, at: node.from, level: 'error' as const };
  const unknown = tokens.find(({ kind, text }) => kind === 'variable' && !isKnown(text, context.target));
  if (unknown !== undefined)
    return context.report({
      ...common,
      safety: 'manual',
      message: isKnown(unknown.text, NEWEST)
        ? `${nameOf(context.target)} does not know %{${unknown.text}} yet, which 2.4 has since ${nameOf(lifeSpanOf('variable', unknown.text).since!)}, and does not start: say it in another way`
        : `2.4 does not know %{${unknown.text}} and does not start; in 2.2 it was always empty: say what is meant (a header is %{HTTP:Name})`,
      edits: [],
    });
  const reasons = new Set<string>();
  const edits: Edit[] = [];
  tokens.forEach((token, i) => {
    for (const [start, end, text, reason] of changes(token, tokens[i + 1])) {
      edits.push({ ...logical.span(offset + start, offset + end), text });
      reasons.add(reason);
    }
  });
  if (edits.length > 0)
    context.report({ ...common, safety: 'safe', message: `SSLRequire: ${[...reasons].join('; ')}`, edits });
}

function isKnown(name: string, release: Release): boolean {
  const known = VARIABLES.split(/[ \n]+/).includes(name.toUpperCase());
  return /^(?:SSL_|(?:HTTP|ENV):)/i.test(name) || (known && isKnownIn('variable', name, release));
}

type Piece = readonly [start: number, end: number, text: string, reason: string];

function changes(token: Token, next: Token | undefined): Piece[] {
  const { kind, start, end, text } = token;
  if (kind === 'word' && /^oid$/i.test(text) && next?.text === '(')
    return [[start, end, 'PeerExtList', 'OID() is called PeerExtList() in 2.4']];
  if (kind === 'variable' && end - start !== text.length + 3)
    return [[start, end, `%{${text}}`, '2.4 allows no blanks in %{...}']];
  if (kind === 'string') {
    const reason = '2.4 would put in something for %{...} and $0 to $9 in a string';
    return [...text.matchAll(/\\[^]|%(?=\{)|[$](?=[0-9])/g)]
      .filter(([found]) => !found.startsWith('\\'))
      .map(({ index }): Piece => [start + index, start + index, '\\', reason]);
  }
  return kind === 'regex' ? [...delimited(token), ...forPcre2(token)] : [];
}

/** The parts of a regular expression that PCRE2 does not read as PCRE 8 did, where their meaning is certain. */
function forPcre2({ start, text }: Token): Piece[] {
  if (patternForPcre2(text) === undefined) return [];
  return patternParts(text).map((part): Piece => [
    start + 2 + part.start,
    start + 2 + part.end,
    part.text ?? '',
    `PCRE2 does not take ${part.found} in a regular expression`,
  ]);
}

/** The same regular expression between marks that 2.4 takes. */
function delimited({ start, text, mark = '' }: Token): Piece[] {
  if (`${DELIMITERS.join('')}'"`.includes(mark)) return [];
  const other = DELIMITERS.find((sign) => !text.includes(sign));
  if (other === undefined) return [];
  const close = start + 2 + text.length;
  const reason = `2.4 takes no ${mark} around a regular expression`;
  return [start + 1, close].map((at): Piece => [at, at + 1, other, reason]);
}

/** A token of 2.2's expressions that 2.4 may read in another way; offsets into the text. */
interface Token {
  readonly kind: 'string' | 'regex' | 'variable' | 'word' | 'sign';
  readonly start: number;
  readonly end: number;
  /** Of a variable its name, of a regex what stands between its marks, else the token. */
  readonly text: string;
  /** The sign around a regex. */
  readonly mark?: string | undefined;
}

/** Reads the argument of SSLRequire in 2.2's way (modules/ssl/ssl_expr_scan.l); undefined where 2.2 would refuse it. */
function readTokens(text: string): Token[] | undefined {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length;) {
    if (/[ \t\n]/.test(text.charAt(at))) {
      at++;
      continue;
    }
    const token = readToken(text, at);
    if (token === undefined) return undefined;
    tokens.push(token);
    at = token.end;
  }
  return tokens;
}

function readToken(text: string, start: number): Token | undefined {
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = start;
    return pattern.exec(text);
  };
  const token = (kind: Token['kind'], found: RegExpExecArray, value = found[0]): Token => ({
    kind,
    start,
    end: start + found[0].length,
    text: value,
  });
  const string = match(/"(?:[^"\\\n]|\\[^])*"/y);
  if (string !== null) return token('string', string);
  if (text.charAt(start) === '"') return undefined;
  const variable = match(/%[ \t\n]*\{[ \t\n]*([A-Za-z][\w:-]*)[ \t\n]*\}/y);
  if (variable !== null) return token('variable', variable, variable[1]);
  const word = match(/[A-Za-z][\w:-]*/y);
  if (word !== null && !/^m.?$/.test(word[0])) return token('word', word);
  const regex = match(/m([^\n])([^]*?)\1i?/y);
  if (regex === null && /^m[^]/.test(text.slice(start, start + 2))) return undefined;
  if (regex !== null) return { ...token('regex', regex, regex[2]), mark: regex[1] };
  const sign = match(/[0-9]+|[=!<>]=|[=!]~|&&|\|\||[^]/y);
  return sign === null ? undefined : token('sign', sign);
}
