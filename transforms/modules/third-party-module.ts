import { moduleTask, PHP_TASK } from '../common/tasks';
import { type Place, isDebianLink, placeCondition } from '../../src/config';
import { defineTransform, type Finding, type Task, type TransformContext } from '../../src/engine';
import { findDirective } from '../../src/httpd/directives';
import { PHP_SETTINGS } from '../../src/httpd/handlers';
import { findModule } from '../../src/httpd/modules';
import {
  findThirdParty,
  isIn24,
  LIBRARIES_KEY,
  THIRD_PARTY_ROWS,
  type ThirdPartyModule,
  thirdPartyOwner,
} from '../../src/httpd/third-party';
import { type Directive, firstEndingAfter } from '../../src/syntax';
import { shellWord } from '../../src/shell-word';
import { isOfAnsweredPhp, librariesAbove, type LoadLine, LoadLines, plainName } from './module-lines';
import { isNotInUse, isOfServer, isReadWithHttpdModules, perlIn } from '../common/lines';
import { isServerFor24 } from '../common/written-for';
import { packagedFor24 } from '../common/servers';
import { addTo, getOrInsert } from '../../src/maps';

export default defineTransform({
  id: 'third-party-module',
  changes: ['B5'],
  version: 2,
  title: 'Modules that are not part of httpd',
  stops: true,
  why: '2.4 cannot load a module built for 2.2, because the version of the module interface differs. Without the module, 2.4 does not start with its directives, or answers 500 if a .htaccess has one.',
  docs: ['upgrading: Third Party Modules', 'include/ap_mmn.h'],
  assumes: [
    ...THIRD_PARTY_ROWS.flatMap(({ key, isBuiltFor24 }) => (isBuiltFor24 ? [key] : [])),
    LIBRARIES_KEY,
  ],
  advisory: true,
  run(context) {
    const { lines, libraries, otherLibraries } = loadLinesOf(context);
    const target = targetNames(context);
    const names = foreignNames(context, lines.some(isForPhp));
    const groups = groupsOf(lines, names);
    for (const group of groups) reportGroup(context, group, libraries, target);
    reportLibraries(context, otherLibraries);
  },
});

/** What one finding is about: a module, or a name that nobody knows. */
interface ForeignGroup {
  readonly module: ThirdPartyModule | undefined;
  readonly lines: LoadLine[];
  readonly names: ForeignName[];
}

/** A directive or section that neither version knows, where it first stands. */
interface ForeignName {
  readonly key: string;
  readonly displayName: string;
  /** The directive that it would be without bytes that nobody sees. */
  readonly meant?: string | undefined;
  readonly place: Place;
  readonly at: number;
}

/** LoadModule lines of others' modules, and the LoadFile lines of what is no library of theirs. */
interface ForeignLines {
  readonly lines: readonly LoadLine[];
  /** By the LoadModule line below them. */
  readonly libraries: ReadonlyMap<Directive, readonly Directive[]>;
  readonly otherLibraries: readonly { readonly node: Directive; readonly place: Place }[];
}

function loadLinesOf(context: TransformContext): ForeignLines {
  const { index, tree } = context;
  const all = new LoadLines(index).all.filter(
    (line) => line.read !== false && findModule(line.identifier) === undefined,
  );
  const lines = all.filter((line) => !isOfAnsweredPhp(context, line));
  const libraries = new Map<Directive, Directive[]>();
  const otherLibraries: { node: Directive; place: Place }[] = [];
  if (!index.someDirective(['LoadFile'], () => true)) return { lines, libraries, otherLibraries };
  const byNode = new Set(lines.map(({ node }) => node));
  // What goes with a module's line is not asked about.
  const seen = new Set(all.filter((line) => !lines.includes(line)).flatMap(librariesAbove));
  index.visitDirectives(['LoadFile'], (node, place) => {
    if (seen.has(node) || !isOfServer(place, tree) || !isReadWithHttpdModules(place)) return;
    seen.add(node);
    const body = place.chain.at(-1)?.section.body ?? place.file.document.body;
    const next = body.find(
      ({ kind, start }, i) => start > node.start && kind === 'directive' && !isLoadFile(body[i]),
    );
    if (next?.kind === 'directive' && byNode.has(next)) addTo(libraries, next, node);
    else if (tree.isServer) otherLibraries.push({ node, place });
  });
  return { lines, libraries, otherLibraries };
}

function isLoadFile(node: Place['file']['document']['body'][number] | undefined): boolean {
  return node?.kind === 'directive' && node.key === 'loadfile';
}

/** What the target calls the modules that it has: those that it loads, or where that is not known, those of packages for 2.4. */
function targetNames(context: TransformContext): ReadonlySet<string> {
  return new Set([...(context.targetModules?.keys() ?? packagedFor24(context))].map(plainName));
}

/** One group a module, and one a name that no module is known for, in the order of the run. */
function groupsOf(lines: readonly LoadLine[], names: readonly ForeignName[]): readonly ForeignGroup[] {
  const groups = new Map<string, ForeignGroup>();
  const groupFor = (key: string, module: ThirdPartyModule | undefined): ForeignGroup => {
    return getOrInsert(groups, key, () => ({ module, lines: [], names: [] }));
  };
  for (const line of lines) {
    const module = findThirdParty(plainName(line.identifier));
    groupFor(module?.key ?? `LoadModule ${line.identifier}`, module).lines.push(line);
  }
  // What begins as the name of a module that is loaded comes with that module.
  const stems = lines.flatMap(({ identifier }) => {
    const stem = /^[a-z]{2,}/i.exec(identifier.replace(/^mod_/, ''))?.[0].toLowerCase();
    return stem === undefined || findThirdParty(plainName(identifier)) !== undefined
      ? []
      : [{ stem, identifier }];
  });
  for (const name of names) {
    const owner = thirdPartyOwner(name.key);
    const loaded = owner === undefined ? stems.find(({ stem }) => name.key.startsWith(stem)) : undefined;
    const key = owner?.key ?? (loaded === undefined ? `<${name.key}` : `LoadModule ${loaded.identifier}`);
    groupFor(key, owner).names.push(name);
  }
  return [...groups.values()];
}

function reportGroup(
  context: TransformContext,
  { module, lines, names }: ForeignGroup,
  libraries: ForeignLines['libraries'],
  target: ReadonlySet<string>,
): void {
  const inTarget = (identifier: string): boolean => target.has(plainName(identifier));
  const loadedAs = module?.identifiers.find(inTarget);
  // The target has the build that a line names, and loads it as this one does.
  const left = lines.filter(({ identifier }) => !inTarget(identifier));
  const isThere = loadedAs !== undefined || left.length < lines.length;
  if (left.length === 0 && (isThere || names.length === 0)) return;
  const first = left[0];
  const place = first?.place ?? names[0]!.place;
  const isHtaccess = first === undefined && place.root.role === 'htaccess';
  const subject = first === undefined ? undefined : loadSubject(left, libraries);
  const isFor24 = isServerFor24(context);
  const message = `${missing({ subject, isHtaccess, directives: isThere ? '' : listed(names), module, isFor24 })}: ${adviceFor(loadedAs, module, subject, names[0])}`;
  // What only a .htaccess has, and no module is known for, stops one directory, and did so in 2.2 unless a module that nobody
  // sees had it.
  const isCertain = (context.tree.isServer || subject !== undefined) && !(isHtaccess && module === undefined);
  report(context, place, first?.node.from ?? names[0]!.at, isCertain, {
    message,
    ...(loadedAs === undefined && { task: taskOf(module, first?.identifier, names[0]) }),
    ...(module !== undefined && loadedAs === undefined && remedyOf(module, context, place)),
    ...commandsFor(left),
  });
}

function taskOf(
  module: ThirdPartyModule | undefined,
  identifier: string | undefined,
  name: ForeignName | undefined,
): Task {
  if (module?.key === 'php') return PHP_TASK;
  if (identifier === undefined && name?.displayName.includes('\\x') === true)
    return {
      text: 'type these names anew, in which there are bytes that no name has',
      subject: name.displayName,
    };
  return moduleTask(identifier ?? module?.name ?? name!.displayName);
}

/** What is told of a module that 2.4 may not have. */
interface MissingModule {
  /** What 2.4 cannot load; undefined where no line loads it. */
  readonly subject: string | undefined;
  readonly isHtaccess: boolean;
  /** Beside lines of 2.4 the build may be one for 2.4, or may have been left as it was. */
  readonly isFor24: boolean;
  readonly directives: string;
  readonly module: ThirdPartyModule | undefined;
}

function missing({ subject, isHtaccess, isFor24, directives, module }: MissingModule): string {
  const without = directives === '' ? '' : `, and has no ${directives} without it`;
  if (subject !== undefined && isFor24)
    return `2.4 does not start unless its build of ${subject} is one for 2.4${without}`;
  if (subject !== undefined) return `2.4 cannot load ${subject} as built for 2.2${without}`;
  const effect = isHtaccess ? 'answers 500 where a .htaccess has' : 'does not start with';
  return `2.4 ${effect} ${directives}${module === undefined ? '' : ` unless it loads ${module.name}`}`;
}

/** What to do. @param loadedAs the identifier by which the target loads the module */
function adviceFor(
  loadedAs: string | undefined,
  module: ThirdPartyModule | undefined,
  subject: string | undefined,
  name: ForeignName | undefined,
): string {
  if (loadedAs !== undefined)
    return `the target loads it as ${nameInTarget(loadedAs)}: remove this line, and have 2.4 read that one`;
  if (module !== undefined) return module.advice;
  if (subject === undefined && name?.meant !== undefined)
    return `httpd takes the bytes that are no letters for a part of the name: type ${name.meant} anew`;
  return subject === undefined
    ? 'no module of httpd has it, and none that is known here: install a build for 2.4 of its module, or remove the line'
    : 'install a build for 2.4, or remove the line and what only this module reads';
}

/** What 2.4 cannot load, as part of a message, which stands at the first of the lines. */
function loadSubject(lines: readonly LoadLine[], libraries: ForeignLines['libraries']): string {
  const first = new Map([...lines].reverse().map((line) => [line.identifier, line]));
  const identifiers = [...new Set(lines.map(({ identifier }) => identifier))].map((identifier) => {
    const { node, place } = first.get(identifier)!;
    const line = `${place.file.name}:${place.file.document.positionAt(node.from).line}`;
    return identifier === lines[0]!.identifier ? identifier : `${identifier} (${line})`;
  });
  const files = lines.flatMap(({ node }) => libraries.get(node) ?? []);
  return (
    identifiers.join(', ') +
    (files.length === 0 ? '' : ` (with the LoadFile ${files.length > 1 ? 'lines' : 'line'} for it)`)
  );
}

function nameInTarget(identifier: string): string {
  return identifier.startsWith('mod_') ? identifier : `${identifier}_module`;
}

function remedyOf(
  module: ThirdPartyModule,
  { chosen }: TransformContext,
  { file }: Place,
): Pick<Finding, 'remedy' | 'question' | 'asks'> {
  const { key, name, packages, isBuiltFor24 } = module;
  const known = Object.entries(packages).map(([system, text]) => `${system}: ${text}`);
  const packageText = known.length === 0 ? '' : `packages for 2.4: ${known.join('; ')}. `;
  const choice = chosen(key, file)?.choice;
  // PHP that runs elsewhere leaves httpd without its directives.
  if (!isBuiltFor24 || (choice !== undefined && !choice.startsWith('module'))) return {};
  return {
    remedy: `${packageText}Once 2.4 has ${name}, say so with --answer ${key}=${key === 'php' ? 'module' : 'yes'}, or give what its httpd -M prints with --modules`,
    question: key,
    ...(key !== 'php' && { asks: [isIn24(module)] }),
  };
}

/** What Debian's tools enable, they can disable where no build is at hand. */
function commandsFor(lines: readonly LoadLine[]): Pick<Finding, 'commands'> {
  const commands = lines
    .filter(({ place }) => isDebianLink(place.file))
    .map(({ name, path }) => `disable_without ${shellWord(name)} ${shellWord(path)}`);
  return commands.length === 0 ? {} : { commands };
}

/** @param isCertain whether that is what 2.4 does: a part of a server may become part of one that has the module */
function report(
  { report: add }: TransformContext,
  { file }: Place,
  at: number,
  isCertain: boolean,
  finding: Pick<Finding, 'message' | 'remedy' | 'question' | 'asks' | 'commands' | 'task'>,
): void {
  add({
    file,
    at,
    level: isCertain ? 'error' : 'warning',
    safety: 'manual',
    needsModule: true,
    ...finding,
    edits: [],
  });
}

/** Libraries that nothing here is known to need: 2.4 does not start where they are in another place. */
function reportLibraries(context: TransformContext, libraries: ForeignLines['otherLibraries']): void {
  const [first] = libraries;
  if (first === undefined) return;
  const files = [...new Set(libraries.flatMap(({ node }) => node.args.map(({ value }) => value)))];
  report(context, first.place, first.node.from, true, {
    message: `2.4 does not start unless ${files.join(', ')} ${files.length > 1 ? 'are' : 'is'} there: remove the LoadFile line where no module needs it any more, or correct its path`,
    remedy: `Once it is there, say so with --answer ${LIBRARIES_KEY}=yes`,
    question: LIBRARIES_KEY,
    asks: [{ key: LIBRARIES_KEY, text: `${files.join(', ')} ${files.length > 1 ? 'are' : 'is'} there` }],
  });
}

/** How many names one finding lists. */
const MAX_NAMES = 10;

function listed(names: readonly ForeignName[]): string {
  const shown = names.slice(0, MAX_NAMES).map(({ displayName }) => displayName);
  return shown.join(', ') + (names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '');
}

/**
 * The names that neither version knows and that no block for their module holds, in the order of the run. One that a server has
 * is placed there, though a .htaccess may have it before.
 * @param loadsPhp whether a line loads PHP as a module: its settings are missing with it
 */
function foreignNames(context: TransformContext, loadsPhp: boolean): readonly ForeignName[] {
  const { index, tree } = context;
  const found = new Map<string, ForeignName>();
  const noteName = (key: string, displayName: string, place: Place, at: number): void => {
    const known = found.get(displayName.toLowerCase());
    if (known !== undefined && (known.place.root.role !== 'htaccess' || place.root.role === 'htaccess'))
      return;
    if (isNotInUse(place, tree)) return;
    if (isReadWithHttpdModules(place) && !isInPerl(place, at))
      found.set(displayName.toLowerCase(), { key, displayName, meant: meant(key), place, at });
  };
  index.visitDirectives([...index.names].filter(isForeign), (node, place) => {
    if (!isToldAsSetting(context, node, place, loadsPhp))
      noteName(node.key, visible(node.name), place, node.from);
  });
  index.visitSections([...index.sectionNames].filter(isForeign), (node, place) =>
    noteName(node.key, `<${node.name}>`, place, node.open.from),
  );
  const order = new Map(tree.files.map((file, i) => [file, i]));
  // What stands in a .htaccess comes last: where a server has another name of the same module, that is where the finding stands.
  const rank = ({ place }: ForeignName): number =>
    (place.root.role === 'htaccess' ? order.size : 0) + (order.get(place.file) ?? 0);
  return [...found.values()].sort((a, b) => rank(a) - rank(b) || a.at - b.at);
}

/** Whether a name stands in Perl that prints configuration. Nobody fills in a `.htaccess`. */
function isInPerl({ file: { document }, root }: Place, at: number): boolean {
  if (root.role === 'htaccess') return false;
  const blocks = perlIn(document);
  const block = blocks[firstEndingAfter(blocks, at)];
  return block !== undefined && block.start < at;
}

function isForPhp({ identifier }: LoadLine): boolean {
  return findThirdParty(plainName(identifier))?.key === 'php';
}

const SETTINGS: ReadonlySet<string> = new Set(PHP_SETTINGS);

/** Whether the rules about settings of PHP tell that 2.4 does not know a line, or take it away as answered. */
function isToldAsSetting(
  { chosen }: TransformContext,
  { key, args }: Directive,
  { file, chain }: Place,
  loadsPhp: boolean,
): boolean {
  if (placeCondition(chain).on22 === false) return false;
  const choice = chosen('php', file)?.choice;
  if (choice !== undefined && !choice.startsWith('module')) return key === 'phpinidir' || SETTINGS.has(key);
  // Nothing but PHP's own switch is not told of there.
  return !loadsPhp && SETTINGS.has(key) && args[0]?.value.toLowerCase() !== 'engine';
}

const NAME = /^[\w.\-\x00-\x1F\x7F-\xFF]+$/;

/**
 * A name that neither version ships: one that a directive can have, or one with bytes that no name has, such as a no-break space
 * that was pasted. What has other signs may be a template's.
 */
function isForeign(name: string): boolean {
  return NAME.test(name) && /[^.-]/.test(name) && findDirective(name) === undefined;
}

/** Bytes of a name that are shown. */
const MAX_SHOWN = 40;

/** A name with what nobody would see in it written out. */
function visible(name: string): string {
  return name
    .slice(0, MAX_SHOWN)
    .replace(/[^!-~]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

/** The directive that is meant, where a name is one but for bytes that no name has. */
function meant(name: string): string | undefined {
  const plain = name.replace(/[^!-~]/g, '');
  return plain === name ? undefined : findDirective(plain.toLowerCase())?.name;
}
