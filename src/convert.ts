import { type LoadOptions, loadRereadable, memory, type RereadableTree, SourceError } from './config';
import type { ConfigTree } from './config/types';
import {
  OptionError,
  type Outcome,
  type Plan,
  run,
  RUN_OPTIONS,
  type RunOptions,
  type RunResult,
  type Transform,
  treeAfter,
} from './engine';
import { ask, placesOf, type Reply } from './ask';
import type { CollectedServer } from './collect/collected';
import { LogCounter } from './log';
import type { LogTally } from './log/types';
import {
  type ContentOptions,
  diffPath,
  reportMarkup,
  type RunSummary,
  scriptReport,
  summarize,
  unifiedDiff,
} from './report';
import { transforms as allTransforms } from '../transforms';

/** What {@link convert} is asked for beside the files. All of it may be left out. */
export interface ConversionOptions
  extends RunOptions, Partial<Omit<LoadOptions, 'before' | 'mpm22' | 'compiled22'>> {
  /** The files and directories to convert, as the command takes them. Undefined: each file. */
  readonly paths?: readonly string[];
  /** Symbolic links: absolute path → where it points. */
  readonly links?: ReadonlyMap<string, string>;
  /** The rules that are asked. Undefined: all of this package. */
  readonly transforms?: readonly Transform[];
  /** Rewords what findings say to a person, a byte string, for a caller with other controls than the command's options. */
  readonly wording?: (text: string) => string;
}

/** How logs are read. */
export interface LogOptions {
  /** A LogFormat, or the nickname of one; undefined: found out for each log. */
  readonly format?: string;
  /** Show lines with addresses, users and queries. */
  readonly isFull?: boolean;
}

/** What has become of some files. */
export interface Conversion {
  /** The text of each file after the conversion, by its path: also of those that stay as they are. */
  readonly texts: ReadonlyMap<string, string>;
  /** All changes as one unified diff; empty where nothing changes. */
  readonly diff: string;
  /** Everything that was found, and what has become of it. */
  readonly findings: readonly Outcome[];
  /** The files that change, each with its edits and its new text. */
  readonly plan: Plan;
  readonly tree: ConfigTree;
  /**
   * Counts the requests of access logs by what 2.2 makes of the files as they were, and 2.4 of the result: open a log, hand it
   * over in pieces, and ask for the report. It throws where the format is none.
   */
  readonly countLogs: (options?: LogOptions) => LogTally;
  /** The verdict, what is left to do, and what is taken for granted, which `answers` of the options settle. */
  readonly summary: () => RunSummary;
  /**
   * Answers a text, decoded: what both versions do with a request (`GET /private/ from 10.1.2.3 as alice`, a path, a URL, a line
   * of an access log), or what a message of httpd means, as `--explain` and `why` of the command do.
   */
  readonly ask: (text: string) => Reply;
  /** The steps beside the changes of text, as a shell script: a byte string. It does nothing where there are none. */
  readonly script: () => string;
  /**
   * The report as HTML for the `main` of a page with {@link REPORT_STYLE} and {@link REPORT_SCRIPT}: decoded, and no text of a
   * configuration is markup in it.
   */
  readonly reportMarkup: () => string;
  /** Why edits were taken back, or a rule could not be asked: a mistake of the rules. Undefined where nothing went wrong. */
  readonly failure?: string;
}

/** What each option that a run does not take has to be. */
const LOAD_OPTIONS: Readonly<Record<string, readonly [text: string, isOf: (value: unknown) => boolean]>> = {
  __proto__: null!,
  cwd: ['an absolute path', (value) => isBytes(value) && value.startsWith('/')],
  serverRoot: ['a path in latin1', isBytes],
  unused: ['true or false', (value) => typeof value === 'boolean'],
  templates: ['true or false', (value) => typeof value === 'boolean'],
  onProgress: ['a function', (value) => typeof value === 'function'],
  defines: ['a Map of strings', isMapOfBytes],
  env: ['a Map of strings', isMapOfBytes],
  links: ['a Map of paths', isMapOfBytes],
  paths: ['a list of paths in latin1', (value) => Array.isArray(value) && value.every(isBytes)],
  transforms: ['a list of rules', Array.isArray],
  wording: ['a function', (value) => typeof value === 'function'],
};

/**
 * Converts files that are held in memory, with all the checks of the command: it reads its own result again, compares who gets in
 * before and after, and takes back what it cannot stand for.
 * @param files absolute path → text, both latin1: one character a byte; or a server as {@link readServerTar} has it
 * @throws OptionError for a path, a text or an option that cannot be what is meant; SourceError where one of `paths` cannot be
 * used
 */
export function convert(
  files: ReadonlyMap<string, string> | Readonly<Record<string, string>> | CollectedServer,
  options: ConversionOptions = {},
): Conversion {
  const server = isCollected(files) ? files : undefined;
  const texts = checkedFiles(server?.files ?? files);
  const runOptions = checkedOptions(options);
  const { transforms = allTransforms, cwd = '/' } = options;
  const loaded = loadGiven(texts, server, options);
  const result = worded(run(loaded, transforms, runOptions), options.wording);
  const { tree, plan, outcomes, failure } = result;
  const diffs = plan.map(({ file, edits }) =>
    unifiedDiff(diffPath(file.path, cwd), file.document.text, edits),
  );
  const content: ContentOptions = { transforms: rulesWorded(transforms, options.wording), stage: 'planned' };
  return {
    texts: new Map([...texts, ...plan.map(({ file, text }) => [file.path, text] as const)]),
    diff: diffs.join(''),
    findings: outcomes,
    plan,
    tree,
    countLogs: (logOptions = {}) => {
      const after = treeAfter(result, loaded.reread);
      const aboutAccess = transforms.filter(({ isAboutAccess }) => isAboutAccess === true);
      const accessRules = new Set(aboutAccess.map(({ id }) => id));
      return new LogCounter({ tree, after, outcomes, accessRules, ...logOptions });
    },
    summary: () => summarize(result, content),
    ask: (text) => ask({ loaded, result, transforms }, text),
    script: () => scriptReport(result),
    reportMarkup: () =>
      reportMarkup(result, {
        ...content,
        ...placesOf(result, loaded.reread, transforms),
        script: outcomes.some(({ commands, status }) => commands !== undefined && status !== 'ignored')
          ? scriptReport(result)
          : undefined,
      }),
    ...(failure === undefined ? {} : { failure }),
  };
}

/** A run whose findings speak to a person in the words of the caller. */
function worded(result: RunResult, wording: ConversionOptions['wording']): RunResult {
  if (wording === undefined) return result;
  const outcomes = result.outcomes.map((outcome): Outcome => {
    const { message, remedy, why, assuming, task } = outcome;
    return {
      ...outcome,
      message: wording(message),
      ...(remedy === undefined ? {} : { remedy: wording(remedy) }),
      ...(why === undefined ? {} : { why: wording(why) }),
      ...(assuming === undefined ? {} : { assuming: { ...assuming, message: wording(assuming.message) } }),
      ...(task === undefined ? {} : { task: { ...task, text: wording(task.text) } }),
    };
  });
  return { ...result, outcomes };
}

/** Rules whose tasks speak in the words of the caller, too. */
function rulesWorded(
  rules: readonly Transform[],
  wording: ConversionOptions['wording'],
): readonly Transform[] {
  if (wording === undefined) return rules;
  return rules.map((rule) => ({
    ...rule,
    task: (finding) => {
      const task = rule.task?.(finding);
      return task && { ...task, text: wording(task.text) };
    },
  }));
}

/** No path lies below it: on a server, every file is named in full. */
const NOWHERE = '/\0';

function loadGiven(
  texts: ReadonlyMap<string, string>,
  server: CollectedServer | undefined,
  options: ConversionOptions,
): RereadableTree {
  const { links = new Map(), env = new Map(), unused, templates, serverRoot, onProgress } = options;
  const { cwd = server === undefined ? '/' : NOWHERE, defines = new Map() } = options;
  const { paths = server === undefined ? [...texts.keys()] : [server.config, ...server.trees] } = options;
  return load(server?.source ?? memory(texts, links), paths, {
    cwd,
    defines: new Map([...(server?.defines ?? []).map((name) => [name, ''] as const), ...defines]),
    env: new Map([...(server?.environment ?? []), ...env]),
    ...(server === undefined ? {} : { mpm22: server.mpm, compiled22: server.compiled }),
    ...(unused === undefined ? {} : { unused }),
    ...(templates === undefined ? {} : { templates }),
    ...(serverRoot === undefined ? {} : { serverRoot }),
    ...(onProgress === undefined ? {} : { onProgress }),
  });
}

/** Whether files are given as a server with all that is known of it. The path of a file begins with a slash. */
function isCollected(files: unknown): files is CollectedServer {
  return isObject(files) && !(files instanceof Map) && 'source' in files && 'trees' in files;
}

/** Like {@link loadRereadable}; an error says in its message, too, which path it is about. */
function load(...asked: Parameters<typeof loadRereadable>): RereadableTree {
  try {
    return loadRereadable(...asked);
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    throw new SourceError(error.path, error.code, `${error.path}: ${error.message}`);
  }
}

/** The options for the run itself. @throws OptionError for any other that is not what it has to be */
function checkedOptions(options: ConversionOptions): RunOptions {
  if (!isObject(options)) throw new OptionError('the options are an object');
  const forRun: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(options)) {
    const [text, isOf] = LOAD_OPTIONS[name] ?? [];
    if (isOf === undefined && !RUN_OPTIONS.includes(name)) {
      const all = [...Object.keys(LOAD_OPTIONS), ...RUN_OPTIONS];
      throw new OptionError(`no option is called '${name}': ${all.join(', ')} are`);
    }
    if (isOf === undefined) forRun[name] = value;
    else if (value !== undefined && !isOf(value)) throw new OptionError(`option '${name}' takes ${text}`);
  }
  return forRun;
}

function checkedFiles(files: unknown): ReadonlyMap<string, string> {
  if (!isObject(files)) throw new OptionError('the files are a Map or an object: absolute path → text');
  const texts: ReadonlyMap<unknown, unknown> =
    files instanceof Map ? (files as ReadonlyMap<unknown, unknown>) : new Map(Object.entries(files));
  for (const [path, text] of texts) {
    if (typeof path !== 'string' || !path.startsWith('/'))
      throw new OptionError(`${String(path)}: the path of a file begins with /`);
    checkBytes(path, path);
    if (typeof text !== 'string') throw new OptionError(`${path}: the text is no string`);
    checkBytes(text, path);
  }
  return texts as ReadonlyMap<string, string>;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function isBytes(value: unknown): value is string {
  return typeof value === 'string' && !NO_BYTE.test(value);
}

function isMapOfBytes(value: unknown): boolean {
  return value instanceof Map && [...value].flat().every(isBytes);
}

const NO_BYTE = /[^\0-\xff]/;

/** @param path of the file whose text or name it is */
function checkBytes(text: string, path: string): void {
  const at = text.search(NO_BYTE);
  if (at < 0) return;
  const code = text.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0');
  throw new OptionError(
    `${path}: character ${at + 1} (U+${code}) is no byte: read files, and their names, as latin1`,
  );
}
