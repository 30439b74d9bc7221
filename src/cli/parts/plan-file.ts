import type { ConfigFile, ConfigTree } from '../../config/types';
import { applyEdits, type Edit } from '../../edit';
import type { Change, RunResult } from '../../engine/types';
import { decode, encode, jsonBytes } from '../../report';
import { parseModuleList } from '../../httpd/modules';
import { nameOf, parseRelease, type Release } from '../../httpd/release';
import type { ConvertOptions } from '../options';
import { Trouble } from '../trouble';

/** The shape of the document; raised when a field changes its meaning or goes. */
const VERSION = 2;

/** Options that are lists of words, and those that are there or not. */
const LISTS = ['skip', 'only', 'exclude'] as const;
const FLAGS = [
  'follow',
  'unused',
  'templates',
  'honourIgnores',
  'safeOnly',
  'exact',
  'pinDefaults',
  'interactive',
] as const;

/** What of the options decides which files a run reads, and what becomes of them; and the 2.4 that it is for. */
export type PlannedRun = Pick<
  ConvertOptions,
  | 'paths'
  | 'defines'
  | 'serverRoot'
  | 'rules'
  | 'answers'
  | 'dual'
  | 'ruleOptions'
  | (typeof LISTS)[number]
  | (typeof FLAGS)[number]
> & {
  readonly release: Release;
  readonly modules: ReturnType<typeof parseModuleList> | undefined;
};

/** What a dry run showed. All strings are byte strings, paths absolute with all links followed. */
export interface SavedPlan {
  /** The working directory of that run. */
  readonly cwd: string;
  readonly run: PlannedRun;
  /** The exit status once it is written: 1 where findings are left to a person. */
  readonly status: 0 | 1;
  /** Path → SHA-256 of every file that was read. */
  readonly files: ReadonlyMap<string, string>;
  readonly changes: readonly {
    readonly path: string;
    readonly after: string;
    readonly edits: readonly Edit[];
  }[];
}

/** A hash of a byte string. */
type Hash = (bytes: string) => string;

/**
 * A plan as JSON in UTF-8, a byte string: docs/schemas/plan.schema.json. Bytes that are not UTF-8 stand as `{ "latin1": … }`.
 * @param more what is only for people to read
 */
export function planText(
  { tree, plan }: RunResult,
  { cwd, run, status }: Pick<SavedPlan, 'cwd' | 'run' | 'status'>,
  more: { readonly tool: string; readonly log?: object | undefined },
  hash: Hash,
): string {
  return jsonBytes({
    version: VERSION,
    ...more,
    cwd: jsonString(cwd),
    options: optionsDocument(run),
    status,
    files: tree.files.map(({ path, document }) => ({ path: jsonString(path), sha256: hash(document.text) })),
    changes: plan.map(({ file, text, edits }) => ({
      path: jsonString(file.path),
      sha256After: hash(text),
      edits: edits.map((edit) => ({ start: edit.start, end: edit.end, text: jsonString(edit.text) })),
    })),
  });
}

/** @throws Trouble for anything that {@link planText} does not write */
export function readPlan(text: string): SavedPlan {
  try {
    const plan = objectOf(JSON.parse(decode(text)));
    if (plan['version'] !== VERSION)
      throw new PlanError('made by a version of this program whose plans this one does not read');
    const { status } = plan;
    if (status !== 0 && status !== 1) throw malformed();
    return {
      cwd: stringOf(plan['cwd']),
      run: runOf(objectOf(plan['options'])),
      status,
      files: new Map(
        listOf(plan['files'])
          .map(objectOf)
          .map((file) => [stringOf(file['path']), stringOf(file['sha256'])]),
      ),
      changes: listOf(plan['changes'])
        .map(objectOf)
        .map((change) => ({
          path: stringOf(change['path']),
          after: stringOf(change['sha256After']),
          edits: listOf(change['edits'])
            .map(objectOf)
            .map((edit) => ({
              start: offsetOf(edit['start']),
              end: offsetOf(edit['end']),
              text: stringOf(edit['text']),
            })),
        })),
    };
  } catch (error) {
    if (error instanceof Trouble) throw error;
    throw malformed();
  }
}

function optionsDocument(run: PlannedRun): Record<string, unknown> {
  const { paths, defines, serverRoot, rules, answers, dual, ruleOptions, release, modules } = run;
  return {
    paths: paths.map(jsonString),
    defines: [...defines].map(([name, value]) => [jsonString(name), jsonString(value)]),
    ...(serverRoot !== undefined && { serverRoot: jsonString(serverRoot) }),
    follow: run.follow,
    ...Object.fromEntries(FLAGS.filter((name) => run[name]).map((name) => [name, true])),
    ...(dual !== undefined && { dual }),
    ...(rules && { rules: rules.map(jsonString) }),
    ...Object.fromEntries(
      LISTS.filter((name) => run[name].length > 0).map((name) => [name, run[name].map(jsonString)]),
    ),
    ...(answers.length > 0 && {
      answers: answers.map(({ value, ...texts }) => ({ value, ...mapValues(texts, jsonString) })),
    }),
    ...(Object.keys(ruleOptions).length > 0 && {
      ruleOptions: mapValues(ruleOptions, (values) => mapValues(values, jsonString)),
    }),
    target: nameOf(release),
    ...(modules && { modules: [...modules].map(([name, linkage]) => `${name} (${linkage})`) }),
  };
}

function runOf(given: Record<string, unknown>): PlannedRun {
  const wordsOf = (value: unknown): readonly string[] =>
    value === undefined ? [] : listOf(value).map(stringOf);
  const { paths, defines, serverRoot, rules, answers = [], dual, ruleOptions = {}, target, modules } = given;
  const release = parseRelease(stringOf(target));
  if (typeof release !== 'number' || (dual !== undefined && typeof dual !== 'boolean')) throw malformed();
  return {
    paths: listOf(paths).map(stringOf),
    defines: new Map(
      listOf(defines)
        .map(listOf)
        .map(([name, value]) => [stringOf(name), stringOf(value)]),
    ),
    serverRoot: serverRoot === undefined ? undefined : stringOf(serverRoot),
    ...flagsOf((name) => given[name] === true),
    dual,
    rules: rules === undefined ? undefined : wordsOf(rules),
    skip: wordsOf(given['skip']),
    only: wordsOf(given['only']),
    exclude: wordsOf(given['exclude']),
    answers: listOf(answers)
      .map(objectOf)
      .map(({ value, key, reason, ...more }) => {
        if (typeof value !== 'boolean') throw malformed();
        return { value, key: stringOf(key), reason: stringOf(reason), ...mapValues(more, stringOf) };
      }),
    ruleOptions: mapValues(objectOf(ruleOptions), (values) => mapValues(objectOf(values), stringOf)),
    release,
    modules: modules === undefined ? undefined : parseModuleList(wordsOf(modules).join('\n')),
  };
}

function flagsOf(isSet: (name: (typeof FLAGS)[number]) => boolean): Record<(typeof FLAGS)[number], boolean> {
  return Object.fromEntries(FLAGS.map((name) => [name, isSet(name)])) as Record<
    (typeof FLAGS)[number],
    boolean
  >;
}

function mapValues<V, W>(record: Readonly<Record<string, V>>, change: (value: V) => W): Record<string, W> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

/** What a file that is not as it was when the plan was made is by now, by its path. @param tree as it is read now */
export function changedSince(
  { files }: SavedPlan,
  tree: ConfigTree,
  hash: Hash,
): ReadonlyMap<string, string> {
  const now = new Map(tree.files.map((file) => [file.path, file]));
  const differing = [...files].flatMap(([path, before]): [string, string][] => {
    const file = now.get(path);
    if (file === undefined) return [[path, 'is not read any more']];
    if (hash(file.document.text) === before) return [];
    return [[path, 'changed since the plan was made']];
  });
  const added = tree.files.filter(({ path }) => !files.has(path));
  return new Map([
    ...differing,
    ...added.map(({ path }) => [path, 'was not read when the plan was made'] as const),
  ]);
}

/**
 * The plan as it is to be written.
 * @param isLeft whether a file is left as it is
 * @param tree as it is read now
 * @throws Trouble for what no run plans
 */
export function planFor(
  { changes, run: { follow } }: SavedPlan,
  isLeft: (path: string) => boolean,
  tree: ConfigTree,
  hash: Hash,
): readonly Change[] {
  const now = new Map(tree.files.map((file) => [file.path, file]));
  return changes
    .filter(({ path }) => !isLeft(path))
    .map(({ path, after, edits }) => {
      const file = now.get(path);
      if (file === undefined) throw malformed();
      const text = textWith(file, edits);
      if (hash(text) !== after || file.outside !== undefined) throw malformed();
      if (file.isBeyond === true && !follow) throw malformed();
      return { file, edits, text };
    });
}

function textWith({ document }: ConfigFile, edits: readonly Edit[]): string {
  try {
    return applyEdits(document.text, edits);
  } catch {
    throw malformed();
  }
}

/** The file is no plan; the message does not name it. */
export class PlanError extends Trouble {}

function malformed(): PlanError {
  return new PlanError('is no plan of this program, or was changed');
}

function jsonString(bytes: string): string | { readonly latin1: string } {
  const text = decode(bytes);
  return encode(text) === bytes ? text : { latin1: bytes };
}

function stringOf(value: unknown): string {
  if (typeof value === 'string') return encode(value);
  const { latin1 } = objectOf(value);
  if (typeof latin1 !== 'string' || /[^\0-\xff]/.test(latin1)) throw malformed();
  return latin1;
}

function offsetOf(value: unknown): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw malformed();
  return value as number;
}

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw malformed();
  return value;
}

function objectOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformed();
  return value as Record<string, unknown>;
}
