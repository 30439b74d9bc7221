/** A token of 2.2's expressions that 2.4 may read in another way; offsets into the text. */
export interface Token {
  readonly kind: 'string' | 'regex' | 'variable' | 'word' | 'sign';
  readonly start: number;
  readonly end: number;
  /** Of a variable its name, of a regex what stands between its marks, else the token. */
  readonly text: string;
  /** The sign around a regex. */
  readonly mark?: string | undefined;
}

/** Reads the argument of SSLRequire in 2.2's way (modules/ssl/ssl_expr_scan.l); undefined where 2.2 would refuse it. */
export function readTokens(text: string): Token[] | undefined {
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
