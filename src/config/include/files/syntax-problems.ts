import type { Node, Section, SectionOpen, Stray, StrayReason } from '../../../syntax';
import { isConditional } from '../../tree';
import type { ConfigFile, Problem } from '../../types';

/** Bytes of a logical line that 2.2 reads at once (2.2 httpd.h: MAX_STRING_LEN less the final NUL). */
const MAX_LINE = 8191;

const strays: Readonly<Record<Exclude<StrayReason, 'forgotten' | 'template' | 'too-deep'>, string>> = {
  'unmatched-close': 'closes a section that is not open here: httpd refuses the file',
  'missing-gt': 'a closing tag must end in ">" without a blank before it: httpd refuses the file',
  'no-name': 'a section needs its name directly after "<": httpd refuses the file',
};

/** Lines of a file with one kind of problem that are told of one by one: httpd stops at the first. */
const MOST_TOLD = 8;

/** What config management calls its sources: httpd never reads the file itself. */
const TEMPLATE_NAME = /\.(erb|epp|j2|jinja2?|tmpl|tpl|template|mustache|ejs)$/i;

export function isTemplateName(path: string): boolean {
  return TEMPLATE_NAME.test(path);
}

/** What the lines of a template are written in, as far as its name tells; one of no such name has an empty kind. */
export function templateKind(path: string): string {
  const kind = TEMPLATE_NAME.exec(path)?.[1]?.toLowerCase() ?? '';
  return kind.startsWith('j') ? 'j2' : kind;
}

/** What the reading of one file noticed, in the order of the file. */
export function syntaxProblems(file: ConfigFile): readonly Problem[] {
  const { flaws, longest, bom } = file.document;
  return flaws === 0 && longest <= MAX_LINE && bom === 0 ? NONE : problemsIn(file);
}

const NONE: readonly Problem[] = [];

function problemsIn(file: ConfigFile): Problem[] {
  const { document } = file;
  const problems: Problem[] = [];
  const tags: number[] = [];
  const deep: number[] = [];

  function add(code: Problem['code'], at: number, message: string): void {
    problems.push({ code, file, at, message });
  }

  function line(node: Exclude<Node, { kind: 'section' | 'raw' | 'blank' }> | SectionOpen): void {
    if (node.end - node.start <= MAX_LINE) return;
    const { on22, on24 } = tooLong(document.text.slice(node.start, node.end));
    const fails = on24 && file.role === 'htaccess';
    if (!on22 && !fails) return;
    const reasons = [
      on22 && '2.2 reads what comes after them as another line',
      fails && '2.4 answers 500 here',
    ];
    add(
      'overlong-line',
      node.from,
      `a line longer than ${MAX_LINE} bytes${on22 ? '' : ' with the blanks at its end'}: ${reasons.filter((reason) => reason !== false).join(', ')}`,
    );
  }

  function section(node: Section): void {
    line(node.open);
    if (node.open.reads !== undefined) {
      tags.push(node.open.from);
      body(node.body);
      if (node.close!.end > node.close!.start) tags.push(node.close!.from);
      return;
    }
    if (!node.open.complete)
      add('stray-line', node.open.from, `<${node.name} lacks its ">": httpd refuses the file`);
    body(node.body);
    if (node.close !== undefined) return;
    add('unclosed-section', node.open.from, unclosed(node));
  }

  function stray(node: Stray): void {
    // Not a syntax error: the rule for lines that end in a backslash fixes it.
    if (node.reason === 'forgotten') return;
    if (node.reason === 'template') {
      tags.push(node.from);
      return;
    }
    if (node.reason === 'too-deep') {
      deep.push(node.from);
      return;
    }
    const text = node.reason === 'unmatched-close' ? `${node.logical.text.slice(0, 60)} ` : '';
    add('stray-line', node.from, text + strays[node.reason]);
  }

  function body(nodes: readonly Node[]): void {
    for (const node of nodes) {
      if (node.kind === 'section') section(node);
      else if (node.kind !== 'raw' && node.kind !== 'blank') {
        line(node);
        if (node.kind === 'stray') stray(node);
      }
    }
  }

  if (document.bom > 0)
    add('bom', 0, 'begins with a byte order mark: httpd on Unix takes it for a part of the first word');
  body(document.body);
  problems.push(...templateProblem(file, tags), ...depthProblem(file, deep));
  return withoutMore(problems.sort((a, b) => a.at - b.at));
}

/** The problems of a file; those of one kind are told of once where they are many: there are as many as somebody likes. */
function withoutMore(problems: readonly Problem[]): Problem[] {
  const codes = new Set(problems.map(({ code }) => code));
  return [...codes]
    .flatMap((kind) => {
      const ofKind = problems.filter(({ code }) => code === kind);
      const [first] = ofKind;
      return ofKind.length > MOST_TOLD ? { ...first!, message: first!.message + moreLines(ofKind) } : ofKind;
    })
    .sort((a, b) => a.at - b.at);
}

/** Says of the lines of sections in too many others once that they are not read: there are as many as somebody likes. */
function depthProblem(file: ConfigFile, lines: readonly number[]): Problem[] {
  const [at] = lines;
  if (at === undefined) return [];
  const message = `sections are nested too deeply: this line is not read${moreLines(lines)}, and what stands inside is taken for a part of the section around`;
  return [{ code: 'stray-line', file, at, message }];
}

/** For instance ` (and 3 more such lines)`; empty where there is one. */
function moreLines({ length }: readonly unknown[]): string {
  return length === 1 ? '' : ` (and ${length - 1} more such ${length === 2 ? 'line' : 'lines'})`;
}

/** The lines of a template in a file, told of once: it has many. */
function templateProblem(file: ConfigFile, tags: readonly number[]): Problem[] {
  const [at] = tags;
  if (at === undefined) return [];
  const more = moreLines(tags);
  const byName = isTemplateName(file.path);
  if (byName || file.isTemplate === true) {
    const message = `a template${byName ? ', by its name' : ', as --templates says'}: its lines${more} and placeholders stay, and what stands between them is converted, in each branch`;
    return [{ code: 'template-line', file, at, message }];
  }
  const message = `a line of a template${more} stands here: httpd refuses the file until it is filled in`;
  return [{ code: 'stray-line', file, at, message }];
}

/**
 * Whether a logical line is too long for 2.2, which breaks it off where it does not fit but for blanks at its end, or where the
 * backslash that joins two of its lines and the line end after it do not both fit; and for 2.4 in a `.htaccess`, which counts the
 * blanks (server/util.c: ap_cfg_getline).
 */
function tooLong(text: string): { on22: boolean; on24: boolean } {
  const lines = text.replace(/\n$/, '').split('\n');
  const last = lines.pop()!;
  let held = 0;
  let on22 = false;
  for (const line of lines) {
    on22 ||= held + line.length + 1 > MAX_LINE;
    held += line.length - (line.endsWith('\r') ? 2 : 1);
  }
  let { length } = last;
  while (length > 0 && ' \t\v\f\r'.includes(last.charAt(length - 1))) length--;
  on22 ||= held + length > MAX_LINE;
  // Without a line end nothing needs room behind the last byte.
  const most = text.endsWith('\n') ? MAX_LINE : MAX_LINE + 1;
  return { on22, on24: held + last.length > most };
}

function unclosed(node: Section): string {
  const end = `<${node.name}> is not closed`;
  return isConditional(node)
    ? `${end}: httpd accepts that only at the end of a file and while the condition holds`
    : `${end}: httpd refuses the file`;
}
