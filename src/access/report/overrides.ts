import { type ConfigFile, type ConfigTree, isComplete, serverStateOf, surelyHasCompat } from '../../config';
import { collect } from '../collect';
import type { Withdrawal } from '../../engine/types';
import type { Directive, Section } from '../../syntax';
import type { UrlMapping } from '../mapping';
import { EMPTY_LIST, addTo, getOrInsert, groupBy, isBelowAny, lazy } from '../primitives';
import {
  type FileReading,
  type HtaccessDifference,
  type OverrideReader,
  type OverrideState,
  type TreeOverrides,
  argumentsDifference,
  htaccessDifference,
  overridesOf,
  servedAnew,
  statesByTerms,
} from '../override';
import { type Rewriting, filesDenied, filesShut } from '../verify';

/** Which version answers 500 to a `.htaccess`, or reads it alone, and why. */
type LostOverride = Pick<Withdrawal, 'why'> & Pick<HtaccessDifference, 'version'>;

export interface HtaccessProblem {
  /** The file the line stands in: of the result if 2.4 has the problem, of the tree as it was if 2.2 has. */
  readonly file: ConfigFile;
  /** Which answers 500 there, or is alone in reading it. */
  readonly version: OverrideReader;
  readonly at: number;
  readonly message: string;
}

/**
 * Holds every `.htaccess` of the result against the AllowOverride and AllowOverrideList that are in force there, for each virtual
 * host and each setting of the conditionals, and what is to be read by 2.2 against the modules that it loads: what 2.2 answered
 * and 2.4 would answer 500 to, and the other way round.
 */
export function htaccessProblems(before: ConfigTree, after: ConfigTree): HtaccessProblem[] {
  const held = heldFiles(before, after);
  return after.htaccess.flatMap((file) => held?.problemsOf(file) ?? []);
}

/**
 * Holds what 2.4 lets each `.htaccess` say after a rewrite against what 2.2 let it say before: a rewrite must not take an
 * AllowOverride away.
 * @returns the groups to take back: those that edit the file, or else the lines that say what it may
 */
export function checkOverrides(...[before, after, applied]: Rewriting): Map<string, Withdrawal> {
  const refused = new Map<string, Withdrawal[]>();
  const held = heldFiles(before, after);
  if (held === undefined || held.was.overrides.sections.length === 0) return new Map();
  const { was } = held;
  const configFiles = new Set(was.overrides.sections.map(({ file }) => file));
  // What becomes of directories that are shut from above the comparison of the answers looks at.
  const shut = new Set([...filesShut(before, applied)].flatMap((file) => was.directoriesOf(file)));
  // Nor does it matter what one says of which all sections let nobody in.
  const denied = new Set(
    [...filesDenied(before, applied)].filter((file) => before.shuts?.(file) !== undefined),
  );
  const byFile = groupBy(applied, ({ file }) => file);
  for (const file of after.htaccess) {
    const source = held.given.get(file.path);
    if (source === undefined || denied.has(source)) continue;
    if (was.directoriesOf(source).some((directory) => isBelowAny(directory, shut))) continue;
    const inFile = byFile.get(source) ?? EMPTY_LIST;
    const [lost] = held.lostOverride(source, file, isDenied(inFile));
    if (lost === undefined) continue;
    const blamed = inFile.length > 0 ? inFile : applied.filter((rewrite) => configFiles.has(rewrite.file));
    const { why, version } = lost;
    // What 2.2 refuses it does for what the file says, whatever the server's own lines have become.
    const withdrawal = version === '2.2' ? { why, madeBy: [source.path] } : { why };
    for (const group of new Set(blamed.map((rewrite) => rewrite.group)))
      if (group !== undefined) addTo(refused, group, withdrawal);
  }
  return new Map([...refused].map(([group, [first, ...besides]]) => [group, { ...first!, besides }]));
}

/**
 * Looks for `.htaccess` files that are a 500 today, whichever version runs the configuration, and that 2.4 serves once they are
 * rewritten: what a rule takes out because 2.4 has no use for it may be all that keeps people out.
 * @returns why the rewrites of a file are to be taken back
 */
export function checkServed(...[before, after, applied]: Rewriting): Map<ConfigFile, string> {
  const edited = new Set(applied.map(({ file }) => file));
  const held = before.htaccess.some((file) => edited.has(file)) ? heldFiles(before, after) : undefined;
  const refused = new Map<ConfigFile, string>();
  for (const file of held === undefined ? EMPTY_LIST : after.htaccess) {
    const source = held!.given.get(file.path);
    const [why] = source && edited.has(source) ? held!.servedAnew(source, file) : EMPTY_LIST;
    if (why !== undefined) refused.set(source!, why);
  }
  return refused;
}

/** Whether rewrites of a file let nobody in: to answer 500 is no more than that. */
function isDenied(rewrites: Rewriting[2]): boolean {
  const lines = rewrites.flatMap(({ edits }) => edits.flatMap(({ text }) => text.split(/\r?\n/)));
  const isShut = (line: string): boolean => /^(?:Require all denied$|#|$)/.test(line.trim());
  return rewrites.length > 0 && rewrites.every(({ safety }) => safety === 'strict') && lines.every(isShut);
}

/** Undefined where there are none, or where the names of the files differ: which of them are read is told apart. */
function heldFiles(before: ConfigTree, after: ConfigTree): HeldFiles | undefined {
  return before.accessDiffers || before.htaccess.length === 0 ? undefined : new HeldFiles(before, after);
}

/** The `.htaccess` files of a configuration, to be held against those of the result. */
class HeldFiles {
  readonly was: TreeOverrides;
  readonly given: ReadonlyMap<string, ConfigFile>;
  readonly #is: TreeOverrides;
  readonly #reading: FileReading;
  /** A 2.4 with mod_access_compat, and no 2.2, runs the configuration today. */
  readonly #isRunBy24: boolean;
  /** A 2.4 runs it today, and what AllowOverride says there is known. */
  readonly #isSaidTo24: (state: OverrideState) => boolean;
  /** The files that nothing is wrong with, by what they said, say and may say: a large run has few kinds of them. */
  readonly #sound = new Set<string>();
  /** By what the states of a directory say. */
  readonly #numbers = new Map<string, number>();

  constructor(before: ConfigTree, after: ConfigTree) {
    const isFor24 = lazy(() => serverStateOf(before)?.kind.startsWith('2.4') === true);
    this.#isSaidTo24 = ({ on24 }) => (on24.line !== undefined || isComplete(before)) && isFor24();
    this.was = overridesOf(before);
    this.given = new Map(before.htaccess.map((file) => [file.path, file]));
    this.#is = overridesOf(after);
    const { modules22: modules24 } = this.#is.overrides.reading;
    this.#reading = { ...this.was.overrides.reading, modules24 };
    this.#isRunBy24 = !collect(before).shows22 && surelyHasCompat(before);
  }

  /** What is wrong with a file of the result: one problem of each kind is enough. */
  problemsOf(file: ConfigFile): readonly HtaccessProblem[] {
    const source = this.given.get(file.path);
    if (source === undefined) return EMPTY_LIST;
    const directories = this.#directoriesRead(file, this.#is);
    return this.#unlessSound(source, file, directories, () => this.#problemsIn(source, file, directories));
  }

  /**
   * What is wrong where no state ({@link OverrideState}) of the configuration as it was leads to what the result does.
   * @param isShut the file lets nobody in
   */
  lostOverride(source: ConfigFile, file: ConfigFile, isShut: boolean): readonly LostOverride[] {
    const directories = this.#directoriesRead(source, this.was);
    const find = (): readonly LostOverride[] => {
      for (const directory of directories) {
        const lost = this.#lostIn(directory, source, file, isShut);
        if (lost !== undefined) return [lost];
      }
      return EMPTY_LIST;
    };
    return isShut ? find() : this.#unlessSound(source, file, directories, find);
  }

  /** Why a file is a 500 no more, if it is one. */
  servedAnew(source: ConfigFile, file: ConfigFile): readonly string[] {
    const directories = this.#directoriesRead(source, this.was);
    return this.#unlessSound(source, file, directories, () =>
      directories.flatMap((directory) => {
        const made = this.#is.overrides.states(directory);
        return this.was.overrides.states(directory).flatMap((was, i) => {
          const { on24 } = made[i] ?? was;
          const found = servedAnew(source, file, { was, on24 }, this.#reading, this.#isSaidTo24(was));
          return found ? messageOf(found, requestFor(directory, was, this.#is.mapping), was) : [];
        });
      }),
    );
  }

  /** The directories of a file, without those that 2.4 answers 500 above. */
  #directoriesRead(file: ConfigFile, { directoriesOf }: TreeOverrides): readonly string[] {
    return directoriesOf(file).filter((path) => !this.#is.overrides.isBelowRefused(path));
  }

  /** The problems of a file, of which none need be looked for if one of its kind has none. */
  #unlessSound<T>(
    source: ConfigFile,
    file: ConfigFile,
    directories: readonly string[],
    problems: () => readonly T[],
  ): readonly T[] {
    const both = [this.was.overrides, this.#is.overrides];
    const states = directories.flatMap((path) => both.map((overrides) => overrides.states(path)));
    const [was, is] = [source.document.text, file.document.text];
    const kind = `${states.map((each) => this.#numberOf(each)).join(' ')}\n${was.length} ${was}${is}`;
    if (this.#sound.has(kind)) return EMPTY_LIST;
    const found = problems();
    if (found.length === 0) this.#sound.add(kind);
    return found;
  }

  #numberOf(states: readonly OverrideState[]): number {
    return getOrInsert(this.#numbers, statesByTerms(states).terms, () => this.#numbers.size);
  }

  #lostIn(path: string, source: ConfigFile, file: ConfigFile, isShut: boolean): LostOverride | undefined {
    const states = this.was.overrides.states(path);
    // Where nothing is said the defaults differ, which has a rule of its own.
    if (states.some(({ on22 }) => on22.line === undefined)) return undefined;
    for (const { vhost, on24 } of statesByTerms(this.#is.overrides.states(path)).on24) {
      const found = statesByTerms(states).on22.map(
        (state): [OverrideState, HtaccessDifference | undefined] => {
          const both = { vhost, on22: state.on22, on24 };
          const difference = htaccessDifference(source, file, both, this.#reading);
          if (difference !== undefined && isReadToday(difference, this.#isRunBy24 && state.on24.isRead))
            return [both, undefined];
          // What 2.2 does not know has nothing to do with what it may say.
          const isOfOverride =
            difference?.kind !== 'refused-by' ||
            (difference.because === 'forbidden' && !(isShut && difference.version === '2.4'));
          return [both, isOfOverride ? difference : undefined];
        },
      );
      const [first] = found;
      if (first?.[1] === undefined || found.some(([, difference]) => difference === undefined)) continue;
      if (this.#wasThere(first[1], source, file, states)) continue;
      const why = messageOf(first[1], requestFor(path, first[0], this.#is.mapping), first[0]);
      return { why, version: first[1].version };
    }
    return undefined;
  }

  /** Whether a 2.4 read an unchanged file otherwise before the rewrite too: no rewrite has taken that away. */
  #wasThere(
    { kind, version }: HtaccessDifference,
    source: ConfigFile,
    { document }: ConfigFile,
    states: readonly OverrideState[],
  ): boolean {
    if (document.text !== source.document.text) return false;
    return statesByTerms(states).onBoth.every((state) => {
      const before = htaccessDifference(source, source, state, this.#reading);
      return before?.kind === kind && before.version === version;
    });
  }

  #problemsIn(was: ConfigFile, file: ConfigFile, directories: readonly string[]): readonly HtaccessProblem[] {
    const found = new Map<string, HtaccessProblem>();
    for (const directory of directories) {
      const given = this.was.overrides.states(directory);
      const today = this.#isRunBy24 && given.some(({ on24 }) => on24.isRead);
      for (const state of statesByTerms(this.#is.overrides.states(directory)).onBoth) {
        const read = state.on24.line === undefined ? withLineBefore(state, given) : state;
        const difference = read && htaccessDifference(was, file, read, this.#reading);
        if (difference === undefined || isReadToday(difference, today)) continue;
        const key = `${difference.kind} ${difference.version}`;
        if (found.has(key)) continue;
        const { node, version } = difference;
        const message = messageOf(difference, requestFor(directory, state, this.#is.mapping), state);
        found.set(key, { file: version === '2.4' ? file : was, version, at: startOf(node), message });
      }
    }
    const isAnswered500 = [...found.values()].some(({ version }) => version === '2.2');
    const refused =
      isAnswered500 || !this.#mayBeRead(directories)
        ? undefined
        : argumentsDifference(was, file, this.#reading);
    if (refused !== undefined) {
      const message = messageOf(refused, ...this.#stateIn(directories[0]));
      found.set('arguments', { file: was, version: '2.2', at: startOf(refused.node), message });
    }
    return [...found.values()];
  }

  #stateIn(directory: string | undefined): [request: string, state?: OverrideState] {
    const [state] = directory === undefined ? [] : this.was.overrides.states(directory);
    return state === undefined ? [''] : [requestFor(directory!, state, this.#is.mapping), state];
  }

  /** Whether 2.2 opens the file in some case; where nothing is known of AllowOverride it does. */
  #mayBeRead(directories: readonly string[]): boolean {
    const states = directories.flatMap((directory) => this.was.overrides.states(directory));
    return states.length === 0 || states.some(({ on22 }) => on22.isRead);
  }
}

/** Whether no more is said than that 2.4 reads the file. @param today a 2.4 runs the configuration today, and reads it, too */
function isReadToday({ kind, version }: HtaccessDifference, today: boolean): boolean {
  return today && kind === 'read-by' && version === '2.4';
}

function startOf(node: Directive | Section): number {
  return (node.kind === 'section' ? node.open : node).from;
}

/** A state of the result where an AllowOverride has gone: where there never was one, a rule of its own tells of it. */
function withLineBefore(state: OverrideState, given: readonly OverrideState[]): OverrideState | undefined {
  const [first] = given;
  if (first === undefined || given.some(({ on22 }) => on22.line === undefined)) return undefined;
  return { ...state, on22: first.on22 };
}

/** @param request as of {@link requestFor}, or empty */
function messageOf(difference: HtaccessDifference, request: string, state?: OverrideState): string {
  const { kind, version, node } = difference;
  const other = version === '2.2' ? '2.4' : '2.2';
  if (kind === 'read-by')
    return `${request}${version} reads this .htaccess, and ${other} does not, because AllowOverride differs by version there: let both versions read it, or neither`;
  const { because, isToday } = difference;
  const inForce = state && (version === '2.2' ? state.on22 : state.on24);
  const { line } = inForce ?? {};
  const reason = {
    forbidden: `AllowOverride ${line === undefined ? '' : `${line.line.node.rest} `}does not let this .htaccess say ${nameOf(node)}`,
    'not-loaded': `no module that it loads has ${nameOf(node)}`,
    unknown: `it does not know ${nameOf(node)}`,
    arguments: `it takes other arguments after ${nameOf(node)}`,
  }[because];
  if (version === '2.2' || isToday === true)
    return `${request}${version} answers 500, because ${reason}, and 2.4 serves what is there${because === 'not-loaded' ? ' once it loads one' : ''}: look whether it may`;
  // The list lets Options be said, but no word of it that an `Options=` in force leaves out.
  if (because === 'forbidden' && node.key === 'options' && inForce?.classes.includes('O') === true)
    return `${request}2.4 answers 500, because an AllowOverride Options= for the directory or above it does not name what Options sets here, and 2.2 does not: write Options without a list for the directory, or take it out here`;
  return `${request}2.4 answers 500, because ${reason}, and 2.2 does not: name ${node.kind === 'section' ? '<' : ''}${node.name} in an AllowOverrideList beside that line, or take it out here`;
}

function nameOf(node: Directive | Section): string {
  return node.kind === 'section' ? `<${node.name}>` : node.name;
}

function requestFor(directory: string, { vhost }: OverrideState, mapping: UrlMapping): string {
  const [url] = mapping.urlsOf(vhost, directory === '/' ? '/' : `${directory}/`);
  const name = vhost?.body.find((node) => node.kind === 'directive' && node.key === 'servername');
  const host = name?.kind === 'directive' && name.args[0] !== undefined ? ` of ${name.args[0].value}` : '';
  return `${url === undefined ? `files in ${directory}` : `GET ${url}`}${host}: `;
}
