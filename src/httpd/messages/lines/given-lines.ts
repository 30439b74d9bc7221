import { findDirective } from '../../directives';

/** A section that is around a line. */
export interface GivenSection {
  /** In small letters. */
  readonly name: string;
  readonly argument: string;
  /** Whether its end was given as well. */
  isClosed: boolean;
}

/** A line of a configuration in a question. */
export interface GivenLine {
  /** With single blanks between its words. */
  readonly text: string;
  /** In small letters. */
  readonly name: string;
  /** What stands behind the name, without quotation marks. */
  readonly words: readonly string[];
  /** The sections around it, the outermost first, without those that only ask what is there. */
  readonly within: readonly GivenSection[];
  /** Whether the line stands in a block of <IfModule>, <IfDefine> or <IfVersion>. */
  readonly isConditional: boolean;
}

/** A question, and the lines of a configuration in it. */
export interface GivenLines {
  readonly all: readonly GivenLine[];
  /** The lines as one text, each as {@link GivenLine.text}; comments are left out. */
  readonly text: string;
  /** What stands around the lines. */
  readonly prose: string;
  /** Whether the lines are said to be those of a .htaccess, and no other file is named. */
  readonly isHtaccess: boolean;
  /** Whether dots or a word stand where lines were left out. */
  readonly isElided: boolean;
}

/** Words of modules of others whose lines are known here. */
const OF_OTHERS = /^(?:WSGI[A-Z]\w+|php_(?:admin_)?(?:value|flag))$/i;

/** What quotes a line within a sentence. */
const QUOTED = /(["'])(?=([A-Z][A-Za-z]{3,40}) )((?:(?!\1)[^\n]){1,300})\1/g;

/** Finds the lines of a configuration in a question. @param question bytes */
export function givenLines(question: string): GivenLines {
  const all: GivenLine[] = [];
  const prose: string[] = [];
  const open: GivenSection[] = [];
  for (const whole of linesOf(question)) {
    const text = whole.replace(/[ \t]+/g, ' ').replace(/^(?:[-*] |\d{1,2}[.)] )(?=[<A-Z])/, '');
    const [, closing, tag, word = ''] = /^(?:<(\/)|(<))?([A-Za-z]\w*)(?=[ >]|$)/.exec(text) ?? [];
    const name = word.toLowerCase();
    // Who begins a line with Error tells of one.
    const isKnown = name !== 'error' && (findDirective(word) !== undefined || OF_OTHERS.test(word));
    if (text.startsWith('#') || !isKnown || isSentence(text)) {
      if (!text.startsWith('#')) prose.push(text);
    } else if (closing !== undefined) {
      const at = open.map((section) => section.name).lastIndexOf(name);
      for (const section of at < 0 ? [] : open.splice(at)) section.isClosed = true;
    } else {
      const rest = text.slice(word.length + (tag === undefined ? 0 : 1)).trim();
      const argument = tag === undefined ? rest : rest.replace(/>[^>]*$/, '').trim();
      all.push({
        text,
        name: tag === undefined ? name : `<${name}`,
        words: wordsOf(argument),
        within: open.filter(({ name: around }) => !IS_CONDITION.test(around)),
        isConditional: open.some(({ name: around }) => IS_CONDITION.test(around)),
      });
      if (tag !== undefined && rest.includes('>'))
        open.push({ name, argument: wordsOf(argument).join(' '), isClosed: false });
    }
  }
  const said = prose.join('\n');
  return {
    all,
    text: all.map(({ text }) => text).join('\n'),
    prose: said,
    isElided: /^[ \t#/*[<(]*(?:\.{2,}|\xe2\x80\xa6|(?:snip|cut|etc|more|other)\b)/im.test(question),
    isHtaccess:
      /\bht-?access\b/i.test(said) &&
      !/\bv(?:irtual)?[ -]?hosts?\b|\b(?:httpd|apache2?|ports|default\w*)\.conf\b|\bsites-|\bserver config/i.test(
        said,
      ) &&
      !all.some(({ name }) => /^<(?:virtualhost|directory|location)/.test(name)),
  };
}

/** Whether a line that begins with the name of a directive is a sentence about it. */
function isSentence(text: string): boolean {
  const rest = text.replace(/"[^"]*"|'[^']*'/g, '""').replace(/ #.*$/, '');
  return (
    (!/^AuthName |^<If/i.test(text) && WORDS_OF_SENTENCES.test(rest)) ||
    /[a-z]{2}[?!:]$| (?:ignored|errors?|works?|broken|fails?|refused|nothing|missing|working|problems?)[.]?$/.test(
      rest,
    )
  );
}

const WORDS_OF_SENTENCES =
  / (?:is|are|was|in|the|does|do|did|has|have|had|needs?|and|but|with|for|gives?|when|while|where|which|that|no|to|of|my|it|causes?|throws?|leads?|should|must|still|instead|after|before|behind|because|as|will|can|if|then|doesn't|don't|isn't|works?|returns?)[ ,.:;]/i;

const IS_CONDITION = /^if(?:module|define|version|file|directive|section)$/;

/** The lines of a question; what it quotes within a sentence is a line, too, and one that goes on in the next is one line. */
function linesOf(question: string): string[] {
  return question
    .replace(/\\\r?\n[ \t]*/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .flatMap((line) => {
      if (findDirective(/^<?(\w+)/.exec(line)?.[1] ?? '') !== undefined) return line.split('`', 1);
      return line
        .replace(/`+/g, '\n')
        .replace(QUOTED, (all, _quote, word: string, quoted: string) =>
          findDirective(word) === undefined ? all : `\n${quoted}\n`,
        )
        .split('\n');
    })
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** The words of a line, as httpd takes them apart (server/util.c: ap_getword_conf). */
function wordsOf(text: string): string[] {
  const words = text.match(/"(?:\\[\\"]|[^"])*"?|'(?:\\[\\']|[^'])*'?|[^ ]+/g) ?? [];
  return words.map((word) => word.replace(/^(["'])([^]*?)\1?$/, '$2'));
}

/** Whether a line stands in a section of a directory, of URLs or of files, and not in a host alone. */
export function isInDirectory({ within }: GivenLine): boolean {
  return within.some(({ name }) => /^(?:directory|location|files|proxy|if$|elseif|else$)/.test(name));
}

/** The virtual host that a line stands in, if its beginning was given. */
export function hostOf({ within }: GivenLine): GivenSection | undefined {
  return within.find(({ name }) => name === 'virtualhost');
}
