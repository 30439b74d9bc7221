import type { Directive } from '../../syntax';

export interface VariableSources {
  /** The regex that `$1` and its like are groups of; with `!`, there are none. */
  readonly pattern: string;
  /** The RewriteCond lines of the rule: `%1` and its like are groups of theirs. */
  readonly conditions: readonly Directive[];
  /** Whether a RewriteMap of this name takes escapes away. */
  readonly unescapes: (map: string) => boolean;
}

/** Variables without a slash, and never `..`: 2.2 itself refuses such a Host (server/vhost.c: fix_hostname). */
const NAMES = new Set(
  (
    'http_host server_name server_addr server_port server_protocol server_admin server_software request_method request_scheme remote_addr ' +
    'remote_host remote_port remote_user remote_ident https auth_type is_subreq api_version document_root time time_year time_mon time_day ' +
    'time_hour time_min time_sec time_wday'
  ).split(' '),
);

/** Variables that are a whole path, without `..`: httpd has taken that out (server/util.c: ap_getparents). */
const PATHS = new Set('request_uri request_filename script_filename script_name path_info'.split(' '));

const TOKEN = /\$\{[^:}]*:|%\{[^}]*\}|[$%][0-9]|&|./gs;

/**
 * Whether a substitution can lead out of the directory that it begins with, because a variable in it may begin with `..` where a
 * name of a directory begins. What a client asks for has no such part, but a piece of it may: of `/x../y`, what stands behind
 * `/x`.
 */
export function mayClimb(substitution: string, sources: VariableSources): boolean {
  let begins = false;
  for (const [token] of substitution.replace(/\?.*/s, '').matchAll(TOKEN)) {
    if (token.startsWith('${')) {
      if (sources.unescapes(token.slice(2, -1).toLowerCase())) return true;
      begins = true;
    } else if (token.length > 1) {
      if (begins && mayBeDots(token, sources)) return true;
      begins = true;
    } else if (token !== '}' && token !== '|') begins = token === '/' || (begins && token === '.');
  }
  return false;
}

function mayBeDots(token: string, { pattern, conditions }: VariableSources): boolean {
  if (token.startsWith('$'))
    return !pattern.startsWith('!') && !isHarmless(pattern, Number(token[1]), 'path');
  if (!token.startsWith('%{'))
    return conditions.some(({ args }) => {
      const [test = '', regex = ''] = args.map(({ value }) => value);
      return !regex.startsWith('!') && !isHarmless(regex, Number(token[1]), kindOf(test));
    });
  return kindOf(token) === 'any';
}

/** What a text with variables is: only names, paths without `..`, or anything. */
function kindOf(text: string): 'names' | 'path' | 'any' {
  const variables = [...text.matchAll(/[$%]\{([^}]*)\}|[$%][0-9]/g)].map(([, name]) =>
    name?.toLowerCase().replace(/^la-[uf]:/, ''),
  );
  if (variables.every((name) => name !== undefined && NAMES.has(name))) return 'names';
  return variables.every((name) => name !== undefined && (NAMES.has(name) || PATHS.has(name)))
    ? 'path'
    : 'any';
}

/** Whether a group matches no dots, or, of a path, nothing but whole parts. */
function isHarmless(regex: string, group: number, kind: 'names' | 'path' | 'any'): boolean {
  if (kind === 'names') return true;
  const found = groupOf(regex, group);
  // A group that is not there is empty.
  if (found === undefined) return true;
  return matchesNoDot(found.content) || (kind === 'path' && isOfWholeParts(found));
}

interface Group {
  readonly before: string;
  readonly content: string;
  readonly after: string;
}

const REGEX_TOKEN = /\[\^?\]?(?:\\.|[^\]\\])*\]|\\.|\((?:\?[:|>=!<#a-zA-Z-]*)?|./gs;

/** The text of a capturing group, and what stands around it. The whole regex is group 0. */
function groupOf(regex: string, wanted: number): Group | undefined {
  if (wanted === 0)
    return { before: '^', content: regex.replace(/^\^|\$$/g, ''), after: regex.endsWith('$') ? '$' : '' };
  const open: { readonly group: number; readonly start: number }[] = [];
  let count = 0;
  for (const { 0: token, index } of regex.matchAll(REGEX_TOKEN)) {
    if (token.startsWith('(')) open.push({ group: token === '(' ? ++count : 0, start: index });
    const { group, start = 0 } = (token === ')' ? open.pop() : undefined) ?? {};
    if (group === wanted)
      return {
        before: regex.slice(0, start),
        content: regex.slice(start + 1, index),
        after: regex.slice(index + 1),
      };
  }
  return undefined;
}

const PLAIN_CLASS = /^(?:[a-zA-Z0-9]-[a-zA-Z0-9]|[a-zA-Z0-9_~,@:|/]|\\[dw/-])*-?$/;

function matchesNoDot(content: string): boolean {
  return [...content.matchAll(REGEX_TOKEN)].every(([token]) => {
    if (token.startsWith('[^')) return token.includes('.');
    if (token.startsWith('[') && token.length > 1) return PLAIN_CLASS.test(token.slice(1, -1));
    return token.startsWith('\\') ? /[dw/-]/.test(token[1]!) : token !== '.';
  });
}

/** A text without the groups that open at its end. No pattern: one for the end of a text tries each bracket inside of it, too. */
function withoutOpenGroups(text: string): string {
  for (let end = text.length; ;) {
    if (end >= 3 && text.startsWith('(?:', end - 3)) end -= 3;
    else if (end > 0 && text.charAt(end - 1) === '(') end--;
    else return text.slice(0, end);
  }
}

/** Whether a group begins where a part of the path begins, and ends where one ends. */
function isOfWholeParts({ before, content, after }: Group): boolean {
  const opened = withoutOpenGroups(before);
  const begins = /(?:\/|^\^?(?:\/[?+*])?)$/.test(opened) || /^(?:\((?:\?:)?)*\\?\//.test(content);
  const rest = after.replace(/^(?:[)?*+]|\{[0-9,]*\})*/, '');
  const isGreedy = !/[*+?}]\?/.test(content) && /(?:\.|\[\^\/\])[*+]\)*$/.test(content);
  const ends = /^(?:\$|\\?\/|\((?:\?:)?(?:\\?\/|\$))/.test(rest) || (/^(?:\||$)/.test(rest) && isGreedy);
  return begins && ends;
}
