import { missingGuardModule } from '../../src/access';
import { type ConfigFile, type Place, isConditional } from '../../src/config';
import { type Edit, eolOf, indentOf, indentUnit, insertAt } from '../../src/edit';
import type { ResultContext } from '../../src/engine';
import { findModule, systemOf } from '../../src/httpd/modules';
import type { Argument, Directive, Section } from '../../src/syntax';
import { type Need, Needs, OFTEN_STATIC } from './load-module-needs';
import { type CommentedLine, type LoadLine, type LoadLines, MPMS, isUnix, mpmFor } from './module-lines';

/** Lines that say who gets in. */
const ACCESS = ['Order', 'Allow', 'Deny', 'Satisfy', 'Require', 'AuthType', 'AllowOverride'];

/** The order in which new lines stand at one place: what others build on comes first. */
const FIRST = [
  'unixd',
  'log_config',
  'authn_core',
  'authn_file',
  'authz_core',
  'authz_host',
  'authz_user',
  'slotmem_shm',
];

/** Adds the lines that the result needs, or says what is missing where no line shows how. */
export function reportMissing(context: ResultContext, lines: LoadLines): void {
  const { targetModules: target } = context;
  const unix = isUnix(context);
  const needs = [...new Needs(context, lines).found.values()].filter(
    ({ name }) => !lines.loads(name) && target?.get(`${name}_module`) !== 'static',
  );
  if (
    unix &&
    !lines.loads('unixd') &&
    target?.get('unixd_module') !== 'static' &&
    !needs.some(({ name }) => name === 'unixd')
  )
    needs.push({
      name: 'unixd',
      what: 'every server on Unix',
      moved: true,
      node: undefined,
      place: undefined,
    });
  needs.sort((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1));
  const asked = askedFor(context, lines);
  const here = needs.filter(
    (need) => !(unix && isForeign(context, need)) && !isAskedFor(context, need, asked),
  );
  // What 2.2 had too and no line loads was compiled in, or is loaded by a file that is not at hand.
  const elsewhere =
    context.tree.problems.some(({ code }) => code.startsWith('include')) ||
    context.index
      .directives(['Include', 'IncludeOptional'])
      .some(({ node }) => context.tree.includes.get(node) === undefined);
  const isOld = ({ name, moved }: Need): boolean =>
    !moved && /^(?:both|extra)$/.test(findModule(`${name}_module`)?.versions ?? '');
  const told =
    lines.all.length === 0
      ? here
      : here.filter((need) => isOld(need) && (elsewhere || (target === undefined && !lines.shared)));
  if (unix) reportMpm(context, lines);
  const places = new Map<string, Added[]>();
  for (const need of here) {
    if (told.includes(need)) continue;
    const { name } = need;
    const guarded = target === undefined && (isOld(need) || OFTEN_STATIC.has(name) || !lines.shared);
    const added = add(context, lines, name, guarded ? [name] : [], (file) => whatOf(context, need, file));
    if (added === undefined) continue;
    const key = `${added.at} ${added.file.path}`;
    places.set(key, [...(places.get(key) ?? []), added]);
  }
  for (const added of places.values()) {
    const [{ file, at }] = added as [Added];
    const message = `2.4 needs ${added.map(({ text }) => text).join('; ')}`;
    const edits = added.map(({ edit }) => edit);
    context.report({ file, at, level: 'error', safety: 'safe', message, edits });
  }
  reportCompiledIn(context, lines, told);
  reportAbsent(context, lines);
}

function rank({ name }: Need): number {
  const at = FIRST.indexOf(name);
  return at < 0 ? FIRST.length : at;
}

/** With the line where it stands in the files as given; without the file's name where that is `here`. */
export function whatOf({ origin }: ResultContext, { what, node, place }: Need, here: ConfigFile): string {
  if (node === undefined || place === undefined) return what;
  const { file, at } = origin(place.file, node.kind === 'section' ? node.open.from : node.from);
  const { line } = file.document.positionAt(at);
  return `${what} (${file === here ? `line ${line}` : `${file.name}:${line}`})`;
}

interface Added {
  readonly file: ConfigFile;
  readonly at: number;
  readonly edit: Edit;
  /** The module and what is done, as a part of a message. */
  readonly text: string;
}

/** One module's line, or the comment sign of the one that is there taken away. */
function add(
  { targetModules: target }: ResultContext,
  lines: LoadLines,
  name: string,
  guards: readonly string[],
  why: (here: ConfigFile) => string,
): Added | undefined {
  const home = homeFor(name, lines);
  const commented = commentedFor(name, home, lines);
  const notes = [
    ...(commented === undefined ? [] : ['its line was commented out']),
    ...(commented === undefined && guards.length > 0 ? ['unless it is compiled in'] : []),
    ...(target?.has(`${name}_module`) === false ? ['the target does not have it: install or enable it'] : []),
  ];
  const text = (file: ConfigFile): string =>
    `mod_${name} for ${why(file)}${notes.map((note) => `, ${note}`).join('')}`;
  if (commented !== undefined) {
    const { file, node } = commented;
    return { file, at: node.from, edit: uncommentEdit(commented), text: text(file) };
  }
  if (home === undefined) return undefined;
  return {
    file: home.file,
    at: positionOf(home),
    edit: insertEdit(name, home, guards),
    text: text(home.file),
  };
}

function positionOf({ node }: Home): number {
  return node.kind === 'section' ? node.open.from : node.from;
}

function reportMpm(context: ResultContext, lines: LoadLines): void {
  const mpm = mpmFor(context, lines, context.targetModules);
  if (mpm === undefined || lines.all.length === 0) return;
  const guards = context.targetModules === undefined ? MPMS.filter((each) => each !== mpm.name) : [];
  const own = context.targetModules === undefined ? [mpm.name] : [];
  const added = add(context, lines, mpm.name, [...guards, ...own], () => `its processes (${mpm.why})`);
  if (added === undefined) return;
  const { file, edit, text } = added;
  // Another finding of this rule may be about the very line that this one goes by.
  const at = edit.text === '' ? added.at : Math.min(added.at + 1, file.document.text.length);
  const message = `2.4 loads an MPM as a module: ${text}; take another one if the server ran another`;
  context.report({ file, at, level: 'error', safety: 'review', message, edits: [edit] });
}

/** Of modules for other systems nothing can be loaded here. */
function isForeign(context: ResultContext, need: Need): boolean {
  const system = systemOf(need.name);
  if (system === undefined) return false;
  const { node, place, what, name } = need;
  // In a block that asks for something this system has not, it is not read.
  if (
    node !== undefined &&
    place !== undefined &&
    !place.chain.some(({ section }) => isConditional(section))
  ) {
    const { file, at } = context.origin(place.file, node.kind === 'section' ? node.open.from : node.from);
    const message = `${what} belongs to mod_${name}, which is for ${system} alone: 2.4 does not know it here`;
    context.report({ file, at, level: 'error', safety: 'manual', message, edits: [] });
  }
  return true;
}

/** A conditional that asks for a module, with where it stands. */
interface Asking {
  readonly node: Section;
  readonly place: Place;
}

/** The modules that 2.2 may not have had and that conditionals around access lines ask for, each with the first that does. */
function askedFor({ resultIndex }: ResultContext, lines: LoadLines): ReadonlyMap<string, Asking> {
  const loaded = lines.all.map((line) => line.identifier);
  const asked = new Map<string, Asking>();
  const lacked = new Map<Section, string>();
  resultIndex.visitSections(['IfModule'], (section) => {
    const identifier = missingGuardModule(section, loaded);
    if (identifier !== undefined) lacked.set(section, identifier);
  });
  if (lacked.size === 0) return asked;
  resultIndex.visitDirectives(ACCESS, (_, place) => {
    place.chain.forEach(({ section, file }, i) => {
      const identifier = lacked.get(section);
      if (identifier !== undefined && !asked.has(identifier))
        asked.set(identifier, { node: section, place: { ...place, file, chain: place.chain.slice(0, i) } });
    });
  });
  return asked;
}

/** To load such a module would choose among these lines: access lines in such a block are left as they are. */
function isAskedFor(context: ResultContext, need: Need, asked: ReadonlyMap<string, Asking>): boolean {
  const asking = asked.get(`${need.name}_module`);
  if (asking === undefined) return false;
  const { node, place } = asking;
  const { file, at } = context.origin(place.file, node.open.from);
  const message = `no line loads mod_${need.name}, which ${whatOf(context, need, file)} needs, and <IfModule ${node.open.rest}> asks for it: with it 2.4 may read other access lines than 2.2 did; load it if 2.2 had it, or take the lines out that 2.2 did not read`;
  context.report({ file, at, level: 'error', safety: 'manual', message, edits: [] });
  return true;
}

function reportCompiledIn(context: ResultContext, lines: LoadLines, needs: readonly Need[]): void {
  const [file] = context.tree.roots;
  if (needs.length === 0 || file === undefined) return;
  const names = needs.map((need) => `${need.name} for ${whatOf(context, need, file)}`).join(', ');
  const mpm =
    lines.all.length === 0 && mpmFor(context, lines, context.targetModules) !== undefined
      ? ' and an MPM'
      : '';
  const message = `no LoadModule line: ${names}${mpm}: 2.4 must have these compiled in, as 2.2 had its modules, or needs a line for each`;
  context.report({ file, at: 0, level: 'warning', safety: 'manual', message, edits: [] });
}

/** What is to be loaded but is not loaded at the target today. */
function reportAbsent({ targetModules: target, report }: ResultContext, lines: LoadLines): void {
  if (target === undefined) return;
  const absent = lines.all.filter(
    ({ name, read }) =>
      read !== false && !target.has(`${name}_module`) && findModule(`${name}_module`)?.versions !== '2.2',
  );
  const [first] = absent;
  if (first === undefined) return;
  const names = absent.map(({ name }) => `${name}_module`).join(', ');
  report({
    file: first.place.file,
    at: first.node.from,
    level: 'warning',
    safety: 'manual',
    message: `the target has not loaded ${names}: install or enable what is missing there`,
    edits: [],
  });
}

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
interface Home {
  readonly file: ConfigFile;
  readonly node: Directive | Section;
  readonly side: 'before' | 'after';
  readonly model: LoadLine;
}

/** @returns undefined where there is no line to go by */
function homeFor(name: string, lines: LoadLines): Home | undefined {
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
function commentedFor(name: string, home: Home | undefined, lines: LoadLines): CommentedLine | undefined {
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
function insertEdit(name: string, { file, node, side, model }: Home, guards: readonly string[]): Edit {
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
function uncommentEdit({ file, node }: CommentedLine): Edit {
  const signs = /^#+[ \t]*/.exec(file.document.text.slice(node.from, node.to))![0];
  return { start: node.from, end: node.from + signs.length, text: '' };
}
