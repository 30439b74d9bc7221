/** A token of 2.2's expressions, with its offsets in the text. */
export interface Token22 {
  readonly kind: 'string' | 'regex' | 'variable' | 'word' | 'sign';
  readonly start: number;
  readonly end: number;
  /** The name of a variable, the text between the marks of a regex, else the token itself. */
  readonly text: string;
  /** The delimiter of a regex. */
  readonly mark?: string | undefined;
}

/** Reads the argument of SSLRequire as 2.2 does (modules/ssl/ssl_expr_scan.l); undefined if 2.2 refuses it. */
export function readTokens22(text: string): Token22[] | undefined {
  const tokens: Token22[] = [];
  for (let at = 0; at < text.length;) {
    if (/[ \t\n]/.test(text.charAt(at))) {
      at++;
      continue;
    }
    const token = readToken22(text, at);
    if (token === undefined) return undefined;
    tokens.push(token);
    at = token.end;
  }
  return tokens;
}

function readToken22(text: string, start: number): Token22 | undefined {
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = start;
    return pattern.exec(text);
  };
  const token = (kind: Token22['kind'], found: RegExpExecArray, value = found[0]): Token22 => ({
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

/** The keywords of 2.2's expressions, which are case-sensitive except for `oid`. */
const KEYWORDS = /^(?:eq|ne|lt|le|gt|ge|and|or|not|in|file|true|false|[Oo][Ii][Dd]|m.?)$/;

const COMPARE = /^(?:eq|ne|lt|le|gt|ge|==|!=|<|<=|>|>=)$/;

/** Whether 2.2 accepts these tokens as the argument of SSLRequire (modules/ssl/ssl_expr_parse.y of 2.2). */
export function isExpression22(tokens: readonly Token22[]): boolean {
  const reader = new ExpressionReader22(tokens);
  return reader.condition() && reader.isAtEnd();
}

/** Reads the tokens by the grammar. Each method reads one part of it and returns whether it was there. */
class ExpressionReader22 {
  private at = 0;

  constructor(private readonly tokens: readonly Token22[]) {}

  isAtEnd(): boolean {
    return this.at === this.tokens.length;
  }

  /** The precedence of `and` and `or` does not matter here. */
  condition(): boolean {
    do if (!this.test()) return false;
    while (this.accept(/^(?:and|or|&&|\|\|)$/));
    return true;
  }

  private test(): boolean {
    while (this.accept(/^(?:not|!)$/));
    if (this.accept(/^(?:true|false)$/)) return true;
    if (this.accept(/^\($/)) return this.condition() && this.accept(/^\)$/);
    return this.word() && this.comparison();
  }

  private comparison(): boolean {
    if (this.accept(COMPARE)) return this.word();
    if (this.accept(/^[=!]~$/)) return this.acceptKind('regex') !== undefined;
    return this.accept(/^in$/) && this.list();
  }

  private list(): boolean {
    if (this.accept(/^oid$/i)) return this.accept(/^\($/) && this.word() && this.accept(/^\)$/);
    if (!this.accept(/^\{$/)) return false;
    do if (!this.word()) return false;
    while (this.accept(/^,$/));
    return this.accept(/^\}$/);
  }

  private word(): boolean {
    if (this.accept(/^file$/))
      return this.accept(/^\($/) && this.acceptKind('string') !== undefined && this.accept(/^\)$/);
    const variable = this.acceptKind('variable');
    if (variable !== undefined) return !KEYWORDS.test(variable.text);
    return this.acceptKind('string') !== undefined || this.accept(/^[0-9]+$/);
  }

  /** Accepts a keyword or a sign, but no string. */
  private accept(pattern: RegExp): boolean {
    const token = this.tokens[this.at];
    if (token === undefined || (token.kind !== 'word' && token.kind !== 'sign') || !pattern.test(token.text))
      return false;
    this.at++;
    return true;
  }

  private acceptKind(kind: Token22['kind']): Token22 | undefined {
    const token = this.tokens[this.at];
    if (token?.kind !== kind) return undefined;
    this.at++;
    return token;
  }
}
