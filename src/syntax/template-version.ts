import { templateLine } from './template';

/** Which version is served by what a template writes under a condition. */
export interface ReadBy {
  readonly on22: boolean;
  readonly on24: boolean;
}

/** `node[:apache][:version].to_f`, `@apache_version`, `$apache::version`, `httpd_version`: what holds the version of a server. */
const VARIABLE = String.raw`(?=[^ ,]{0,80}(?:apache|httpd))(?=[^ ,]{0,80}version)[\w.:@$\[\]'"-]{1,80}`;
const NUMBER = String.raw`["']?2\.([234])(?:\.0)?["']?`;
const OPERATOR = String.raw`(===?|!=|>=|<=|>|<)`;

/** Each finds the operator and the number that the version is compared with. */
const FORMS: readonly RegExp[] = [
  // Ruby, Puppet, Jinja: `@apache_version >= '2.4'`, `apache_version|float >= 2.4`
  new RegExp(`^${VARIABLE}(?: ?\\| ?float)? ?${OPERATOR} ?${NUMBER}$`, 'i'),
  // Puppet: `versioncmp($apache_version, '2.4') >= 0`, `scope.function_versioncmp([@apache_version, '2.4']) >= 0`
  new RegExp(`^(?:scope\\.)?(?:function_|call_function\\(["'])?versioncmp(?:["'], ?|\\()\\[?${VARIABLE}, ?(?<number>${NUMBER})\\]?\\) ?${OPERATOR} ?0$`, 'i'),
  // Jinja: `apache_version is version('2.4', '>=')`, `apache_version | version_compare('2.4', 'ge')`
  new RegExp(`^${VARIABLE} ?(?:is|\\|) ?version(?:_compare)?\\((?<number>${NUMBER}), ?["'](===?|!=|>=|<=|>|<|eq|ne|ge|le|gt|lt)["']\\)$`, 'i'),
  // Ruby: `Gem::Version.new(node['apache']['version']) >= Gem::Version.new('2.4')`
  new RegExp(`^Gem::Version\\.new\\(${VARIABLE}\\) ?${OPERATOR} ?Gem::Version\\.new\\(${NUMBER}\\)$`, 'i'),
  // Jinja: `apache_version.split('.')[1] == '4'`
  new RegExp(`^${VARIABLE}\\.split\\(["']\\.["']\\)\\[1\\](?: ?\\| ?int)? ?${OPERATOR} ?["']?([234])["']?$`, 'i'),
]; // prettier-ignore

/** `<%- if X -%>`, `{% elif X %}`, `<? unless (X) { ?>`, `{{ if X }}`; of several blanks in a row one is left. */
const LINE =
  /^(?:<%|<\?(?:php)?|\{%|\{\{|\[%)[-+~]? ?\}? ?(if|unless|els(?:e ?)?if|elif)\b ?(.{1,200}?) ?(?:\{|:|\bthen\b)? ?[-+~]?(?:%>|\?>|%\}|\}\}|%\])$/i;

/** Which version a line of a template asks for; undefined where it asks for something else, or both would be served. */
export function versionAskedFor(text: string): ReadBy | undefined {
  const line = LINE.exec(text.replace(/[ \t]+/g, ' '));
  if (line === null) return undefined;
  const [, word = '', whole = ''] = line;
  const condition = whole.replace(/^\( ?(.*?) ?\)$/, '$1');
  for (const form of FORMS) {
    const found = form.exec(condition);
    if (found === null) continue;
    const given = found.slice(1).filter((group): group is string => group !== undefined);
    const minor = Number(given.find((group) => /^[234]$/.test(group)));
    const operator = given.find((group) => !/\d/.test(group)) ?? '';
    const reads = { on22: compare(2, operator, minor), on24: compare(4, operator, minor) };
    if (reads.on22 === reads.on24) return undefined;
    return word.toLowerCase() === 'unless' ? { on22: !reads.on22, on24: !reads.on24 } : reads;
  }
  return undefined;
}

function compare(version: number, operator: string, minor: number): boolean {
  switch (operator.toLowerCase()) {
    case '>=':
    case 'ge':
      return version >= minor;
    case '<=':
    case 'le':
      return version <= minor;
    case '>':
    case 'gt':
      return version > minor;
    case '<':
    case 'lt':
      return version < minor;
    case '!=':
    case 'ne':
      return version !== minor;
    default:
      return version === minor;
  }
}

/** Whether a line that divides says nothing but `else`: another may ask for something else, or begin one of several. */
export function isPlainElse(text: string): boolean {
  return /^(?:<\?php)?[^a-z]*(?:tmpl_|#)?else[^a-z]*$/i.test(text) && !/\^/.test(text);
}

/** A line of a template, where it stands in a list. */
export interface TemplateBranch {
  readonly at: number;
  readonly reads: ReadBy;
}

/** An `if` of a template that asks for the version, with the places of its branches and of its end. */
export interface VersionChoice {
  readonly branches: readonly TemplateBranch[];
  readonly end: number;
}

/** Choices inside choices that are read, so that a file of nothing else makes no deep tree. */
const MAX_DEPTH = 3;

/**
 * The choices between the versions among the lines of one body, in the order of their ends.
 * @param lines the text of each line of a template in it, undefined for all else
 * @returns none where what opens and what closes does not pair off, or goes too deep: then nobody knows what belongs together
 */
export function versionChoices(lines: readonly (string | undefined)[]): readonly VersionChoice[] {
  const choices: VersionChoice[] = [];
  const open: { branches: TemplateBranch[] | undefined }[] = [];
  for (const [at, text] of lines.entries()) {
    if (text === undefined) continue;
    const does = templateLine(text);
    if (does === 'value') continue;
    if (does === 'opens') {
      if (open.length >= MAX_DEPTH) return [];
      const reads = versionAskedFor(text);
      open.push({ branches: reads === undefined ? undefined : [{ at, reads }] });
      continue;
    }
    const last = open.at(-1);
    if (last === undefined) return [];
    if (does === 'divides') {
      const reads = last.branches === undefined ? undefined : branchAfter(last.branches, text);
      if (reads === undefined) last.branches = undefined;
      else last.branches!.push({ at, reads });
    } else {
      open.pop();
      if (last.branches !== undefined) choices.push({ branches: last.branches, end: at });
    }
  }
  return open.length === 0 ? choices : [];
}

/** What a further branch serves: what none before it does, and of that what it asks for. */
function branchAfter(before: readonly TemplateBranch[], text: string): ReadBy | undefined {
  const asked = isPlainElse(text) ? { on22: true, on24: true } : versionAskedFor(text);
  if (asked === undefined) return undefined;
  return {
    on22: asked.on22 && before.every(({ reads }) => !reads.on22),
    on24: asked.on24 && before.every(({ reads }) => !reads.on24),
  };
}
