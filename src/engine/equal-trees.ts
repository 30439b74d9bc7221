import { type ConfigFile, type ConfigTree, basename, dirname, type RereadableTree } from '../config';
import { addTo, getOrInsert, groupBy } from '../maps';
import type { Outcome, RunOptions, RunResult } from './types';

/** How many files a run must be spared for equal trees to be told apart from others at all. */
const LEAST_SPARED = 16;

/** A directory with a `.htaccess` that none of the files above it has, and all files of the run in and below it. */
interface HtaccessTree {
  /** The directory, absolute. */
  readonly path: string;
  readonly name: string;
  readonly files: readonly ConfigFile[];
}

/**
 * Directories whose `.htaccess` files, with all those below, are equal byte for byte, in a run that has no configuration of a
 * server: nothing tells them apart. The first and the last of each kind are run; what is found in both would be found in those
 * between, too. What the first alone has is said once for all files. Where anything else differs, or is counted, this says
 * nothing.
 */
export class EqualTrees {
  /** The trees of each kind, at least three. */
  readonly #kinds: readonly (readonly HtaccessTree[])[];
  readonly #between = new Set<string>();

  private constructor(kinds: readonly (readonly HtaccessTree[])[]) {
    this.#kinds = kinds;
    for (const kind of kinds)
      for (const { files } of kind.slice(1, -1)) for (const { path } of files) this.#between.add(path);
  }

  /** @returns undefined where there are too few, or a configuration or a choice of the user may tell files apart */
  static of(tree: ConfigTree, options: RunOptions): EqualTrees | undefined {
    if (tree.files.length <= LEAST_SPARED || !isOfEqualsOnly(tree, options)) return undefined;
    const kinds = new Map<string, HtaccessTree[]>();
    const numbers = new Map<string, number>();
    for (const each of treesOf(tree.htaccess))
      if (each.name !== '' && each.files.every((file) => isOrdinary(file, options)))
        addTo(kinds, textsIn(each, numbers), each);
    const equal = new EqualTrees([...kinds.values()].filter(({ length }) => length > 2));
    return equal.#between.size < LEAST_SPARED ? undefined : equal;
  }

  /** The run without the trees between the first and the last of each kind. */
  ends({ tree, reread }: RereadableTree): RereadableTree {
    const isEnd = ({ path }: ConfigFile): boolean => !this.#between.has(path);
    const endsOf = (whole: ConfigTree): ConfigTree => ({
      ...whole,
      files: whole.files.filter(isEnd),
      htaccess: whole.htaccess.filter(isEnd),
      problems: whole.problems.filter(({ file }) => isEnd(file)),
    });
    return {
      tree: endsOf(tree),
      reread: (texts) => {
        const after = reread(texts, this.#between);
        return after && endsOf(after);
      },
    };
  }

  /** The result for all files from that for the ends; undefined where the ends of a kind differ. */
  withAll(
    { outcomes, plan, ...result }: RunResult,
    { files, htaccess, problems }: ConfigTree,
  ): RunResult | undefined {
    const outcomesOf = groupBy(outcomes, ({ file }) => file);
    const changes = new Map(plan.map((change) => [change.file, change]));
    const found = new Map<ConfigFile, readonly Outcome[]>();
    for (const kind of this.#kinds) {
      const [first, last] = [kind[0]!, kind.at(-1)!];
      for (const [i, file] of first.files.entries()) {
        const forAny = new Template(outcomesOf.get(last.files[i]!) ?? [], last);
        if (!forAny.isIn(new Template(outcomesOf.get(file) ?? [], first))) return undefined;
        const change = changes.get(file);
        for (const member of kind.slice(1, -1)) {
          const copy = member.files[i]!;
          found.set(copy, forAny.fill(member, copy));
          if (change !== undefined) changes.set(copy, { ...change, file: copy });
        }
      }
    }
    const all = files.flatMap((file) => outcomesOf.get(file) ?? found.get(file) ?? []);
    return {
      ...result,
      tree: { ...result.tree, files, htaccess, problems },
      outcomes: all,
      plan: files.flatMap((file) => changes.get(file) ?? []),
    };
  }
}

/** Whether the run is of `.htaccess` files alone, and nothing that it was told is about some of them. */
function isOfEqualsOnly(
  { files, htaccess, isServer, unread, unvisited, unreadable, tooMuch }: ConfigTree,
  { dual, declines, answers = [] }: RunOptions,
): boolean {
  const isWhole =
    [unread, unvisited, unreadable].every(({ length }) => length === 0) && (tooMuch?.size ?? 0) === 0;
  const isForAll = declines === undefined && answers.every(({ place }) => place === undefined);
  // For both versions, a file is written as those beside it are.
  return !isServer && files.length === htaccess.length && isWhole && isForAll && dual === undefined;
}

/** Whether nothing but its text and its place tells a file from others. */
function isOrdinary(file: ConfigFile, { leaveAlone, unwritable }: RunOptions): boolean {
  const { path, directories, outside, isBeyond, isTemplate, document } = file;
  return (
    directories.length === 1 &&
    directories[0] === dirname(path) &&
    outside === undefined &&
    isBeyond !== true &&
    isTemplate !== true &&
    leaveAlone?.(file) === undefined &&
    unwritable?.has(path) !== true &&
    !document.text.includes('httpd-codemod-ignore')
  );
}

function treesOf(htaccess: readonly ConfigFile[]): Iterable<HtaccessTree> {
  const tops = new Map<string, { path: string; name: string; files: ConfigFile[] }>();
  const directories = new Set(htaccess.flatMap((file) => file.directories));
  const topsOf = new Map<string, string | undefined>();
  /** The outermost directory with such a file, of one and of those above it. */
  const topOf = (directory: string): string | undefined => {
    const above = dirname(directory);
    const top = directory === '/' ? undefined : getOrInsert(topsOf, above, () => topOf(above));
    return top ?? (directories.has(directory) ? directory : undefined);
  };
  for (const file of htaccess) {
    const directory = dirname(file.path);
    const path = topOf(directory) ?? directory;
    const below = file.path.slice(path.length);
    const name = file.name.endsWith(below) ? file.name.slice(0, -below.length) : '';
    const known = tops.get(path);
    if (known === undefined) tops.set(path, { path, name, files: [file] });
    else known.files.push(file);
  }
  return tops.values();
}

/**
 * All that a tree of files says. Sections for files may ask for the name of the directory itself, as 2.2 does.
 * @param numbers one for each text
 */
function textsIn({ path, files }: HtaccessTree, numbers: Map<string, number>): string {
  const called = files.some(({ document }) => document.text.includes('<')) ? basename(path) : '';
  const numberOf = (text: string): number => getOrInsert(numbers, text, () => numbers.size);
  // No path has a NUL.
  return [
    called,
    ...files.flatMap((file) => [file.path.slice(path.length), numberOf(file.document.text)]),
  ].join('\0');
}

const [PATH, NAME] = ['\0P', '\0N'];

/** The outcomes of a file, with what is called after its directory left open. */
class Template {
  readonly #values: readonly Omit<Outcome, 'file'>[];
  #isClear = true;
  /** Whether it names the directory anywhere. */
  #hasNames = false;

  constructor(outcomes: readonly Outcome[], { path, name }: HtaccessTree) {
    const open = (text: string): string => {
      this.#isClear &&= !text.includes('\0');
      const opened = text.replaceAll(path, PATH).replaceAll(name, NAME);
      this.#hasNames ||= opened !== text;
      return opened;
    };
    this.#values = outcomes.map((outcome) => {
      const { file: _, ...others } = outcome;
      return withStrings(others, open);
    });
    // The new text of a file is taken over as it is.
    this.#isClear &&= outcomes.every(({ edits }) => edits.every(({ text }) => open(text) === text));
  }

  /** Whether the other has all of these outcomes, and beside them only some without edits. */
  isIn(other: Template): boolean {
    if (!this.#isClear || !other.#isClear) return false;
    const missing = this.#values.map((value) => JSON.stringify(value));
    const more = other.#values.filter((value) => {
      const at = missing.indexOf(JSON.stringify(value));
      if (at >= 0) missing.splice(at, 1);
      return at < 0;
    });
    return (
      missing.length === 0 &&
      more.every(({ edits, sumsUpStrict }) => edits.length === 0 && sumsUpStrict !== true)
    );
  }

  fill({ path, name }: HtaccessTree, file: ConfigFile): readonly Outcome[] {
    if (!this.#hasNames) return this.#values.map((value) => ({ ...value, file }));
    return this.#values.map((value) => ({
      ...withStrings(value, (text) => text.replaceAll(PATH, path).replaceAll(NAME, name)),
      file,
    }));
  }
}

/** A copy with other strings; what holds none that changes is shared. */
function withStrings<T>(value: T, change: (text: string) => string): T {
  if (typeof value === 'string') return change(value) as T;
  if (typeof value !== 'object' || value === null || value instanceof Error) return value;
  let copy: Record<string, unknown> | undefined;
  for (const [key, part] of Object.entries(value)) {
    const changed = withStrings(part, change);
    if (changed === part) continue;
    copy ??= (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
    copy[key] = changed;
  }
  return (copy as T | undefined) ?? value;
}
