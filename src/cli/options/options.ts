import type { Answer, Level } from '../../engine/types';
import { UsageError } from '../trouble';
import { parseAnswer } from './answers';
import { parseTarget, type TargetName } from './target-name';

export const FORMATS = [
  'text',
  'html',
  'markdown',
  'json',
  'sarif',
  'github',
  'gitlab',
  'junit',
  'sh',
] as const;
export const FAIL_ON = ['error', 'warning', 'info', 'never'] as const;
export const COLOURS = ['auto', 'always', 'never'] as const;

/** What a conversion was asked for: parsed, checked against each other, frozen. All strings are byte strings. */
export interface ConvertOptions {
  /** The paths as given; `['-']` reads standard input. None: those of the project file. */
  readonly paths: readonly string[];
  /** `diff`: show what would change; `check`: name it; `write`: do it; `filter`: stdin to stdout; `explain`: see there. */
  readonly mode: 'diff' | 'check' | 'write' | 'filter' | 'explain';
  /** A file for the changes, to be written later by `apply`. */
  readonly plan: string | undefined;
  /** Ask at the terminal which changes are to be written. */
  readonly interactive: boolean;
  /** Print diffs: always in mode `diff`, on demand when writing. */
  readonly diff: boolean;
  readonly format: (typeof FORMATS)[number];
  readonly stdinName: string;
  /** A file that lists more paths; `-` is standard input. */
  readonly filesFrom: string | undefined;
  /** The names in that list end with NUL instead of LF. */
  readonly nullEnds: boolean;
  /** Patterns, as in .gitignore, of files to read but leave as they are. */
  readonly exclude: readonly string[];
  /** Root takes the ignore comments and ignore files of all users. */
  readonly honourIgnores: boolean;
  /** The project file; false for none, undefined for the nearest. */
  readonly config: string | false | undefined;
  /** A file for what goes to standard output otherwise. */
  readonly output: string | undefined;
  readonly rules: readonly string[] | undefined;
  readonly skip: readonly string[];
  /** Rules, files and directories: the changes of others stay out. */
  readonly only: readonly string[];
  /** What is known of assumptions; places as given, absolute once the project file is read. */
  readonly answers: readonly Answer[];
  /** Fingerprint of a finding → why a person has accepted it: from the project file. */
  readonly accepted?: ReadonlyMap<string, string> | undefined;
  readonly safeOnly: boolean;
  /** Leave what has no exact text as it is. */
  readonly exact: boolean;
  /** `--dual` true, `--no-dual` false. */
  readonly dual: boolean | undefined;
  /** Write 2.2's values where 2.4 has other defaults. */
  readonly pinDefaults: boolean;
  readonly comments: boolean;
  readonly failOn: Level | 'never';
  readonly color: (typeof COLOURS)[number];
  /** `-D`: name → value, empty where none was given. */
  readonly defines: ReadonlyMap<string, string>;
  readonly serverRoot: string | undefined;
  /** The 2.4 that the configuration is for; undefined for the newest that is known. */
  readonly target: TargetName | undefined;
  /** A file with what `httpd -M` prints on the server that the configuration is for. */
  readonly modules: string | undefined;
  /** The command whose `-t` is asked before anything is written; '' for whichever httpd is there. */
  readonly configtest: string | undefined;
  /** What to add to a changed file's name for the copy to leave of it as it was. */
  readonly backup: string | undefined;
  /** Write files, too, that lie outside of the paths given. */
  readonly follow: boolean;
  /** Convert what nothing of the server loads, too. */
  readonly unused: boolean;
  /** All files of the run are templates. */
  readonly templates: boolean;
  /** How much of the report is printed. */
  readonly detail: 'quiet' | 'normal' | 'verbose';
  /** Print counts of findings by rule, file and virtual host, instead of the diff and the parts that list them. */
  readonly summary: boolean;
  /** Rule id → the level of its findings. */
  readonly levels?: Readonly<Record<string, Level>> | undefined;
  /** Requests to explain, as given; some where the mode is `explain`. */
  readonly explain: readonly string[];
  /** Logs whose requests are put to both versions, as given: files, patterns, `-`. */
  readonly log: readonly string[];
  /** The LogFormat of these, or its nickname; undefined: found out. */
  readonly logFormat: string | undefined;
  /** Show addresses, users and queries of their lines. */
  readonly full: boolean;
  /** Rule id → option → value: what stood after `--`. */
  readonly ruleOptions: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The command line as given, for a report that says what to add to it. */
  readonly argv?: readonly string[];
}

/** Options that commander collects under another name or as another type. */
type Converted =
  | 'paths'
  | 'mode'
  | 'nullEnds'
  | 'rules'
  | 'answers'
  | 'accepted'
  | 'defines'
  | 'target'
  | 'detail'
  | 'levels'
  | 'ruleOptions'
  | 'argv';

/** The values as commander collects them: what the command line does not give is not there, unless it has a default. */
export interface RawOptions extends Readonly<
  Partial<Omit<ConvertOptions, Converted | Defaulted>> & Pick<ConvertOptions, Defaulted>
> {
  readonly write?: boolean;
  readonly check?: boolean;
  readonly null?: boolean;
  readonly rule?: readonly string[];
  readonly answer?: readonly string[];
  readonly D?: readonly string[];
  readonly target?: string;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

type Defaulted = keyof typeof DEFAULTS;

export const DEFAULTS = {
  format: 'text',
  stdinName: 'stdin.conf',
  failOn: 'error',
  color: 'auto',
} as const satisfies Partial<ConvertOptions>;

/** @throws UsageError where options contradict each other */
export function freezeOptions(
  paths: readonly string[],
  raw: RawOptions,
  ruleOptions: ConvertOptions['ruleOptions'],
): ConvertOptions {
  const mode = modeOf(paths, raw);
  return Object.freeze({
    paths: Object.freeze([...paths]),
    mode,
    plan: raw.plan,
    interactive: raw.interactive === true,
    diff: (mode === 'diff' && raw.summary !== true) || raw.diff === true,
    format: raw.format,
    stdinName: checkStdinName(raw.stdinName),
    filesFrom: filesFromOf(paths, raw),
    nullEnds: raw.null === true,
    exclude: raw.exclude ?? [],
    honourIgnores: raw.honourIgnores === true,
    config: raw.config,
    // As for a path, a dash stands for the stream.
    output: raw.output === '-' ? undefined : raw.output,
    rules: raw.rule,
    skip: raw.skip ?? [],
    only: raw.only ?? [],
    answers: (raw.answer ?? []).map(parseAnswer),
    safeOnly: raw.safeOnly === true,
    exact: raw.exact === true,
    dual: raw.dual,
    pinDefaults: raw.pinDefaults === true,
    comments: raw.comments === true,
    failOn: raw.failOn,
    color: raw.color,
    defines: new Map((raw.D ?? []).map(splitDefine)),
    serverRoot: raw.serverRoot,
    target: raw.target === undefined ? undefined : parseTarget(raw.target),
    modules: raw.modules,
    configtest: raw.configtest,
    backup: backupOf(raw),
    follow: raw.follow === true,
    unused: raw.unused === true,
    templates: raw.templates === true,
    detail: detailOf(raw),
    summary: summaryOf(raw, mode),
    explain: raw.explain ?? [],
    log: logsOf(paths, raw),
    logFormat: raw.logFormat,
    full: raw.full === true,
    ruleOptions,
  });
}

function modeOf(paths: readonly string[], raw: RawOptions): ConvertOptions['mode'] {
  if (paths.includes('')) throw new UsageError('a path is empty');
  if (raw.check === true && raw.write === true)
    throw new UsageError('--check and --write contradict each other');
  if (raw.check === true && raw.diff === true)
    throw new UsageError('--check and --diff contradict each other');
  if (raw.interactive === true) checkInteractive(paths, raw);
  if (raw.plan !== undefined) checkPlan(paths, raw);
  if (paths.includes('-')) {
    if (paths.length > 1) throw new UsageError('standard input (-) goes with no other path');
    if (raw.write === true) throw new UsageError('standard input (-) cannot be written in place');
    if (raw.explain === undefined && raw.diff !== true && raw.check !== true && raw.format === 'text')
      return 'filter';
  }
  if (raw.explain !== undefined) {
    checkExplain(raw);
    return 'explain';
  }
  if (raw.write === true || (raw.interactive === true && raw.plan === undefined)) return 'write';
  return raw.check === true ? 'check' : 'diff';
}

/** @throws UsageError for what means nothing without a log, and for two that read standard input */
function logsOf(paths: readonly string[], raw: RawOptions): readonly string[] {
  const { log = [], logFormat, full, explain, filesFrom } = raw;
  if (log.length === 0 && logFormat !== undefined) throw new UsageError('--log-format goes with --log');
  if (log.length === 0 && full === true) throw new UsageError('--full goes with --log');
  if (log.length > 0 && explain !== undefined)
    throw new UsageError('--log and --explain contradict each other');
  if (log.includes('')) throw new UsageError('--log takes a file');
  if (log.filter((path) => path === '-').length + Number(paths.includes('-')) + Number(filesFrom === '-') > 1)
    throw new UsageError('standard input (-) can be read once');
  return log;
}

function summaryOf({ summary, format }: RawOptions, mode: ConvertOptions['mode']): boolean {
  if (summary !== true) return false;
  if (mode === 'filter' || mode === 'check' || mode === 'explain')
    throw new UsageError('--summary goes with a dry run or --write');
  if (format !== 'text') throw new UsageError(`--summary has no format ${format}`);
  return true;
}

function detailOf({ quiet = false, verbose = false }: RawOptions): ConvertOptions['detail'] {
  if (quiet && verbose) throw new UsageError('--quiet and --verbose contradict each other');
  if (quiet) return 'quiet';
  return verbose ? 'verbose' : 'normal';
}

/** @throws UsageError for what means nothing where a person is asked about each change */
function checkInteractive(paths: readonly string[], raw: RawOptions): void {
  const other = [raw.check && '--check', raw.explain && '--explain'].find(Boolean);
  if (other) throw new UsageError(`--interactive and ${other} contradict each other`);
  if (paths.includes('-') || raw.filesFrom === '-')
    throw new UsageError('--interactive asks on standard input: it cannot be read from there');
  if (raw.format !== 'text') throw new UsageError(`--interactive has no format ${raw.format}`);
}

/** @throws UsageError for what means nothing where only requests are explained */
function checkExplain({ write, check, diff, format }: RawOptions): void {
  const other = [write && '--write', check && '--check', diff && '--diff'].find(Boolean);
  if (other) throw new UsageError(`--explain and ${other} contradict each other`);
  if (format !== 'text' && format !== 'json') throw new UsageError(`--explain has no format ${format}`);
}

/** @throws UsageError for what means nothing where the changes are only saved */
function checkPlan(paths: readonly string[], raw: RawOptions): void {
  const other = [raw.write && '--write', raw.check && '--check', raw.explain && '--explain'].find(Boolean);
  if (other) throw new UsageError(`--plan and ${other} contradict each other`);
  if (paths.includes('-')) throw new UsageError('standard input (-) cannot be written later');
}

function checkStdinName(name: string): string {
  if (/(?:^|\/)(?:\.{0,2})$/.test(name)) throw new UsageError(`--stdin-name is no name of a file: '${name}'`);
  return name;
}

function filesFromOf(
  paths: readonly string[],
  { filesFrom, null: nullEnds }: RawOptions,
): string | undefined {
  if (filesFrom === undefined && nullEnds === true) throw new UsageError('--null goes with --files-from');
  if (filesFrom !== undefined && paths.includes('-'))
    throw new UsageError('standard input (-) goes with no other path');
  return filesFrom;
}

export function backupOf({
  backup,
  write,
  interactive,
}: Pick<RawOptions, 'backup' | 'write' | 'interactive'>): string | undefined {
  if (backup === undefined) return undefined;
  if (write !== true && interactive !== true) throw new UsageError('--backup goes with --write');
  if (backup.includes('/')) throw new UsageError(`--backup takes an ending, not a path: '${backup}'`);
  return backup === '' ? '.bak' : backup;
}

function splitDefine(define: string): [name: string, value: string] {
  const equals = define.indexOf('=');
  const name = equals < 0 ? define : define.slice(0, equals);
  if (name === '') throw new UsageError(`-D needs a name: '${define}'`);
  return [name, equals < 0 ? '' : define.slice(equals + 1)];
}
