/** What a shell script does to a variable. */
export interface ShellSetting {
  /** Without quotes; undefined where it is not known. */
  readonly value: string | undefined;
  /** Whether it comes behind what the variable has: `+=`. */
  readonly adds: boolean;
  /** Whether the shell surely comes to it. */
  readonly sure: boolean;
  /** Where the command of the setting begins. */
  readonly at: number;
}

interface Command {
  readonly words: readonly string[];
  readonly at: number;
  /** What stands before it and behind it: a line end, an operator, or nothing. */
  readonly before: string;
  readonly after: string;
}

const TOKEN =
  /(?<space>(?:[ \t]|\\\r?\n)+|#[^\n]*)|(?<operator>\r?\n|&&|\|\||;;|[;&|()])|(?<word>(?:\\[^]|'[^']*'|"[^"\\]*(?:\\[^][^"\\]*)*"|[^ \t\r\n;&|()\\'"])+)/y;

/** Words that a command follows, or that stand alone, with what they open and close. */
const RESERVED: ReadonlyMap<string, { readonly opens?: true; readonly closes?: true }> = new Map([
  ['if', { opens: true }],
  ['while', { opens: true }],
  ['until', { opens: true }],
  ['{', { opens: true }],
  ['then', {}],
  ['elif', {}],
  ['else', {}],
  ['do', {}],
  ['!', {}],
  ['fi', { closes: true }],
  ['done', { closes: true }],
  ['}', { closes: true }],
]);

/** What may leave the script, or set a variable that it does not name. */
const LEAVING = new Set(['exit', 'return', 'exec', 'break', 'continue']);
const UNKNOWN = new Set(['.', 'source', 'eval']);

const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)(\+?)=([^]*)$/;

/**
 * What a script sets a variable to, in its order, as far as that is known without a shell.
 * @returns undefined where the text cannot be told from what it quotes
 */
export function shellSettings(text: string, variable: string): readonly ShellSetting[] | undefined {
  const commands = commandsOf(text);
  if (commands === undefined) return undefined;
  const settings: ShellSetting[] = [];
  const opened: string[] = [];
  let mayHaveLeft = false;
  for (const { words, at, before, after } of commands) {
    if (before === '(') opened.push('(');
    if (before === ')' && opened.at(-1) === '(') opened.pop();
    const [first = '', ...rest] = withoutReserved(words, opened);
    const sure = !mayHaveLeft && opened.length === 0 && isEnd(before) && isEnd(after) && first === words[0];
    const assigned = first === 'export' ? rest : [first, ...rest];
    const matches = assigned.map((word) => ASSIGNMENT.exec(word));
    const isAssignment = matches.every((match) => match !== null);
    for (const match of matches)
      if (match?.[1] === variable)
        settings.push({ value: unquoted(match[3]!), adds: match[2] !== '', sure: sure && isAssignment, at });
    if (UNKNOWN.has(first) || (first === 'unset' && rest.includes(variable)))
      settings.push({ value: undefined, adds: false, sure: false, at });
    mayHaveLeft ||= LEAVING.has(first);
  }
  return settings;
}

/** Characters of a shell file that is read: nobody writes more to set a few names. */
const MAX_LENGTH = 100_000;

/** A script as its commands; undefined where it is too long, a quote has no end, or a text follows that is no command (`<<`). */
function commandsOf(text: string): readonly Command[] | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const commands: Command[] = [];
  let words: string[] = [];
  let start = 0;
  let before = '';
  for (let at = 0; at < text.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(text);
    if (found === null) return undefined;
    const { word, operator } = found.groups!;
    if (word !== undefined) {
      if (word.includes('<<')) return undefined;
      if (words.length === 0) start = at;
      words.push(word);
    } else if (
      operator !== undefined &&
      !(operator.endsWith('\n') && words.length === 0 && /^(?:&&|\|)/.test(before))
    ) {
      commands.push({ words, at: start, before, after: operator });
      words = [];
      before = operator;
    }
  }
  return [...commands, { words, at: start, before, after: '' }];
}

/** A command without the reserved words in front. @param opened what it is in; gets what they open, and loses what they close */
function withoutReserved(words: readonly string[], opened: string[]): readonly string[] {
  for (const [i, word] of words.entries()) {
    const reserved = RESERVED.get(word);
    if (reserved?.opens) opened.push(word);
    if (reserved?.closes || word === 'esac') opened.pop();
    if (reserved !== undefined || word === 'esac') continue;
    // What follows these is no command.
    if (['case', 'for', 'select', 'function'].includes(word)) {
      if (word !== 'function') opened.push(word);
      return [];
    }
    return words.slice(i);
  }
  return [];
}

function isEnd(operator: string): boolean {
  return operator === '' || operator === ';' || operator.endsWith('\n');
}

/** What quotes and escapes leave of a word; undefined where a command fills it in. */
function unquoted(word: string): string | undefined {
  if (/`|\$\(/.test(word)) return undefined;
  return word.replace(/\\\r?\n/g, '').replace(/'([^']*)'|"([^"\\]*(?:\\[^][^"\\]*)*)"/g, '$1$2');
}
