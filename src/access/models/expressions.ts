import { findsPattern } from '../../regex';
import {
  AT_LAST_NAME,
  BoundedMap,
  DIRECTORY,
  type AccessRequest,
  hasOpenChoice,
  memo,
  shownPath,
} from '../primitives';

type ExprRequest = Pick<AccessRequest, 'uri' | 'filename' | 'server' | 'tls'>;

/** The value of an expression, or of a part of one; undefined where it is not known. */
type ExprTest = (request: ExprRequest) => boolean | undefined;

/**
 * Evaluates the part of 2.4's expressions that the rewrite itself uses: tests of the file name, the URL and the server with `&&`,
 * `||` and parentheses (2.4 server/util_expr_parse.y). Undefined for anything else.
 */
export function evaluateExpr(text: string, request: ExprRequest): boolean | undefined {
  return testOf(text)(request);
}

/** An expression is asked about many requests. */
const testOf = memo(
  (text: string): ExprTest => readTest(text.match(TOKENS) ?? []) ?? notKnown,
  new BoundedMap(10_000),
);

const notKnown: ExprTest = () => undefined;

const TOKENS =
  /%\{REQUEST_(?:FILENAME|URI)\} [=!]~ m#[^#]*#|%\{(?:DOCUMENT_ROOT|HTTPS)\} [=!]= '[^']*'|%\{SERVER_NAME\} [=!]~ m#[^#]*#i|%\{(?:SSL_\w+|REMOTE_ADDR)\} (?:[=!]= '[^']*'|[=!]~ m#[^#]*#i?|-in \{[^}]*\}|-\w\w \d+)|(?:! )?-d %\{REQUEST_FILENAME\}|!(?=\()|&&|\|\||[()]|[^ \t\n]+/g;

/** How many parentheses and negations may be open, each of which is read by recursion: the rewrite itself writes a few. */
const MAX_OPEN = 200;

/** Reads the words of an expression; undefined where they are none. */
function readTest(tokens: readonly string[]): ExprTest | undefined {
  let at = 0;
  let open = 0;
  const joined = (sign: string, settles: boolean, part: () => ExprTest | undefined): ExprTest | undefined => {
    const parts = [part()];
    while (tokens[at] === sign) {
      at++;
      parts.push(part());
    }
    return joinedTest(parts, settles);
  };
  const either = (): ExprTest | undefined => joined('||', true, both);
  const both = (): ExprTest | undefined => joined('&&', false, operand);
  const operand = (): ExprTest | undefined => {
    const token = tokens[at++];
    if (token !== '!' && token !== '(') return token === undefined ? undefined : comparisonOf(token);
    if (open >= MAX_OPEN) return undefined;
    open++;
    const test = token === '!' ? operand() : either();
    open--;
    if (token === '!') return test && negated(test);
    return tokens[at++] === ')' ? test : undefined;
  };
  const test = either();
  return at === tokens.length ? test : undefined;
}

/** What several tests say together, the first that settles it; undefined where one of them is none. */
function joinedTest(parts: readonly (ExprTest | undefined)[], settles: boolean): ExprTest | undefined {
  const joined = parts.flatMap((part) => part ?? []);
  if (joined.length < parts.length) return undefined;
  if (joined.length === 1) return joined[0];
  return (request) => {
    let isKnown = true;
    for (const test of joined) {
      const value = test(request);
      if (value === settles) return settles;
      isKnown &&= value !== undefined;
    }
    return isKnown ? !settles : undefined;
  };
}

const negated =
  (test: ExprTest): ExprTest =>
  (request) => {
    const value = test(request);
    return value === undefined ? undefined : !value;
  };

/** Whether a text is of that part, so that what it says hangs on the request alone. */
export function readsExpr(text: string): boolean {
  return (text.match(TOKENS) ?? []).every((token) => FORM.test(token));
}

const FORM = /^(?:%\{(?!SSL_|REMOTE_ADDR).* [=!](?:=|~ m#).*|(?:! )?-d %.*|&&|\|\||[()])$/s;

/** A comparison; one that cannot be read is not known. */
function comparisonOf(token: string): ExprTest {
  if (token === DIRECTORY.text || token === DIRECTORY.negation)
    return ({ filename }) => filename.endsWith('/') === (token === DIRECTORY.text);
  const [, field, equals, value] = /^%\{(DOCUMENT_ROOT|HTTPS)\} ([=!])= '([^']*)'$/.exec(token) ?? [];
  if (field !== undefined)
    return ({ server, tls: isOverTls }) => {
      const isOn = server?.tls ?? isOverTls;
      const tls = isOn === undefined ? undefined : isOn ? 'on' : 'off';
      const known = field === 'HTTPS' ? tls : server?.documentRoot;
      return known === undefined ? undefined : (known === value) === (equals === '=');
    };
  const [, ofName, name] = /^%\{SERVER_NAME\} ([=!])~ m#([^#]*)#i$/.exec(token) ?? [];
  if (name !== undefined)
    return ({ server }) => {
      const known = server?.name?.names[0];
      const found = known === undefined ? undefined : findsPattern(name, known, true);
      return found === undefined ? undefined : found === (ofName === '=');
    };
  const [, part, sign, regex] = /^%\{REQUEST_(FILENAME|URI)\} ([=!])~ m#([^#]*)#$/.exec(token) ?? [];
  if (regex === undefined) return notKnown;
  const matches = finderWithLastName(regex);
  return ({ uri, filename }) => {
    const found = matches(part === 'URI' ? uri : shownPath(filename));
    return found === undefined ? undefined : found === (sign === '=');
  };
}

/** Like {@link findsPattern}, for a regex that may begin with {@link AT_LAST_NAME}, which has no linear form. */
function finderWithLastName(regex: string): (text: string) => boolean | undefined {
  if (!regex.startsWith(AT_LAST_NAME)) return (text) => findsPattern(regex, text);
  const rest = regex.slice(AT_LAST_NAME.length);
  if (hasOpenChoice(rest)) return () => undefined;
  const ofName = `^/${rest}`;
  return (text) => {
    const slash = text.lastIndexOf('/');
    return slash >= 0 && findsPattern(ofName, text.slice(slash));
  };
}
