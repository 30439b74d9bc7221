import { type LoadOptions, loadRereadable, memory } from './config';
import type { ConfigTree } from './config/types';
import { OptionError, type Outcome, type Plan, run, type RunOptions, type Transform } from './engine';
import { diffPath, unifiedDiff } from './report';
import { transforms as allTransforms } from '../transforms';

/** What {@link convert} is asked for beside the files. All of it may be left out. */
export interface ConversionOptions extends RunOptions, Partial<Omit<LoadOptions, 'before' | 'onProgress'>> {
  /** The files and directories to convert, as the command takes them. Undefined: each file. */
  readonly paths?: readonly string[];
  /** Symbolic links: absolute path → where it points. */
  readonly links?: ReadonlyMap<string, string>;
  /** The rules that are asked. Undefined: all of this package. */
  readonly transforms?: readonly Transform[];
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
  /** Why edits were taken back, or a rule could not be asked: a mistake of the rules. Undefined where nothing went wrong. */
  readonly failure?: string;
}

const LOAD_OPTIONS: ReadonlySet<string> = new Set(['cwd', 'defines', 'env', 'serverRoot', 'unused']);

/**
 * Converts files that are held in memory, with all the checks of the command: it reads its own result again, compares who gets in before and
 * after, and takes back what it cannot stand for.
 * @param files absolute path → text, both latin1: one character a byte
 * @throws OptionError for a path, a text or an option that cannot be what is meant; SourceError where one of `paths` cannot be used
 */
export function convert(
  files: ReadonlyMap<string, string> | Readonly<Record<string, string>>,
  options: ConversionOptions = {},
): Conversion {
  const texts = files instanceof Map ? files : new Map(Object.entries(files));
  checkFiles(texts);
  const { paths = [...texts.keys()], links = new Map(), transforms = allTransforms, ...others } = options;
  for (const [name, value] of Object.entries({ defines: others.defines, env: others.env, links }))
    if (value !== undefined && !(value instanceof Map)) throw new OptionError(`option '${name}' takes a map`);
  if (!Array.isArray(paths)) throw new OptionError(`option 'paths' takes a list`);
  for (const path of paths) checkBytes(path, 'the path');
  const { cwd = '/', defines = new Map(), env = new Map(), unused, serverRoot } = others;
  const runOptions = Object.fromEntries(Object.entries(others).filter(([name]) => !LOAD_OPTIONS.has(name)));
  const loaded = loadRereadable(memory(texts, links), paths, {
    cwd,
    defines,
    env,
    ...(unused === undefined ? {} : { unused }),
    ...(serverRoot === undefined ? {} : { serverRoot }),
  });
  const { tree, plan, outcomes, failure } = run(loaded, transforms, runOptions);
  const changes = new Map(plan.map((change) => [change.file, change]));
  const diffs = tree.files.map((file) =>
    unifiedDiff(diffPath(file.path, cwd), file.document.text, changes.get(file)?.edits ?? []),
  );
  return {
    texts: new Map([...texts, ...plan.map(({ file, text }) => [file.path, text] as const)]),
    diff: diffs.join(''),
    findings: outcomes,
    plan,
    tree,
    ...(failure === undefined ? {} : { failure }),
  };
}

function checkFiles(files: ReadonlyMap<string, string>): void {
  for (const [path, text] of files) {
    checkBytes(path, 'the path');
    if (!path.startsWith('/')) throw new OptionError(`${path}: the path of a file begins with /`);
    if (typeof text !== 'string') throw new OptionError(`${path}: the text is no string`);
    checkBytes(text, path);
  }
}

/** @param of what it is, for the message */
function checkBytes(text: string, of: string): void {
  const at = text.search(/[^\0-\xff]/);
  if (at < 0) return;
  const code = text.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0');
  throw new OptionError(
    `${of}: character ${at + 1} (U+${code}) is no byte: read files, and their names, as latin1`,
  );
}
