import { type GivenLine, type GivenLines, hostOf, isInDirectory } from './given-lines';
import { NO_BLANK_IN_FLAGS } from '../syntax';
import { ALWAYS, type Finder } from './finder';

interface GivenCondition {
  readonly test: string;
  readonly isNegated: boolean;
  readonly pattern: string;
  readonly isOr: boolean;
}

/** A RewriteRule with the conditions in front of it. */
interface GivenRule {
  readonly line: GivenLine;
  readonly conditions: readonly GivenCondition[];
  readonly pattern: string;
  readonly target: string;
  /** In small letters. */
  readonly flags: readonly string[];
}

/** The arguments of a rule or condition (mod_rewrite.c: parseargline), of which no more than three are read. */
function argumentsOf({ text }: GivenLine): string[] {
  const found = text.replace(/^\w+ ?/, '').match(/"[^"]*"?|'[^']*'?|(?:\\ |[^ ])+/g) ?? [];
  return found.map((word) => word.replace(/^(["'])([^]*?)\1?$/, '$2'));
}

function flagsOf(word: string | undefined): string[] {
  const flags = /^\[(.*)\]$/.exec(word ?? '')?.[1] ?? '';
  return flags.split(',').map((flag) => flag.trim().toLowerCase());
}

function rulesOf({ all }: GivenLines): GivenRule[] {
  const rules: GivenRule[] = [];
  let conditions: GivenCondition[] = [];
  for (const line of all) {
    const [first = '', second = '', third] = argumentsOf(line);
    const flags = flagsOf(third);
    if (line.name === 'rewritecond') {
      const isOr = flags.some((flag) => flag === 'or' || flag === 'ornext');
      const isCaseless = flags.some((flag) => flag === 'nc' || flag === 'nocase');
      const isNegated = second.startsWith('!');
      const written = isNegated ? second.slice(1) : second;
      conditions.push({
        test: first,
        isNegated,
        pattern: isCaseless ? written.toLowerCase() : written,
        isOr,
      });
    } else if (line.name === 'rewriterule') {
      rules.push({ line, conditions, pattern: first, target: second, flags });
      conditions = [];
    } else if (!line.name.startsWith('<if')) conditions = [];
  }
  return rules;
}

/** How a value begins that a pattern matches, as far as that is certain: letters, or undefined for any; the end is `\n`. */
function beginOf(pattern: string): (string | undefined)[] {
  if (/^=[^"]/.test(pattern)) return `${pattern.slice(1)}\n`.split('');
  if (!pattern.startsWith('^') || /\|(?![^(]*\))/.test(pattern)) return [];
  const found: (string | undefined)[] = [];
  for (const [, escaped, plain, quantifier] of pattern.slice(1).matchAll(LITERAL)) {
    if (quantifier !== '') break;
    found.push(escaped ?? (plain === '.' ? undefined : plain === '$' ? '\n' : plain));
  }
  return found;
}

/** A letter of a pattern, with what says how often it stands there; from one to the next, up to anything else. */
const LITERAL = /(?:\\([^\w\s])|([\w/:~@%,;=&<>.$-]))([*?+{]?)/gy;

/** Whether no value matches both patterns. */
function isEither(first: string, second: string): boolean {
  if (/^-[fd]$/.test(first) && /^-[fd]$/.test(second)) return first !== second;
  const begin = beginOf(first);
  return beginOf(second).some((letter, i) => {
    const beside = begin[i];
    return letter !== undefined && beside !== undefined && beside !== letter;
  });
}

/** A word in the place of the flags that is none. */
function flagsAreNone({ all }: GivenLines): string | undefined {
  for (const line of all) {
    if (!/^rewrite(?:cond|rule)$/.test(line.name) || /<%|\{\{|\{%/.test(line.text)) continue;
    const [first = '', second = '', third, ...more] = argumentsOf(line);
    if (line.name === 'rewriterule' && /^\[.*\]$/.test(second) && /^\[(?:[A-Z]|\w+=)/.test(second))
      return 'write a pattern in front of the target (`RewriteRule ^ https://%{HTTP_HOST}%{REQUEST_URI} [R=301,L]`): the first word is the pattern, so that the URL is read as that, and the flags as the target';
    if (third === undefined || /^\[.*\]$/.test(third)) continue;
    if (third.startsWith('#'))
      return 'put the comment into a line of its own: what stands behind the arguments of a RewriteRule or RewriteCond is read as its flags';
    if (third.startsWith('[') && more.some((word) => word.endsWith(']'))) return NO_BLANK_IN_FLAGS;
    if (third.startsWith('[') && more.length === 0)
      return 'close the flags with a bracket (`[R=301,L]`): mod_rewrite refuses them without it ("bad flag delimiters")';
    if (line.name === 'rewritecond' && second === '!') return NO_BLANK_IN_FLAGS;
    const isWritten =
      /\[[^\]]*\]$/.test(line.text) ||
      (first.startsWith('%') && /^!?[\^(]/.test(second) && more.length === 0);
    if (isWritten && (line.name === 'rewriterule' || /[%$]/.test(first)))
      return `put the pattern with its blank into quotation marks (\`"^Mass Downloader"\`), or a backslash in front of the blank (\`^Mass\\ Downloader\`): blanks part the words of a ${line.name === 'rewritecond' ? 'RewriteCond' : 'RewriteRule'}, so that the word behind it is read as the flags, and httpd refuses the line ("bad flag delimiters")`;
  }
  return undefined;
}

/** Conditions that are always true, or never, by how they stand together. */
function conditionsTogether(given: GivenLines): string | undefined {
  if (given.isElided) return undefined;
  for (const { conditions } of rulesOf(given)) {
    for (const [i, here] of conditions.entries()) {
      const next = conditions[i + 1];
      if (next === undefined || here.test !== next.test || here.isNegated !== next.isNegated) continue;
      if (!isEither(here.pattern, next.pattern)) continue;
      if (here.isNegated && here.isOr)
        return `take [OR] from \`RewriteCond ${here.test} !${here.pattern}\`: that it is not the one or not the other is always true. Without it both must hold, as it is meant`;
      if (!here.isNegated && !here.isOr && !conditions[i - 1]?.isOr)
        return `write [OR] behind \`RewriteCond ${here.test} ${here.pattern}\`: without it both conditions must hold, and no value is both`;
    }
    if (conditions.at(-1)?.isOr)
      return 'take [OR] from the last RewriteCond in front of the RewriteRule: there is nothing behind it to choose from, and mod_rewrite takes the condition as met, so that the rule is used for every request';
  }
  return undefined;
}

/** A condition with no rule behind it. */
function conditionIsLast({ all, isElided }: GivenLines): string | undefined {
  const lines = all.filter(({ name }) => /^rewrite(?:cond|rule)$/.test(name));
  const isLast = lines.at(-1)?.name === 'rewritecond' && lines.some(({ name }) => name === 'rewriterule');
  return isLast && !isElided
    ? 'put the RewriteCond in front of the RewriteRule that it is for: conditions count for the next rule alone, and behind the last one they do nothing'
    : undefined;
}

/** A pattern that begins with a slash where the path has none, or the other way round. */
function slashInFront(given: GivenLines): string | undefined {
  for (const { line, pattern } of rulesOf(given)) {
    const isDirectory = line.within.some(({ name }) => name.startsWith('directory'));
    if (/^\^\/(?![?*{])/.test(pattern) && (isDirectory || (given.isHtaccess && line.within.length === 0)))
      return `write the pattern without the slash in front (\`RewriteRule ${pattern.replace('^/', '^')}\`, or \`^/?\` for both): in a .htaccess or a <Directory> the path begins behind that of the directory, so that \`^/\` never matches`;
    if (
      /^\^(?:\w|\\\.)/.test(pattern) &&
      !/^\^(?:https?|proxy|ftp)\b|\|/.test(pattern) &&
      hostOf(line) !== undefined &&
      !isInDirectory(line)
    )
      return `begin the pattern with a slash (\`RewriteRule ${pattern.replace('^', '^/')}\`, or \`^/?\` for both), or put the rules into the <Directory> of the documents: in a <VirtualHost> the path begins with one, so that it never matches. Rules of a .htaccess are written without`;
  }
  return undefined;
}

/** A variable of a rule in a .htaccess, or of SetEnv, that the access lines ask for, which come first. */
function variableIsLate(given: GivenLines): string | undefined {
  const asked = new Set(
    [...given.text.matchAll(/^(?:(?:Allow|Deny) from .*?\benv=!?|Require (?:not )?env )(\w+)/gim)].map(
      ([, name]) => name!.toLowerCase(),
    ),
  );
  for (const { line, flags } of rulesOf(given)) {
    const set = flags.map((flag) => /^(?:e|env)=!?(\w+)/.exec(flag)?.[1]);
    const isDirectory = line.within.some(({ name }) => name.startsWith('directory'));
    if (!set.some((name) => name !== undefined && asked.has(name))) continue;
    if (isDirectory || (hostOf(line) === undefined && /\bht-?access\b/i.test(given.prose)))
      return 'set the variable by SetEnvIf (`SetEnvIf Request_URI "/git-receive-pack$" WRITE`), or write the condition into `Require expr`, or the rule into the <VirtualHost>: in a .htaccess or a <Directory> the rules run after the access lines, which do not see it';
  }
  const rewriteText = given.text.match(/^Rewrite(?:Cond|Rule) .*$/gim)?.join('\n') ?? '';
  for (const { name, words } of given.all) {
    if (name !== 'setenv') continue;
    const variable = words[0] ?? '';
    if (asked.has(variable.toLowerCase()) || rewriteText.includes(`%{ENV:${variable}}`))
      return `write SetEnvIf in place of SetEnv (\`SetEnvIf Request_URI "^" ${variable}=${words[1] ?? '1'}\`): SetEnv sets its variable for the program that runs at last, after the access lines and the rules of mod_rewrite`;
  }
  return undefined;
}

/** A pattern that matches every path. */
const EVERY_PATH = /^(?:\.|\^?\(?\.[*+]\)?\$?|\^|\^\/\?\(\.\*\)\$?|\^\/\(\.\*\)\$?|\/\(\.\*\))$/;

/** A rule behind one that hands everything that is no file to one program. */
function programFirst(given: GivenLines): string | undefined {
  if (given.isElided) return undefined;
  const rules = rulesOf(given);
  for (const [i, { line, conditions, pattern, target, flags }] of rules.entries()) {
    const isForAll =
      EVERY_PATH.test(pattern) &&
      conditions.every(({ isNegated, pattern: asked }) => isNegated && /^-[fdl]$/.test(asked));
    if (!isForAll || !/^[\w./-]+\.php\b/.test(target) || !flags.some((flag) => /^(?:l|last|end)$/.test(flag)))
      continue;
    const later = rules
      .slice(i + 1)
      .find(
        (rule) =>
          rule.line.within.at(-1) === line.within.at(-1) &&
          rule.target !== '-' &&
          !/\.php\b/.test(rule.target),
      );
    const program = target.replace(/\?.*/, '');
    if (later !== undefined)
      return `put \`RewriteRule ${later.pattern}\` with its conditions before the rule that hands everything to ${program}: rules are tried in their order, and behind that one the path of what is no file is ${program}, or nothing is tried any more`;
  }
  return undefined;
}

/** Rules that match again what they have made. */
function ruleAgain(given: GivenLines): string | undefined {
  const rules = rulesOf(given);
  for (const [i, { line, conditions, pattern, target, flags }] of rules.entries()) {
    if (conditions.length > 0 || isInDirectory(line) || !EVERY_PATH.test(pattern)) continue;
    const isFree = rules.slice(0, i).every((rule) => !/^-$/.test(rule.target));
    if (given.isHtaccess && isFree && /\.php\/\$1/.test(target) && !flags.includes('end'))
      return 'write `RewriteCond %{REQUEST_FILENAME} !-f` and `RewriteCond %{REQUEST_FILENAME} !-d` in front of the rule, or give it the flag END: in a .htaccess the rules run anew over what they have made, so that index.php becomes index.php/index.php, and so on, up to a 500 (AH00124)';
    if (given.isHtaccess && isFree && /^https:\/\/(?:%\{(?:HTTP_HOST|SERVER_NAME)\}|www\.)/.test(target))
      return 'write `RewriteCond %{HTTPS} off` in front of the rule (behind a proxy that speaks TLS `RewriteCond %{HTTP:X-Forwarded-Proto} !=https`): without a condition it redirects what comes by https as well, to itself';
  }
  return undefined;
}

/** A base of URLs in a place where there is no directory. */
function baseOfHost({ all }: GivenLines): string | undefined {
  return all.some((line) => line.name === 'rewritebase' && hostOf(line) !== undefined && !isInDirectory(line))
    ? 'put RewriteBase into the <Directory> of the documents, with its rules, or take it out: in a <VirtualHost> httpd refuses it ("only valid in per-directory config files")'
    : undefined;
}

/** Rules of a host in which they are not switched on. */
function engineIsOff({ all, text, isElided }: GivenLines): string | undefined {
  if (isElided || /^(?:RewriteEngine|Include\w*|Use|RewriteOptions) /im.test(text)) return undefined;
  return all.some((line) => line.name === 'rewriterule' && hostOf(line)?.isClosed === true)
    ? 'write `RewriteEngine On` into the <VirtualHost>: it is off by default, and rules do nothing without it (2.4 also takes one that stands outside of all sections, 2.2 does not)'
    : undefined;
}

/** What lines of mod_rewrite, and the variables that they set, say together. */
export const REWRITE_LINES: readonly Finder[] = [
  { finds: flagsAreNone, about: ALWAYS },
  { finds: baseOfHost, about: ALWAYS },
  { finds: variableIsLate, about: ALWAYS },
  { finds: conditionsTogether, about: ALWAYS },
  { finds: slashInFront },
  { finds: ruleAgain, about: /\bloop\w*|\btoo many\b|\b500\b|\binternal server error\b|\bredirect\w* (?:you )?(?:too|again|forever|endless\w*)|\bERR_TOO/i },
  { finds: programFirst },
  { finds: conditionIsLast },
  { finds: engineIsOff },
]; // prettier-ignore
