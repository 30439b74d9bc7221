import { missingGuardModule } from '../../src/access';
import { type ConfigFile, type Place, isConditional } from '../../src/config';
import { type Edit, eolOf, indentOf, indentUnit, insertAfter, insertAt } from '../../src/edit';
import type { ResultContext, Task } from '../../src/engine';
import { findModule, systemOf } from '../../src/httpd/modules';
import type { Argument, Comment, Directive, Section } from '../../src/syntax';
import {
  addCompiledIn,
  assumptionOf,
  compiledIn,
  type CompiledIn,
  dropWithoutFamily,
  loadsElsewhere,
  type Home,
} from './compiled-in';
import { howToEnable } from './platform';
import { familyOf, type ModuleNeed, ModuleNeeds, OFTEN_STATIC } from './load-module-needs';
import {
  ACCESS_DIRECTIVES,
  type CommentedLoadLine,
  type LoadLine,
  type LoadLines,
  MPMS,
  isUnix,
  mpmFor,
} from './module-lines';

/** The modules whose new lines come first, in this order, because other modules depend on them. */
const LOADED_FIRST = [
  'unixd',
  'log_config',
  'authn_core',
  'authn_file',
  'authz_core',
  'authz_host',
  'authz_user',
  'slotmem_shm',
];

/**
 * Adds the LoadModule lines that the result needs. Where nothing tells which modules lines are to load, or where, reports what is
 * missing.
 */
export function reportMissing(context: ResultContext, lines: LoadLines): void {
  const unix = isUnix(context);
  const mayLoadElsewhere = loadsElsewhere(context);
  const compiled = compiledIn(context, lines);
  const relevant = relevantNeeds(context, lines, compiled);
  const { targetModules: target } = context;
  // Where few modules are loaded by lines, 2.2 may have had this one compiled in, or may have answered 500 without it.
  const isDoubtful = ({ isArgument }: ModuleNeed): boolean =>
    isArgument === true && compiled === undefined && target === undefined && !lines.usesSharedModules;
  // What a rule has written needs its module whatever 2.2 had.
  const isOfEdits = ({ node, requester }: ModuleNeed): boolean =>
    node?.kind === 'directive' && !context.index.someDirective([requester], () => true);
  const reportedOnly = relevant.filter((need) =>
    lines.all.length === 0
      ? compiled === undefined
      : isIn22(need) && !isOfEdits(need) && (mayLoadElsewhere || isDoubtful(need)),
  );
  if (unix) reportMpm(context, lines, compiled?.home);
  const addedAt = new Map<string, AddedLine[]>();
  for (const need of relevant) {
    if (reportedOnly.includes(need)) continue;
    const { name } = need;
    const guarded = target === undefined && (isIn22(need) || OFTEN_STATIC.has(name) || !lines.usesSharedModules);
    const added = addLine(lines, name, guarded ? [name] : [], compiled?.home, (file) => describeNeed(context, need, file));
    if (added === undefined) continue;
    const key = `${added.at} ${added.file.path}`;
    addedAt.set(key, [...(addedAt.get(key) ?? []), added]);
  }
  const assumed = compiled && assumptionOf(context, lines, compiled, relevant);
  for (const added of addedAt.values()) {
    const [{ file, at }] = added as [AddedLine];
    const message = assumed ?? `2.4 needs ${added.map(({ text }) => text).join('; ')}`;
    const edits = added.map(({ edit }) => edit);
    context.report({ file, at, level: 'error', safety: assumed === undefined ? 'safe' : 'review', message, edits });
  }
  reportCompiledIn(context, lines, reportedOnly);
  reportAbsent(context, lines, relevant.filter((need) => !reportedOnly.includes(need)));
} // prettier-ignore

/** A module that 2.2 also had. If no line loads it, it was compiled in, or is loaded in a file that the run does not see. */
function isIn22({ name, wasElsewhere }: ModuleNeed): boolean {
  return !wasElsewhere && /^(?:both|extra)$/.test(findModule(`${name}_module`)?.versions ?? '');
}

/** The modules that a line is to load, in the order of these lines, without those that are reported in another way. */
function relevantNeeds(
  context: ResultContext,
  lines: LoadLines,
  compiled: CompiledIn | undefined,
): readonly ModuleNeed[] {
  const { targetModules: target } = context;
  const unix = isUnix(context);
  const { byModule } = new ModuleNeeds(context, lines);
  if (compiled !== undefined) addCompiledIn(byModule, compiled);
  dropWithoutFamily(byModule, lines);
  const missing = [...byModule.values()].filter(
    ({ name }) => !lines.loads(name) && target?.get(`${name}_module`) !== 'static',
  );
  // A line for what is not there keeps 2.4 from starting.
  const left = missing.filter(
    (need) => need.isGuess === true && target?.has(`${need.name}_module`) === false,
  );
  reportGuesses(context, left, lines);
  const needs = missing.filter((need) => !left.includes(need));
  if (
    unix &&
    !lines.loads('unixd') &&
    target?.get('unixd_module') !== 'static' &&
    !needs.some(({ name }) => name === 'unixd')
  )
    needs.push({
      name: 'unixd',
      requester: 'every server on Unix',
      wasElsewhere: true,
      node: undefined,
      place: undefined,
    });
  needs.sort((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1));
  const guardedModules = modulesInGuards(context, lines);
  return needs.filter(
    (need) =>
      !(unix && isForAnotherSystem(context, need)) &&
      (compiled?.names.includes(need.name) === true || !reportIfGuarded(context, need, guardedModules)),
  );
}

/** Reports modules that nothing in the run needs, and something outside of it may. */
function reportGuesses(
  { tree, report }: ResultContext,
  needs: readonly ModuleNeed[],
  lines: LoadLines,
): void {
  const file = lines.all[0]?.place.file ?? tree.roots[0];
  if (file === undefined) return;
  const at = lines.all[0]?.node.from ?? 0;
  for (const requester of new Set(needs.map((need) => need.requester))) {
    const names = needs.filter((need) => need.requester === requester).map(({ name }) => `${name}_module`);
    const [it, has] = names.length === 1 ? ['it', 'it has'] : ['them', 'they have'];
    const message = `the target does not load ${names.join(', ')}, and 2.4 answers 500 to ${requester} without ${it}: install or enable ${it}, and add a LoadModule line, if ${has} one`;
    report({ file, at, level: 'warning', safety: 'manual', message, edits: [] });
  }
}

function rank({ name }: ModuleNeed): number {
  const at = LOADED_FIRST.indexOf(name);
  return at < 0 ? LOADED_FIRST.length : at;
}

/** Names what needs a module, with its line in the files as given. The file is named only if it is not `fileOfMessage`. */
export function describeNeed(
  { origin }: ResultContext,
  { requester, node, place }: ModuleNeed,
  fileOfMessage: ConfigFile,
): string {
  if (node === undefined || place === undefined) return requester;
  const { file, at } = origin(place.file, node.kind === 'section' ? node.open.from : node.from);
  const { line } = file.document.positionAt(at);
  return `${requester} (${file === fileOfMessage ? `line ${line}` : `${file.name}:${line}`})`;
}

interface AddedLine {
  readonly file: ConfigFile;
  readonly at: number;
  readonly edit: Edit;
  /** The module and what is done, as part of a message. */
  readonly text: string;
}

/** Adds a module's line, or uncomments the one that is there. */
function addLine(
  lines: LoadLines,
  name: string,
  guards: readonly string[],
  home: Home | undefined,
  describe: (fileOfMessage: ConfigFile) => string,
): AddedLine | undefined {
  const loadPlace = loadPlaceFor(name, lines, home);
  const commented = commentedFor(name, loadPlace, lines);
  const notes = [
    ...(commented === undefined ? [] : ['its line was commented out']),
    ...(commented === undefined && guards.length > 0 ? ['unless it is compiled in'] : []),
  ];
  const text = (file: ConfigFile): string =>
    `mod_${name} for ${describe(file)}${notes.map((note) => `, ${note}`).join('')}`;
  if (commented !== undefined) {
    const { file, node } = commented;
    return { file, at: node.from, edit: uncommentEdit(commented), text: text(file) };
  }
  if (loadPlace === undefined) return undefined;
  return {
    file: loadPlace.file,
    at: positionOf(loadPlace),
    edit: insertEdit(name, loadPlace, guards),
    text: text(loadPlace.file),
  };
}

function positionOf({ node }: LoadPlace): number {
  if (node === undefined) return 0;
  return node.kind === 'section' ? node.open.from : node.from;
}

function reportMpm(context: ResultContext, lines: LoadLines, home: Home | undefined): void {
  const mpm = mpmFor(context, lines, context.targetModules);
  if (mpm === undefined || (lines.all.length === 0 && home === undefined)) return;
  const guards = context.targetModules === undefined ? MPMS.filter((mpmName) => mpmName !== mpm.name) : [];
  const ownGuard = context.targetModules === undefined ? [mpm.name] : [];
  const added = addLine(
    lines,
    mpm.name,
    [...guards, ...ownGuard],
    home,
    () => `its processes (${mpm.reason})`,
  );
  if (added === undefined) return;
  const { file, edit, text } = added;
  // Points one byte further, because another finding of this rule may point at the same line.
  const at = edit.text === '' ? added.at : Math.min(added.at + 1, file.document.text.length);
  const message = `2.4 loads its MPM as a module: ${text}; load another MPM instead if 2.2 used another`;
  context.report({ file, at, level: 'error', safety: 'review', message, edits: [edit] });
}

/** Whether a module is for another system, so that it cannot be loaded here. Reports the directive that needs it. */
function isForAnotherSystem(context: ResultContext, need: ModuleNeed): boolean {
  const system = systemOf(need.name);
  if (system === undefined) return false;
  const { node, place, requester, name } = need;
  // A conditional may keep httpd from reading it on this system.
  if (
    node !== undefined &&
    place !== undefined &&
    !place.chain.some(({ section }) => isConditional(section))
  ) {
    const { file, at } = context.origin(place.file, node.kind === 'section' ? node.open.from : node.from);
    const message = `2.4 does not know ${requester} on this system, because it belongs to mod_${name}, which is only for ${system}: remove it`;
    context.report({ file, at, level: 'error', safety: 'manual', message, edits: [] });
  }
  return true;
}

/** A conditional that asks for a module, and its place. */
interface ModuleGuard {
  readonly node: Section;
  readonly place: Place;
}

/**
 * The modules that 2.2 may not have had and that conditionals around access lines ask for, each with the first such conditional.
 */
function modulesInGuards({ resultIndex }: ResultContext, lines: LoadLines): ReadonlyMap<string, ModuleGuard> {
  const loaded = lines.all.map((line) => line.identifier);
  const guarded = new Map<string, ModuleGuard>();
  const unloadedGuards = new Map<Section, string>();
  resultIndex.visitSections(['IfModule'], (section) => {
    const identifier = missingGuardModule(section, loaded);
    if (identifier !== undefined) unloadedGuards.set(section, identifier);
  });
  if (unloadedGuards.size === 0) return guarded;
  resultIndex.visitDirectives(ACCESS_DIRECTIVES, (_, place) => {
    place.chain.forEach(({ section, file }, i) => {
      const identifier = unloadedGuards.get(section);
      if (identifier !== undefined && !guarded.has(identifier))
        guarded.set(identifier, { node: section, place: { ...place, file, chain: place.chain.slice(0, i) } });
    });
  });
  return guarded;
}

/**
 * Reports a needed module if a conditional around access lines asks for it: loading it could change which of these lines are
 * read.
 * @returns whether it was reported, so that no line is to be added for it
 */
function reportIfGuarded(
  context: ResultContext,
  need: ModuleNeed,
  guardedModules: ReadonlyMap<string, ModuleGuard>,
): boolean {
  const guard = guardedModules.get(`${need.name}_module`);
  if (guard === undefined) return false;
  const { node, place } = guard;
  const { file, at } = context.origin(place.file, node.open.from);
  const message = `no line loads mod_${need.name}, which ${describeNeed(context, need, file)} needs, and <IfModule ${node.open.rest}> around access lines asks for it: loading it may change which of these lines are read; load it if 2.2 had it, or first remove the lines that 2.2 did not read`;
  context.report({ file, at, level: 'error', safety: 'manual', message, edits: [] });
  return true;
}

function reportCompiledIn(context: ResultContext, lines: LoadLines, needs: readonly ModuleNeed[]): void {
  const [file] = context.tree.roots;
  if (needs.length === 0 || file === undefined) return;
  const names = needs.map((need) => `${need.name} for ${describeNeed(context, need, file)}`).join(', ');
  const mpm =
    lines.all.length === 0 && mpmFor(context, lines, context.targetModules) !== undefined
      ? ' and an MPM'
      : '';
  const message = `no LoadModule line loads ${names}${mpm}: add a LoadModule line for each, unless 2.4 has it compiled in, as 2.2 had its modules${context.targetModules === undefined ? ' (give the output of its httpd -M with --modules, and this is known)' : ''}`;
  // What the target has not got at all, nothing that is included there can load.
  const level = needs.some(({ name }) => context.targetModules?.has(`${name}_module`) === false) ? 'error' : 'warning'; // prettier-ignore
  const task: Task = {
    text: 'add LoadModule lines for what 2.4 needs, unless it has that compiled in; FILE is what httpd -M prints there',
    option: '--modules FILE',
    subject: needs.map(({ name }) => name).join(', ') + mpm,
  };
  context.report({ file, at: 0, level, safety: 'manual', message, task, edits: [] });
}

/**
 * Reports the modules of httpd that lines load, or are to load, and the target does not load today.
 * @param added those that get a line
 */
function reportAbsent(context: ResultContext, lines: LoadLines, added: readonly ModuleNeed[]): void {
  const { targetModules: target, report } = context;
  if (target === undefined) return;
  const isAbsent = ({ name }: { readonly name: string }): boolean => !target.has(`${name}_module`);
  const absent = lines.all.filter((line) => {
    const versions = findModule(line.identifier)?.versions;
    // Those of others have a finding each, and those that are gone get none.
    return line.read !== false && versions !== undefined && successorVersions(line) !== '2.2' && isAbsent(line);
  });
  const names = [...new Set([...absent, ...added.filter(isAbsent)].map(({ name }) => name))];
  const first = absent[0] ?? lines.all[0];
  const file = first?.place.file ?? context.tree.roots[0];
  if (names.length === 0 || file === undefined) return;
  report({
    file,
    at: first?.node.from ?? 0,
    level: 'error',
    safety: 'manual',
    message: `the target does not load ${names.map((name) => `${name}_module`).join(', ')}: install or enable what is missing there`,
    remedy: howToEnable(context, names),
    edits: [],
  });
} // prettier-ignore

/** The versions that have the module that 2.4 is to load by a line. */
function successorVersions({ name }: LoadLine): string | undefined {
  return findModule(`${name}_module`)?.versions;
}

/** The modules beside which a module's line usually stands, closest first. */
const RELATED_MODULES: Readonly<Record<string, readonly RegExp[] | undefined>> = {
  authn_core: [/^authn_/, /^auth_/, /^auth/],
  authz_core: [/^authz_/, /^auth/],
  filter: [/^(?:ext_filter|include|substitute|deflate)$/],
  logio: [/^log_config$/],
  log_config: [/^log/],
};

/** The modules that a module requires: its line goes below theirs, in the same block. */
const PREREQUISITES: Readonly<Record<string, RegExp | undefined>> = {
  cache_disk: /^cache$/,
  dav_fs: /^dav$/,
  ldap: /^authnz_ldap$/,
  slotmem_shm: /^proxy_balancer$/,
};

function prerequisiteOf(name: string): RegExp | undefined {
  if (name.startsWith('lbmethod_')) return /^(?:proxy_balancer|slotmem_shm)$/;
  if (name.startsWith('proxy_')) return /^proxy(?:_|$)/;
  if (name.startsWith('socache_')) return /^ssl$/;
  return PREREQUISITES[name];
}

function relatedPatterns(name: string): readonly RegExp[] {
  const known = RELATED_MODULES[name];
  if (known !== undefined) return known;
  const family = /^([a-z]+?)[nz]*_/.exec(name)?.[1];
  return family === undefined ? [] : [new RegExp(`^${family}`)];
}

/** Where a module's line goes, and the line it is modelled on. */
interface LoadPlace {
  readonly file: ConfigFile;
  /** Undefined for the top of the file. */
  readonly node: Directive | Section | Comment | undefined;
  /** `above`: before the comments about it. */
  readonly side: 'before' | 'above' | 'after';
  /** Undefined where there is none to imitate. */
  readonly model: LoadLine | undefined;
}

/**
 * @param home where lines go that nothing else has a place for
 * @returns undefined if there is neither a LoadModule line to imitate nor a home
 */
function loadPlaceFor(name: string, lines: LoadLines, home: Home | undefined): LoadPlace | undefined {
  const all = lines.all.filter(({ read }) => read !== false);
  const dependent = all.find((line) => familyOf(line.name) === name);
  if (dependent !== undefined) return besideOutermostSection(dependent, 'before', dependent);
  const required = prerequisiteOf(name);
  const after = required && all.findLast((line) => required.test(line.name));
  if (after !== undefined) return { file: after.place.file, node: after.node, side: 'after', model: after };
  // A single line for a module of others may stand at the very end.
  if (home !== undefined)
    return {
      file: home.file,
      node: home.below,
      side: 'after',
      model: all.find(isOfHttpd) ?? all.find(({ path }) => !path.startsWith('/')),
    };
  const homeFile = fileOfMost(all);
  const inHome = all.filter(({ place }) => place.file === homeFile);
  const unconditional = inHome.filter(({ place }) => place.chain.length === 0);
  const model = unconditional[0] ?? inHome[0];
  if (model === undefined) return undefined;
  const first = /^mpm_|^unixd$/.test(name);
  const block = name.startsWith('mpm_') ? earlierBlock(inHome[0]!, model) : undefined;
  if (block !== undefined) return { file: inHome[0]!.place.file, node: block, side: 'above', model };
  if (first) return besideOutermostSection(inHome[0]!, 'before', model);
  for (const relatedPattern of relatedPatterns(name)) {
    const line = unconditional.findLast((loadLine) => relatedPattern.test(loadLine.name));
    if (line !== undefined) return { file: line.place.file, node: line.node, side: 'after', model: line };
  }
  // Modules of others lie in directories of their own.
  const last = unconditional.findLast(isOfHttpd) ?? unconditional.at(-1) ?? inHome.at(-1)!;
  return besideOutermostSection(last, 'after', last);
}

/** The first block that asks for an MPM above the lines that load modules: 2.4 skips it unless it has loaded the MPM before. */
function earlierBlock({ place, node: line }: LoadLine, { path }: LoadLine): Section | undefined {
  const { body } = place.file.document;
  const block = body.find(
    (node): node is Section =>
      node.kind === 'section' &&
      node.key === 'ifmodule' &&
      node.start < line.start &&
      findModule(node.args[0]?.value ?? '')?.identifier.startsWith('mpm_') === true,
  );
  // A path is read below the ServerRoot that stands above it.
  const isKnown = (above: Section): boolean =>
    path.startsWith('/') ||
    body.some((node) => node.kind === 'directive' && node.key === 'serverroot' && node.start < above.start);
  return block !== undefined && isKnown(block) ? block : undefined;
}

function isOfHttpd({ identifier }: LoadLine): boolean {
  const versions = findModule(identifier)?.versions;
  return versions !== undefined && versions !== 'extra';
}

/** The file in which a server has most of its lines: others have the line of one module beside what that module reads. */
function fileOfMost(lines: readonly LoadLine[]): ConfigFile | undefined {
  const counts = new Map<ConfigFile, number>();
  for (const { place } of lines) counts.set(place.file, (counts.get(place.file) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return [...counts].find(([, count]) => count === most)?.[0];
}

/** Beside the outermost section around a line, so that a new line is read whatever the section asks for. */
function besideOutermostSection(line: LoadLine, side: LoadPlace['side'], model: LoadLine): LoadPlace {
  const [outermostFrame] = line.place.chain;
  return outermostFrame === undefined
    ? { file: line.place.file, node: line.node, side, model }
    : { file: outermostFrame.file, node: outermostFrame.section, side, model };
}

/** The commented-out line of a module, if the module can be loaded there. */
function commentedFor(
  name: string,
  loadPlace: LoadPlace | undefined,
  lines: LoadLines,
): CommentedLoadLine | undefined {
  const line = lines.commented.find((commentedLine) => commentedLine.name === name);
  if (line === undefined || prerequisiteOf(name) === undefined || loadPlace === undefined) return line;
  return loadPlace.file === line.file &&
    loadPlace.model?.place.chain.length === 0 &&
    (loadPlace.node?.end ?? 0) <= line.node.start
    ? line
    : undefined;
}

/** A `LoadModule` line with the spelling, blanks and path of the line it is modelled on. */
function lineFor(name: string, model: LoadLine | undefined): string {
  if (model === undefined) return `LoadModule ${name}_module modules/mod_${name}.so`;
  const { node, place, path, identifier } = model;
  const { text } = place.file.document;
  const [identifierArgument, pathArgument] = node.args as readonly [Argument, Argument];
  const quote = /^["']/.exec(text.slice(pathArgument.start, pathArgument.end))?.[0] ?? '';
  let blanks = text.slice(identifierArgument.end, pathArgument.start).replace(/[^ \t]/g, '') || ' ';
  // Keeps the paths aligned in a column.
  if (/^ {2,}$/.test(blanks))
    blanks = ' '.repeat(Math.max(1, blanks.length + identifier.length - `${name}_module`.length));
  // Others have their modules where they like.
  const directory =
    isOfHttpd(model) || !path.startsWith('/') ? path.slice(0, path.lastIndexOf('/') + 1) : 'modules/';
  const lineStart = text.slice(node.from, identifierArgument.start).replace(/[\\\r\n]/g, '');
  return `${lineStart}${name}_module${blanks}${quote}${directory}mod_${name}.so${quote}`;
}

/**
 * Inserts the line, inside an `<IfModule !…>` for each of `guards`: httpd does not start if it loads a module that is compiled
 * in.
 */
function insertEdit(name: string, { file, node, side, model }: LoadPlace, guards: readonly string[]): Edit {
  const indent = indentUnit(
    file.document,
    model === undefined ? '' : indentOf(file.document, model.node),
    undefined,
  );
  const innerIndent = indent.repeat(guards.length);
  const lines = [
    ...guards.map((guard, i) => `${indent.repeat(i)}<IfModule !${guard}_module>`),
    innerIndent + lineFor(name, model),
    ...guards.map((_, i) => `${indent.repeat(guards.length - 1 - i)}</IfModule>`),
  ];
  const { document } = file;
  if (node === undefined)
    return {
      start: document.bom,
      end: document.bom,
      text: lines.map((line) => line + document.eol).join(''),
    };
  if (node.kind === 'comment') return insertAfter(document, node, lines);
  if (side === 'after') return insertAt(document, { node, side }, lines);
  if (side === 'above') return insertAt(document, { node, side: 'before' }, lines);
  // Directly above the line, so that comments about loading modules stay on top.
  const line = node.kind === 'section' ? node.open : node;
  const text = lines.map((newLine) => indentOf(document, line) + newLine + eolOf(document, line)).join('');
  return { start: line.start, end: line.start, text };
}

/** Removes the comment signs. */
function uncommentEdit({ file, node }: CommentedLoadLine): Edit {
  const commentSigns = /^#+[ \t]*/.exec(file.document.text.slice(node.from, node.to))![0];
  return { start: node.from, end: node.from + commentSigns.length, text: '' };
}
