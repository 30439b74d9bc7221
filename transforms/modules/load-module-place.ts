import type { ConfigFile } from '../../src/config';
import { type Edit, eolOf, indentOf, indentUnit, insertAt } from '../../src/edit';
import type { Argument, Directive, Section } from '../../src/syntax';
import type { CommentedLine, LoadLine, LoadLines } from './load-module-lines';

/** What stands beside a module as a rule, nearest first. */
const KIN: Readonly<Record<string, readonly RegExp[] | undefined>> = {
  authn_core: [/^authn_/, /^auth_/, /^auth/],
  authz_core: [/^authz_/, /^auth/],
  filter: [/^(?:ext_filter|include|substitute|deflate)$/],
  logio: [/^log_config$/],
  log_config: [/^log/],
};

/** What a module cannot do without: it comes below that, in the same block. */
const AFTER: Readonly<Record<string, RegExp | undefined>> = {
  cache_disk: /^cache$/,
  dav_fs: /^dav$/,
  ldap: /^authnz_ldap$/,
  slotmem_shm: /^proxy_balancer$/,
};

function below(name: string): RegExp | undefined {
  if (name.startsWith('lbmethod_')) return /^(?:proxy_balancer|slotmem_shm)$/;
  if (name.startsWith('proxy_')) return /^proxy(?:_|$)/;
  if (name.startsWith('socache_')) return /^ssl$/;
  return AFTER[name];
}

function kinOf(name: string): readonly RegExp[] {
  const known = KIN[name];
  if (known !== undefined) return known;
  const family = /^([a-z]+?)[nz]*_/.exec(name)?.[1];
  return family === undefined ? [] : [new RegExp(`^${family}`)];
}

/** Where a module's line goes, and the line it is modelled on. */
export interface Home {
  readonly file: ConfigFile;
  readonly node: Directive | Section;
  readonly side: 'before' | 'after';
  readonly model: LoadLine;
}

/** @returns undefined where there is no line to go by */
export function homeFor(name: string, lines: LoadLines): Home | undefined {
  const all = lines.all.filter(({ read }) => read !== false);
  const required = below(name);
  const after = required && all.findLast((line) => required.test(line.name));
  if (after !== undefined) return { file: after.place.file, node: after.node, side: 'after', model: after };
  const free = all.filter(({ place }) => place.chain.length === 0);
  const model = free[0] ?? all[0];
  if (model === undefined) return undefined;
  const first = /^mpm_|^unixd$/.test(name);
  if (first) return outermost(all[0]!, 'before', free[0] ?? all[0]!);
  for (const kin of kinOf(name)) {
    const line = free.findLast((each) => kin.test(each.name));
    if (line !== undefined) return { file: line.place.file, node: line.node, side: 'after', model: line };
  }
  const last = free.at(-1) ?? all.at(-1)!;
  return outermost(last, 'after', last);
}

/** Beside the outermost section around a line, so that what goes there is read whatever the section asks. */
function outermost(line: LoadLine, side: Home['side'], model: LoadLine): Home {
  const [frame] = line.place.chain;
  return frame === undefined
    ? { file: line.place.file, node: line.node, side, model }
    : { file: frame.file, node: frame.section, side, model };
}

/** The commented-out line of a module, where it stands in a place that would do. */
export function commentedFor(
  name: string,
  home: Home | undefined,
  lines: LoadLines,
): CommentedLine | undefined {
  const line = lines.commented.find((each) => each.name === name);
  if (line === undefined || below(name) === undefined || home === undefined) return line;
  return home.file === line.file && home.model.place.chain.length === 0 && home.node.end <= line.node.start
    ? line
    : undefined;
}

/** `LoadModule` in the way of the line it is modelled on: its spelling, its blanks, its path. */
function lineFor(name: string, { node, place, path, identifier }: LoadLine): string {
  const { text } = place.file.document;
  const [id, file] = node.args as readonly [Argument, Argument];
  const quote = /^["']/.exec(text.slice(file.start, file.end))?.[0] ?? '';
  let gap = text.slice(id.end, file.start).replace(/[^ \t]/g, '');
  // Where paths stand in a column they go on doing so.
  if (/^ {2,}$/.test(gap))
    gap = ' '.repeat(Math.max(1, gap.length + identifier.length - `${name}_module`.length));
  const directory = path.slice(0, path.lastIndexOf('/') + 1);
  const lead = text.slice(node.from, id.start).replace(/[\\\r\n]/g, '');
  return `${lead}${name}_module${gap}${quote}${directory}mod_${name}.so${quote}`;
}

/** The lines to insert: guarded where any of these modules may be compiled in, for then httpd does not start. */
export function insertEdit(name: string, { file, node, side, model }: Home, guards: readonly string[]): Edit {
  const unit = indentUnit(file.document, indentOf(file.document, model.node), undefined);
  const deep = unit.repeat(guards.length);
  const lines = [
    ...guards.map((guard, i) => `${unit.repeat(i)}<IfModule !${guard}_module>`),
    deep + lineFor(name, model),
    ...guards.map((_, i) => `${unit.repeat(guards.length - 1 - i)}</IfModule>`),
  ];
  const { document } = file;
  if (side === 'after') return insertAt(document, { node, side }, lines);
  // Right above, below what comments there are about loading modules.
  const line = node.kind === 'section' ? node.open : node;
  const text = lines.map((each) => indentOf(document, line) + each + eolOf(document, line)).join('');
  return { start: line.start, end: line.start, text };
}

/** Takes the comment signs away. */
export function uncommentEdit({ file, node }: CommentedLine): Edit {
  const signs = /^#+[ \t]*/.exec(file.document.text.slice(node.from, node.to))![0];
  return { start: node.from, end: node.from + signs.length, text: '' };
}
