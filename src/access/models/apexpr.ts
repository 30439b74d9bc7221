import type { AccessRequest } from '../primitives';

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
  const tokens = text.match(/%\{REQUEST_(?:FILENAME|URI)\} [=!]~ m#[^#]*#|&&|\|\||[()]|[^\s]+/g) ?? [];
  let at = 0;
  const either = (): boolean | undefined => {
    let value = both();
    while (tokens[at] === '||') {
      at++;
      const right = both();
      value = value === undefined || right === undefined ? undefined : value || right;
    }
    return value;
  };
  const both = (): boolean | undefined => {
    let value = test();
    while (tokens[at] === '&&') {
      at++;
      const right = test();
      value = value === undefined || right === undefined ? undefined : value && right;
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
    try {
      const subject = parts[1] === 'URI' ? request.uri : request.filename;
      return new RegExp(parts[3]!).test(subject) === (parts[2] === '=');
    } catch {
      return undefined;
    }
  };
  const value = either();
  return at === tokens.length ? value : undefined;
}
