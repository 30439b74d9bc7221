import { findsPattern } from '../../regex';
import { AT_LAST_NAME, DIRECTORY, type AccessRequest, hasOpenChoice, shownPath } from '../primitives';

/** What expressions look at. */
type ExprRequest = Pick<AccessRequest, 'uri' | 'filename' | 'server' | 'tls'>;

/**
 * Evaluates the part of 2.4's expressions that the rewrite itself uses: tests of the file name, the URL and the server with `&&`,
 * `||` and parentheses (2.4 server/util_expr_parse.y). Undefined for anything else.
 */
export function evaluateExpr(text: string, request: ExprRequest): boolean | undefined {
  const { uri, filename, server, tls } = request;
  if (text === last?.text && tls === last.request.tls && uri === last.request.uri && filename === last.request.filename && server === last.request.server) return last.value; // prettier-ignore
  const value = evaluateText(text, request);
  last = { text, request, value };
  return value;
}

/** All clients are asked about one file in turn. */
let last:
  { readonly text: string; readonly request: ExprRequest; readonly value: boolean | undefined } | undefined;

const TOKENS =
  /%\{REQUEST_(?:FILENAME|URI)\} [=!]~ m#[^#]*#|%\{(?:DOCUMENT_ROOT|HTTPS)\} [=!]= '[^']*'|%\{SERVER_NAME\} [=!]~ m#[^#]*#i|%\{(?:SSL_\w+|REMOTE_ADDR)\} (?:[=!]= '[^']*'|[=!]~ m#[^#]*#i?|-in \{[^}]*\}|-\w\w \d+)|(?:! )?-d %\{REQUEST_FILENAME\}|!(?=\()|&&|\|\||[()]|[^ \t\n]+/g;

/** How many parentheses and negations may be open, each of which is read by recursion: the rewrite itself writes a few. */
const MAX_OPEN = 200;

function evaluateText(text: string, request: ExprRequest): boolean | undefined {
  const tokens = text.match(TOKENS) ?? [];
  let at = 0;
  let open = 0;
  const either = (): boolean | undefined => {
    let value = both();
    while (tokens[at] === '||') {
      at++;
      const right = both();
      value = value === true || right === true ? true : value === undefined ? undefined : right;
    }
    return value;
  };
  const both = (): boolean | undefined => {
    let value = test();
    while (tokens[at] === '&&') {
      at++;
      const right = test();
      value = value === false || right === false ? false : value && right;
    }
    return value;
  };
  const test = (): boolean | undefined => {
    // Not all tokens are used then, so that nothing is known.
    if (open >= MAX_OPEN) return undefined;
    open++;
    const value = operand();
    open--;
    return value;
  };
  const operand = (): boolean | undefined => {
    const token = tokens[at++];
    if (token === '!') {
      const value = test();
      return value === undefined ? undefined : !value;
    }
    if (token !== '(') return comparison(token ?? '', request);
    const value = either();
    return tokens[at++] === ')' ? value : undefined;
  };
  const value = either();
  return at === tokens.length ? value : undefined;
}

/** Whether a text is of that part, so that what it says hangs on the request alone. */
export function readsExpr(text: string): boolean {
  return (text.match(TOKENS) ?? []).every((token) => FORM.test(token));
}

const FORM = /^(?:%\{(?!SSL_|REMOTE_ADDR).* [=!](?:=|~ m#).*|(?:! )?-d %.*|&&|\|\||[()])$/s;

function comparison(
  token: string,
  { uri, filename, server, tls: isOverTls }: ExprRequest,
): boolean | undefined {
  if (token === DIRECTORY.text || token === DIRECTORY.negation)
    return filename.endsWith('/') === (token === DIRECTORY.text);
  const ofServer = /^%\{(DOCUMENT_ROOT|HTTPS)\} ([=!])= '([^']*)'$/.exec(token);
  if (ofServer !== null) {
    const [, field, sign, value] = ofServer;
    const isOn = server?.tls ?? isOverTls;
    const tls = isOn === undefined ? undefined : isOn ? 'on' : 'off';
    const known = field === 'HTTPS' ? tls : server?.documentRoot;
    return known === undefined ? undefined : (known === value) === (sign === '=');
  }
  const byName = /^%\{SERVER_NAME\} ([=!])~ m#([^#]*)#i$/.exec(token);
  if (byName !== null) {
    const name = server?.name?.names[0];
    const found = name === undefined ? undefined : findsPattern(byName[2]!, name, true);
    return found === undefined ? undefined : found === (byName[1] === '=');
  }
  const parts = /^%\{REQUEST_(FILENAME|URI)\} ([=!])~ m#([^#]*)#$/.exec(token);
  if (parts === null) return undefined;
  const found = findsWithLastName(parts[3]!, parts[1] === 'URI' ? uri : shownPath(filename));
  return found === undefined ? undefined : found === (parts[2] === '=');
}

/**
 * Answers like {@link findsPattern} for a regex that may begin with {@link AT_LAST_NAME}, which is no part of what can be matched
 * in linear time.
 */
function findsWithLastName(regex: string, text: string): boolean | undefined {
  if (!regex.startsWith(AT_LAST_NAME)) return findsPattern(regex, text);
  const rest = regex.slice(AT_LAST_NAME.length);
  if (hasOpenChoice(rest)) return undefined;
  const slash = text.lastIndexOf('/');
  return slash >= 0 && findsPattern(`^/${rest}`, text.slice(slash));
}
