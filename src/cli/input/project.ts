import { below, dirname, resolvePath } from '../../config';
import { type FileSource, SourceError } from '../../config/types';
import { CHECK_IDS } from '../../engine';
import type { Answer, Level, Transform } from '../../engine/types';
import { suggest } from '../../suggest';
import { parseRelease } from '../../httpd/release';
import { encode, oneLine } from '../../report';
import type { Io } from '../io';
import { answerValue, checkAnswers, checkRules, type ConvertOptions, type TargetName } from '../options';
import { Trouble, UsageError } from '../trouble';
import { checkOutput } from './output-file';

const PROJECT_FILE = 'httpd-codemod.config.json';

/** What a project file may say; what the command line says wins over it. All strings are byte strings. */
interface Project {
  /** What to convert where no path is given: relative to the file's own directory, here absolute. */
  readonly paths?: readonly string[];
  readonly rules?: readonly string[];
  readonly skip?: readonly string[];
  readonly severities?: Readonly<Record<string, Level>>;
  readonly defines?: ReadonlyMap<string, string>;
  /** `--dual` true, `--no-dual` false. */
  readonly dual?: boolean;
  /** The ServerRoot, relative to the project file like `paths`. */
  readonly serverRoot?: string;
  /** A release: a file that comes with a configuration starts no program. */
  readonly target?: TargetName;
  readonly answers?: readonly Answer[];
  /** Fingerprint → why. */
  readonly accepted?: ReadonlyMap<string, string>;
}

/**
 * The options with what the project file adds to them: the one that they name, or else the nearest, in the working directory or
 * above it.
 * @param otherwise the paths where neither names any
 * @throws Trouble for a file that cannot be read or that says what it may not; OutputInUseError where the output would replace
 * it; UsageError where no path is given at all
 */
export function withProject(
  options: ConvertOptions,
  source: FileSource,
  asker: ProjectReader,
  transforms: readonly Transform[],
  otherwise: readonly string[] | (() => readonly string[]) = [],
): ConvertOptions {
  const { cwd } = asker;
  const file = projectFile(options.config, source, asker);
  if (file !== undefined && options.output !== undefined)
    checkOutput('--output', options.output, [file], 'the project file', source, cwd);
  const pathsWith = (project: Project): readonly string[] =>
    options.paths.length > 0
      ? options.paths
      : (project.paths ?? (typeof otherwise === 'function' ? otherwise() : otherwise));
  let project: Project = {};
  let paths = options.paths;
  if (file !== undefined && maySpeakFor(paths, file, options, source, asker)) {
    project = parseProject(source, file, transforms);
    paths = pathsWith(project);
    if (!maySpeakFor(paths, file, options, source, asker)) project = {};
  }
  paths = pathsWith(project);
  if (paths.length === 0) throw new UsageError('no path given');
  return Object.freeze({
    ...options,
    paths,
    rules: options.rules ?? project.rules,
    skip: [...(options.rules === undefined ? (project.skip ?? []) : []), ...options.skip],
    levels: project.severities,
    dual: options.dual ?? project.dual,
    defines: new Map([...(project.defines ?? []), ...options.defines]),
    serverRoot: options.serverRoot ?? project.serverRoot,
    target: options.target ?? project.target,
    // The command line comes last, and so takes precedence.
    answers: [...(project.answers ?? []), ...options.answers.map((answer) => placed(answer, cwd))],
    accepted: project.accepted,
  });
}

/** Who reads a project file, and is told of one that is passed over. */
type ProjectReader = Pick<Io, 'cwd' | 'uid'> & Partial<Pick<Io, 'env' | 'stderr'>>;

function projectFile(
  config: ConvertOptions['config'],
  source: FileSource,
  { cwd, uid, stderr }: ProjectReader,
): string | undefined {
  if (config === false) return undefined;
  if (config !== undefined) return resolvePath(cwd, config);
  for (let directory = cwd; ; directory = directory.slice(0, directory.lastIndexOf('/'))) {
    const path = `${directory === '/' ? '' : directory}/${PROJECT_FILE}`;
    if (source.kind(path) === 'file') {
      if (uid !== 0 || isOfItsDirectory(path, directory || '/', source)) return path;
      stderr?.write(
        `httpd-codemod: ${oneLine(path)} is passed over: it belongs neither to root nor to the owner of its directory (--config takes it)\n`,
      );
    }
    if (directory === '' || directory === '/') return undefined;
  }
}

/**
 * Whether a project file that was found has a say in what is at these paths. Where root runs it in a directory of another user,
 * that user has one there alone.
 */
function maySpeakFor(
  paths: readonly string[],
  file: string,
  { config }: ConvertOptions,
  source: FileSource,
  { cwd, uid, env, stderr }: ProjectReader,
): boolean {
  if (config !== undefined || uid !== 0) return true;
  const trusted = new Set([0, Number(env?.['SUDO_UID'] ?? 0)]);
  if ((source.owners?.(file) ?? []).every((owner) => trusted.has(owner))) return true;
  const directory = realOf(dirname(file), source);
  if (paths.every((path) => below(realOf(resolvePath(cwd, path), source), directory) !== undefined))
    return true;
  stderr?.write(
    `httpd-codemod: ${oneLine(file)} is passed over: it belongs to another user, and has no say in what lies elsewhere (--config takes it)\n`,
  );
  return false;
}

function realOf(path: string, source: FileSource): string {
  try {
    return source.real(path);
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return path;
  }
}

/** Whether nobody has put it into a directory of others: it decides what a run of root leaves out, and takes for granted. */
function isOfItsDirectory(path: string, directory: string, source: FileSource): boolean {
  if (source.owners === undefined) return true;
  const trusted = new Set([0, ...source.owners(directory)]);
  return source.owners(path).every((owner) => trusted.has(owner));
}

function parseProject(source: FileSource, path: string, transforms: readonly Transform[]): Project {
  try {
    const text = Buffer.from(source.read(path), 'latin1')
      .toString('utf8')
      .replace(/^\uFEFF/, '');
    return checkProject(JSON.parse(text), path.slice(0, path.lastIndexOf('/')), transforms);
  } catch (error) {
    if (error instanceof Trouble)
      throw new Trouble(...error.messages.map((message) => `${path}: ${message}`));
    if (error instanceof SourceError) throw error;
    throw new Trouble(`${path}: ${encode((error as Error).message)}`);
  }
}

/** Raised when a key changes its meaning or goes (docs/schemas/project.schema.json); a file that says none is of the first. */
const VERSION = 1;

const KEYS = [
  '$schema',
  'version',
  'paths',
  'rules',
  'skip',
  'severities',
  'defines',
  'dual',
  'serverRoot',
  'target',
  'answers',
  'accepted',
];
const LEVELS: readonly string[] = ['error', 'warning', 'info'];

/** Comes first: another version may have other keys. */
function checkVersion({ version = VERSION }: Record<string, unknown>): void {
  if (version === VERSION) return;
  throw new Trouble(
    Number.isInteger(version)
      ? `version ${String(version)} is not read by this httpd-codemod; it reads version ${VERSION}`
      : `version must be ${VERSION}`,
  );
}

function checkProject(value: unknown, directory: string, transforms: readonly Transform[]): Project {
  const given = objectOf(value, 'the file');
  checkVersion(given);
  for (const key of Object.keys(given))
    if (!KEYS.includes(key)) throw new Trouble(`unknown key '${encode(key)}'${suggest(key, KEYS)}`);
  const { paths, rules, skip, severities, defines, dual, serverRoot, target, answers, accepted } = given;
  if (dual !== undefined && typeof dual !== 'boolean') throw new Trouble('dual must be true or false');
  const fromFile = (path: string): string => (path.startsWith('/') ? path : `${directory}/${path}`);
  const levels = severities === undefined ? undefined : stringsOf(severities, 'severities');
  for (const [rule, level] of levels ?? [])
    if (!LEVELS.includes(level))
      throw new Trouble(`severities: '${rule}' must be one of ${LEVELS.join(', ')}`);
  const project = {
    ...(paths === undefined ? {} : { paths: listOf(paths, 'paths').map(fromFile) }),
    ...(rules === undefined ? {} : { rules: listOf(rules, 'rules') }),
    ...(skip === undefined ? {} : { skip: listOf(skip, 'skip') }),
    ...(levels === undefined ? {} : { severities: Object.fromEntries(levels) as Record<string, Level> }),
    ...(defines === undefined ? {} : { defines: stringsOf(defines, 'defines') }),
    ...(dual === undefined ? {} : { dual }),
    ...(serverRoot === undefined ? {} : { serverRoot: fromFile(stringOf(serverRoot, 'serverRoot')) }),
    ...(target === undefined ? {} : { target: releaseOf(stringOf(target, 'target')) }),
    ...(answers === undefined ? {} : { answers: answersOf(answers, fromFile) }),
    ...(accepted === undefined ? {} : { accepted: acceptedOf(accepted) }),
  };
  checkRules([...(project.rules ?? []), ...(project.skip ?? [])], transforms);
  checkAnswers(project.answers ?? [], transforms);
  checkRules(
    [...(levels?.keys() ?? [])].filter((rule) => !CHECK_IDS.includes(rule)),
    transforms,
  );
  return project;
}

function placed({ place, ...answer }: Answer, directory: string): Answer {
  return place === undefined ? answer : { ...answer, place: resolvePath(directory, place) };
}

const ANSWER_KEYS = ['key', 'in', 'value', 'reason'];

function answersOf(value: unknown, fromFile: (path: string) => string): readonly Answer[] {
  return entriesOf(value, 'answers', ANSWER_KEYS).map((entry): Answer => {
    const place = entry['in'];
    if (typeof entry['value'] !== 'string') throw new Trouble('answers: value must be yes or no');
    return {
      key: stringOf(entry['key'], 'answers: key'),
      ...answerValue(stringOf(entry['value'], 'answers: value')),
      reason: stringOf(entry['reason'], 'answers: reason'),
      ...(place === undefined ? {} : { place: resolvePath('/', fromFile(stringOf(place, 'answers: in'))) }),
    };
  });
}

function acceptedOf(value: unknown): ReadonlyMap<string, string> {
  return new Map(
    entriesOf(value, 'accepted', ['fingerprint', 'reason']).map((entry) => [
      stringOf(entry['fingerprint'], 'accepted: fingerprint'),
      stringOf(entry['reason'], 'accepted: reason'),
    ]),
  );
}

/** @throws Trouble for what is no list of objects with these keys */
function entriesOf(
  value: unknown,
  name: string,
  keys: readonly string[],
): readonly Record<string, unknown>[] {
  if (!Array.isArray(value)) throw new Trouble(`${name} must be a list`);
  return value.map((item) => {
    const entry = objectOf(item, `each of ${name}`);
    for (const key of Object.keys(entry))
      if (!keys.includes(key))
        throw new Trouble(`${name}: unknown key '${encode(key)}'${suggest(key, keys)}`);
    return entry;
  });
}

function releaseOf(text: string): TargetName {
  const release = parseRelease(text);
  if (typeof release === 'number') return { release };
  throw new Trouble(`target: '${text}': ${release?.problem ?? 'must be a release, as 2.4.62'}`);
}

function objectOf(value: unknown, name: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new Trouble(`${name} must be an object`);
}

function stringOf(value: unknown, name: string): string {
  if (typeof value !== 'string' || value === '') throw new Trouble(`${name} must be a string`);
  return encode(value);
}

function listOf(value: unknown, name: string): readonly string[] {
  if (!Array.isArray(value)) throw new Trouble(`${name} must be a list of strings`);
  return value.map((item) => stringOf(item, `each of ${name}`));
}

function stringsOf(value: unknown, name: string): ReadonlyMap<string, string> {
  const entries = Object.entries(objectOf(value, name));
  return new Map(
    entries.map(([key, item]) => {
      if (typeof item !== 'string') throw new Trouble(`${name}: '${encode(key)}' must be a string`);
      return [encode(key), encode(item)];
    }),
  );
}
