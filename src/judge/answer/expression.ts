import { Unreadable, finds } from '../text';

/** What a `%{NAME}` of an expression stands for; IS_DIRECTORY is empty where the file is none. */
export type Variables = Readonly<Record<string, string>>;

const TOKEN =
  /[ \t]*(?:(\|\||&&|[()]|![~]|=~|==|!=|!)|(%\{\w+\})|m#((?:[^#\\]|\\.)*)#(i?)|\/((?:[^/\\]|\\.)*)\/(i?)|'([^']*)'|"([^"]*)"|(-[A-Za-z]+)|([^ \t()'"!=&|]+))/y;

interface Token {
  readonly kind: 'sign' | 'variable' | 'regex' | 'word' | 'test';
  readonly text: string;
  readonly flags: string;
}

/** How many parentheses and negations are open at most, each of which is read by recursion. */
const MAX_OPEN = 200;

/** Evaluates what `Require expr` says, as far as it asks for variables, words and regular expressions. @throws Unreadable */
export function holds(expression: string, variables: Variables): boolean {
  const tokens = tokensOf(expression);
  let at = 0;
  const isSign = (text: string): boolean => tokens[at]?.kind === 'sign' && tokens[at]?.text === text;
  const either = (): boolean => {
    let value = both();
    while (isSign('||')) {
      at++;
      const right = both();
      value = value || right;
    }
    return value;
  };
  const both = (): boolean => {
    let value = single();
    while (isSign('&&')) {
      at++;
      const right = single();
      value = value && right;
    }
    return value;
  };
  let open = 0;
  const single = (): boolean => {
    if (open >= MAX_OPEN) throw new Unreadable(expression);
    open++;
    const value = operand();
    open--;
    return value;
  };
  const operand = (): boolean => {
    if (isSign('!')) {
      at++;
      return !single();
    }
    if (isSign('(')) {
      at++;
      const value = either();
      if (!isSign(')')) throw new Unreadable(expression);
      at++;
      return value;
    }
    if (tokens[at]?.kind === 'test') return isDirectory(expression, tokens.slice(at, (at += 2)), variables);
    return comparison(expression, tokens.slice(at, (at += 3)), variables);
  };
  const value = either();
  if (at !== tokens.length) throw new Unreadable(expression);
  return value;
}

function tokensOf(expression: string): Token[] {
  const text = expression.trim();
  const tokens: Token[] = [];
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < text.length;) {
    const found = TOKEN.exec(text);
    if (found === null) throw new Unreadable(expression);
    const [, sign, variable, hashed, hashFlags, slashed, slashFlags, single, double, test, word] = found;
    const regex = hashed ?? slashed;
    if (sign !== undefined) tokens.push({ kind: 'sign', text: sign, flags: '' });
    else if (variable !== undefined)
      tokens.push({ kind: 'variable', text: variable.slice(2, -1), flags: '' });
    else if (regex !== undefined)
      tokens.push({ kind: 'regex', text: regex, flags: hashFlags ?? slashFlags ?? '' });
    else if (test !== undefined) tokens.push({ kind: 'test', text: test, flags: '' });
    else tokens.push({ kind: 'word', text: single ?? double ?? word ?? '', flags: '' });
  }
  return tokens;
}

function comparison(expression: string, tokens: readonly Token[], variables: Variables): boolean {
  const [left, operator, right] = tokens;
  if (left === undefined || operator?.kind !== 'sign' || right === undefined)
    throw new Unreadable(expression);
  const value =
    left.kind === 'variable' ? variables[left.text] : left.kind === 'word' ? left.text : undefined;
  if (value === undefined) throw new Unreadable(expression);
  if (operator.text === '=~' || operator.text === '!~') {
    if (right.kind !== 'regex') throw new Unreadable(expression);
    return findsIn(right.text, value, right.flags === 'i') === (operator.text === '=~');
  }
  if (right.kind !== 'word' || (operator.text !== '==' && operator.text !== '!='))
    throw new Unreadable(expression);
  return (value === right.text) === (operator.text === '==');
}

/** A slash that no other follows: what comes behind it is the name of the file. */
const AT_NAME = '/(?=[^/]*$)[^/]*?';

/** Whether a pattern finds something; behind {@link AT_NAME}, whether it does in the last name of a path. @throws Unreadable */
function findsIn(pattern: string, text: string, ignoreCase: boolean): boolean {
  if (!pattern.startsWith(AT_NAME)) return finds(pattern, text, ignoreCase);
  const rest = pattern.slice(AT_NAME.length);
  const name = text.slice(text.lastIndexOf('/') + 1);
  // A choice would be one between all of the pattern and what stands behind its bar.
  if (!text.includes('/') || hasChoice(rest) || /[/^]/.test(rest)) throw new Unreadable(pattern);
  return finds(rest, name, ignoreCase);
}

/** Whether a pattern has a bar that stands in no group. */
function hasChoice(pattern: string): boolean {
  let depth = 0;
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern[i];
    if (char === '\\') i++;
    else if (char === '[' || char === '(') depth++;
    else if (char === ']' || char === ')') depth--;
    else if (char === '|' && depth === 0) return true;
  }
  return false;
}

function isDirectory(expression: string, [test, what]: readonly Token[], variables: Variables): boolean {
  if (test?.text !== '-d' || what?.kind !== 'variable' || what.text !== 'REQUEST_FILENAME')
    throw new Unreadable(expression);
  return variables['IS_DIRECTORY'] !== '';
}
