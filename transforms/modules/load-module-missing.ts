import { guardedModule, missingGuardModule } from '../../src/access';
import { type ConfigFile, type Place, isConditional } from '../../src/config';
import type { ResultContext, Task } from '../../src/engine';
import { findModule, systemOf } from '../../src/httpd/modules';
import type { Section } from '../../src/syntax';
import {
  addCompiledIn,
  assumptionOf,
  compiledIn,
  type CompiledIn,
  dropWithoutFamily,
  loadsElsewhere,
  type Home,
} from './compiled-in';
import { REFUSING } from '../common/keeps-out';
import { CONDITIONAL_VARIABLES } from '../common/words';
import { howToEnable } from './platform';
import { type ModuleNeed, ModuleNeeds, OFTEN_STATIC } from './load-module-needs';
import { ACCESS_DIRECTIVES, type LoadLine, type LoadLines, MPMS, isUnix, mpmFor } from './module-lines';
import { type AddedLine, addLine } from './load-line';
import { addTo, getOrInsert, groupBy } from '../../src/maps';

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

/** Adds the LoadModule lines that the result needs, or reports them where nothing tells which, or where. */
export function reportMissing(context: ResultContext, lines: LoadLines): void {
  const unix = isUnix(context);
  const mayLoadElsewhere = loadsElsewhere(context);
  const compiled = compiledIn(context, lines);
  const { relevant, ofAccessFiles } = relevantNeeds(context, lines, compiled);
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
  // Where 2.2's modules are not known, one finding names them all.
  const isUnknown = compiled === undefined && (lines.all.length === 0 || mayLoadElsewhere);
  const askedFor = isUnknown ? onePerModule(ofAccessFiles) : [];
  if (!isUnknown) reportAskedFor(context, ofAccessFiles);
  const addedAt = new Map<string, AddedLine[]>();
  for (const need of relevant) {
    if (reportedOnly.includes(need)) continue;
    const { name } = need;
    const guarded =
      target === undefined && (isIn22(need) || OFTEN_STATIC.has(name) || !lines.usesSharedModules);
    const added = addLine(lines, name, guarded ? [name] : [], compiled?.home, (file) =>
      describeNeed(context, need, file),
    );
    if (added === undefined) continue;
    const key = `${added.at} ${added.file.path}`;
    addTo(addedAt, key, added);
  }
  const assumed = compiled && assumptionOf(context, lines, compiled, relevant);
  for (const added of addedAt.values()) {
    const [{ file, at }] = added as [AddedLine];
    const message = assumed ?? `2.4 needs ${added.map(({ text }) => text).join('; ')}`;
    const edits = added.map(({ edit }) => edit);
    context.report({
      file,
      at,
      level: 'error',
      safety: assumed === undefined ? 'safe' : 'review',
      message,
      edits,
    });
  }
  reportCompiledIn(context, lines, reportedOnly, askedFor);
  reportAbsent(
    context,
    lines,
    relevant.filter((need) => !reportedOnly.includes(need)),
  );
}

/** A module that 2.2 also had. If no line loads it, it was compiled in, or is loaded in a file that the run does not see. */
function isIn22({ name, wasElsewhere }: ModuleNeed): boolean {
  return !wasElsewhere && /^(?:both|extra)$/.test(findModule(`${name}_module`)?.versions ?? '');
}

/** The modules that a line is to load, in the order of these lines, without those that are reported in another way. */
function relevantNeeds(
  context: ResultContext,
  lines: LoadLines,
  compiled: CompiledIn | undefined,
): { readonly relevant: readonly ModuleNeed[]; readonly ofAccessFiles: readonly ModuleNeed[] } {
  const { targetModules: target } = context;
  const unix = isUnix(context);
  const { byModule, ofAccessFiles } = new ModuleNeeds(context, lines);
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
  const guards = guardsByModule(context, lines, needs);
  return {
    relevant: needs.filter(
      (need) =>
        !(unix && isForAnotherSystem(context, need)) &&
        (compiled?.names.includes(need.name) === true ||
          !reportIfGuarded(context, need, guards.get(`${need.name}_module`))),
    ),
    ofAccessFiles: ofAccessFiles.filter(
      ({ name }) => !byModule.has(name) && target?.get(`${name}_module`) !== 'static',
    ),
  };
}

/** The first need for each module. */
function onePerModule(needs: readonly ModuleNeed[]): ModuleNeed[] {
  return [...groupBy(needs, ({ name }) => name).values()].map(([first]) => first!);
}

/** Reports what `.htaccess` files ask for and no line loads, at each of these files. */
export function reportAskedFor({ origin, report }: ResultContext, needs: readonly ModuleNeed[]): void {
  for (const { name, requester, isArgument, node, place } of needs) {
    if (node === undefined || place === undefined) continue;
    const { file, at } = origin(place.file, node.kind === 'section' ? node.open.from : node.from);
    const else24 = isArgument === true ? ', or does without what the line asks for' : ', as 2.2 did';
    const message = `${requester} needs mod_${name}, which no line loads, and none is added for the sake of a .htaccess: load it if 2.2 had it; without it 2.4 answers 500 here${else24}`;
    report({ file, at, level: 'warning', message });
  }
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
    report({ file, at, level: 'warning', message });
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
  const had = context.tree.mpm22;
  const name = mpm.name.replace('mpm_', '');
  const told =
    had === undefined
      ? `: right if httpd -V of the old server names ${name} as its MPM`
      : had === name
        ? ''
        : `: httpd -V of the old server names ${had}: see that this is meant`;
  const safety = told === '' ? 'safe' : 'review';
  context.report({ file, at, level: 'error', safety, message: `2.4 loads ${text}${told}`, edits: [edit] });
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
    context.report({ file, at, level: 'error', message });
  }
  return true;
}

/** Lines that decide who gets in, also by way of a variable, by what a `.htaccess` may say, or before access is asked. */
const DECIDING = [...ACCESS_DIRECTIVES, ...CONDITIONAL_VARIABLES, ...REFUSING, 'RewriteEngine'];

/** A conditional that asks for a module, and its place. */
interface ModuleGuard {
  readonly node: Section;
  readonly place: Place;
}

/** Conditionals around lines that decide who gets in, by the module 2.2 may not have had that they ask for. */
function guardsByModule(
  { resultIndex }: ResultContext,
  lines: LoadLines,
  needs: readonly ModuleNeed[],
): ReadonlyMap<string, readonly ModuleGuard[]> {
  const loaded = lines.all.map((line) => line.identifier);
  const isNewTo22 = new Set(
    needs.flatMap(({ name, wasElsewhere }) => (wasElsewhere ? `${name}_module` : [])),
  );
  const asking = new Map<Section, string>();
  resultIndex.visitSections(['IfModule'], (section) => {
    const asked = guardedModule(section)?.module;
    const isAdded = asked?.versions === 'both' && isNewTo22.has(asked.identifier);
    const identifier = isAdded ? asked.identifier : missingGuardModule(section, loaded);
    if (identifier !== undefined) asking.set(section, identifier);
  });
  const found = new Map<string, Map<Section, ModuleGuard>>();
  if (asking.size > 0)
    resultIndex.visitDirectives(DECIDING, (_, place) => {
      place.chain.forEach(({ section, file }, i) => {
        const identifier = asking.get(section);
        if (identifier === undefined || place.root.role === 'unreached') return;
        const guard = { node: section, place: { ...place, file, chain: place.chain.slice(0, i) } };
        getOrInsert(found, identifier, () => new Map<Section, ModuleGuard>()).set(section, guard);
      });
    });
  return new Map([...found].map(([identifier, guards]) => [identifier, [...guards.values()]]));
}

/**
 * Reports a needed module if conditionals around lines that decide who gets in ask for it: loading it could change which of these
 * lines are read.
 * @returns whether no line is to be added for it: whoever may write a `.htaccess` does not keep a module out
 */
function reportIfGuarded(
  context: ResultContext,
  need: ModuleNeed,
  guards: readonly ModuleGuard[] = [],
): boolean {
  const ofServer = guards.filter(({ place }) => place.root.role !== 'htaccess');
  const isKeptOut = ofServer.length > 0;
  for (const { node, place } of isKeptOut ? ofServer.slice(0, 1) : guards) {
    const { file, at } = context.origin(place.file, node.open.from);
    const outcome = isKeptOut
      ? 'loading it may change which of these lines are read; load it if 2.2 had it, or first remove the lines that 2.2 did not read'
      : 'with the line that is added for it, 2.4 may read others of these lines than 2.2: write what is to hold without the block';
    const message = `no line loads mod_${need.name}, which ${describeNeed(context, need, file)} needs, and <IfModule ${node.open.rest}> around lines that decide who gets in asks for it: ${outcome}`;
    context.report({ file, at, level: 'error', changesAccess: true, message });
  }
  return isKeptOut;
}

/** @param askedFor what only `.htaccess` files need: 2.4 starts without it, and may send the text of a program to whoever asks */
function reportCompiledIn(
  context: ResultContext,
  lines: LoadLines,
  ofServer: readonly ModuleNeed[],
  askedFor: readonly ModuleNeed[],
): void {
  const [file] = context.tree.roots;
  const needs = [...ofServer, ...askedFor];
  if (needs.length === 0 || file === undefined) return;
  const names = needs.map((need) => `${need.name} for ${describeNeed(context, need, file)}`).join(', ');
  const mpm =
    lines.all.length === 0 && mpmFor(context, lines, context.targetModules) !== undefined
      ? ' and an MPM'
      : '';
  // What the target has not got at all, nothing that is included there can load.
  const isFailing = (need: ModuleNeed): boolean => ofServer.includes(need) || need.isArgument === true;
  const isAbsent = (need: ModuleNeed): boolean => context.targetModules?.has(`${need.name}_module`) === false;
  const level = needs.some((need) => isFailing(need) && isAbsent(need)) ? 'error' : 'warning';
  if (
    level === 'warning' &&
    context.tree.problems.some(({ code }) => /^include-(?:missing|elsewhere)$/.test(code))
  ) {
    // A person gives these files first: what is then still lacking is told then.
    const message = `no LoadModule line here loads ${names}${mpm}: a file that an Include line names and that is not here may do so; once it is given, this says what 2.4 lacks`;
    context.report({ file, at: 0, level: 'info', message });
    return;
  }
  const message = `no LoadModule line loads ${names}${mpm}: add a LoadModule line for each, unless 2.4 has it compiled in, as 2.2 had its modules${context.targetModules === undefined ? ' (give the output of its httpd -M with --modules, and this is known)' : ''}`;
  const task: Task = {
    text: 'add LoadModule lines for these, unless 2.4 has them compiled in (FILE holds what its httpd -M prints)',
    option: '--modules FILE',
    subject: needs.map(({ name }) => name).join(', ') + mpm,
  };
  context.report({ file, at: 0, level, message, task });
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
    return (
      line.read !== false && versions !== undefined && successorVersions(line) !== '2.2' && isAbsent(line)
    );
  });
  const names = [...new Set([...absent, ...added.filter(isAbsent)].map(({ name }) => name))];
  const first = absent[0] ?? lines.all[0];
  const file = first?.place.file ?? context.tree.roots[0];
  if (names.length === 0 || file === undefined) return;
  report({
    file,
    at: first?.node.from ?? 0,
    level: 'error',
    message: `the target does not load ${names.map((name) => `${name}_module`).join(', ')}: install or enable what is missing there`,
    remedy: howToEnable(context, names),
  });
}

/** The versions that have the module that 2.4 is to load by a line. */
function successorVersions({ name }: LoadLine): string | undefined {
  return findModule(`${name}_module`)?.versions;
}
