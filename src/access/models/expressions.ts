import { findsPattern } from '../../regex';
import { AT_LAST_NAME, type AccessRequest, hasOpenChoice } from '../primitives';

/**
 * Evaluates the part of 2.4's expressions that the rewrite itself uses: regex tests of the file name and the URL with `&&`, `||` and
 * parentheses (2.4 server/util_expr_parse.y). Undefined for anything else.
 */
export function evaluateExpr(
  text: string,
  request: Pick<AccessRequest, 'uri' | 'filename'>,
): boolean | undefined {
  const { uri, filename } = request;
  if (text !== last?.text || uri !== last.uri || filename !== last.filename)
    last = { text, uri, filename, value: evaluateText(text, request) };
  return last.value;
}

/** All clients are asked about one file in turn. */
let last:
  | {
      readonly text: string;
      readonly uri: string;
      readonly filename: string;
      readonly value: boolean | undefined;
    }
  | undefined;

function evaluateText(text: string, request: Pick<AccessRequest, 'uri' | 'filename'>): boolean | undefined {
  const tokens = text.match(/%\{REQUEST_(?:FILENAME|URI)\} [=!]~ m#[^#]*#|&&|\|\||[()]|[^ \t\n]+/g) ?? [];
  let at = 0;
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
    const token = tokens[at++];
    if (token === '(') {
      const value = either();
      return tokens[at++] === ')' ? value : undefined;
    }
    const parts = /^%\{REQUEST_(FILENAME|URI)\} ([=!])~ m#([^#]*)#$/.exec(token ?? '');
    if (parts === null) return undefined;
    const found = findsWithLastName(parts[3]!, parts[1] === 'URI' ? request.uri : request.filename);
    return found === undefined ? undefined : found === (parts[2] === '=');
  };
  const value = either();
  return at === tokens.length ? value : undefined;
}

/** As {@link findsPattern}, of a regex that may begin with {@link AT_LAST_NAME}, which is no part of what can be matched in linear time. */
function findsWithLastName(regex: string, text: string): boolean | undefined {
  if (!regex.startsWith(AT_LAST_NAME)) return findsPattern(regex, text);
  const rest = regex.slice(AT_LAST_NAME.length);
  if (hasOpenChoice(rest)) return undefined;
  const slash = text.lastIndexOf('/');
  return slash >= 0 && findsPattern(`^/${rest}`, text.slice(slash));
}
