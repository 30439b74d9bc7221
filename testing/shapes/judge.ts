import { type ConfigTree, type FileSource, loadTree, overlay } from '../../src/config';
import { type Outcome, type RunResult, run } from '../../src/engine';
import { statusOf } from '../../src/cli/output';
import { transforms } from '../../transforms';
import { type ReadVersion, everyLine, linesOf } from '../../src/judge';
import { type PlainAnswer, PlainServer, STATICS } from '../plain/server';
import { MODULES_24 } from './layout';
import { loadLines } from '../run/load-lines';
import { BASE, type ShapeTree, type TreeRequest, requestOf, sourceOf } from './tree';

/**
 * `same`: every answer is as it was. `refused`: the tool left old lines to a person, and said so; `told`: it said of what differs
 * that it does. Else how it fails: nobody is told that someone gets in, is kept out, or gets a 500, that the server does not
 * start, or that something else is answered; `elsewhere`: an error is reported, but of files that have no part in it; `trouble`:
 * the tool itself failed.
 */
export type ShapeVerdict =
  'same' | 'refused' | 'told' | 'opened' | 'closed' | '500' | 'startup' | 'other' | 'elsewhere' | 'trouble';

export const FAILURES: readonly ShapeVerdict[] = [
  'opened',
  'closed',
  '500',
  'startup',
  'other',
  'elsewhere',
  'trouble',
];

/** One request that is answered differently. */
export interface AnswerChange {
  readonly request: TreeRequest;
  readonly before: PlainAnswer;
  readonly after: PlainAnswer;
  /** What was defined or filled in; empty where nothing was. */
  readonly setting: string;
  /** Who reads the result: 2.2 where it is for both and 2.2 is the one that differs. */
  readonly reader: '2.2' | '2.4';
}

export interface Judged {
  readonly tree: ShapeTree;
  readonly verdict: ShapeVerdict;
  readonly differences: readonly AnswerChange[];
  /** The errors that the tool left to a person, and what went wrong with the tool itself. */
  readonly errors: readonly string[];
  /** The files that were changed: path below the folder → text. */
  readonly texts: Readonly<Record<string, string>>;
  readonly result: RunResult | undefined;
  /** Questions that could not be read. */
  readonly unread: number;
}

/** The configuration that a server of a tree starts with. */
export const CONF = `${BASE}/conf/httpd.conf`;
export const TARGET_MODULES = new Map<string, 'static' | 'shared'>([
  ...STATICS['2.4'].map((name) => [`${name}_module`, 'static'] as const),
  ...MODULES_24.map((name) => [`${name}_module`, 'shared'] as const),
]);

/** How a tree is started: the names given with -D, and what stands for a placeholder. */
export interface Setting {
  readonly name: string;
  readonly defines: ReadonlySet<string>;
  readonly put: (text: string) => string;
}

/** All that a tree is judged with. */
export function settingsOf({ defines = [], fill }: ShapeTree): Setting[] {
  if (fill !== undefined)
    return fill.values.map((value) => ({
      name: `${fill.placeholder} is ${value}`,
      defines: new Set(),
      put: (text) => text.replaceAll(fill.placeholder, value),
    }));
  const sets = Array.from({ length: 2 ** defines.length }, (_, n) => defines.filter((__, i) => (n >> i) & 1));
  return sets.map((names) => ({
    name: names.map((name) => `-D ${name}`).join(' '),
    defines: new Set(names),
    put: (text) => text,
  }));
}

/** Runs the tool on a tree, as `--write` does, over files in memory. */
function convertTree(
  tree: ShapeTree,
  dual = false,
): { readonly source: FileSource; readonly result: RunResult } {
  const source = sourceOf(tree);
  const options = { defines: new Map<string, string>(), env: new Map<string, string>(), cwd: BASE };
  // A tree that is made smaller may lose all of a directory.
  const paths = tree.paths.map((path) => `${BASE}/${path}`).filter((path) => source.kind(path) !== undefined);
  const load = (texts: ReadonlyMap<string, string>): ConfigTree =>
    loadTree(overlay(source, texts), paths, options);
  const result = run({ tree: load(new Map()), reread: load }, transforms, {
    targetModules: TARGET_MODULES,
    ...(dual ? { dual } : {}),
  });
  return { source, result };
}

/** Converts a tree and holds what 2.4 makes of the result against what 2.2 made of it, each as testing/plain reads them. */
export function judgeTree(tree: ShapeTree, dual = false): Judged {
  let result: RunResult;
  try {
    ({ result } = convertTree(tree, dual));
  } catch (error) {
    return failedWith(tree, `throws ${(error as Error).stack ?? String(error)}`);
  }
  return judgeResult(tree, result, dual);
}

/** Holds a result against the tree, as {@link judgeTree} does. */
export function judgeResult(tree: ShapeTree, result: RunResult, dual = false): Judged {
  const texts = Object.fromEntries(
    result.plan.map(({ file, text }) => [file.path.slice(BASE.length + 1), text]),
  );
  const { differences, unread } = differencesOf(tree, texts, dual);
  // Of modules no block can tell for both versions: what a server for both loads is not the tool's to say.
  const fails = result.outcomes.filter(
    (outcome) => needsPerson(outcome) && !(dual && outcome.rule === 'load-module'),
  );
  const errors = [...(result.failure === undefined ? [] : [result.failure]), ...fails.map(outcomeText)];
  const isTold = statusOf(result, { mode: 'write', failOn: 'error' }) === 1;
  const verdict =
    result.failure === undefined
      ? verdictOf(
          tree,
          texts,
          differences,
          isTold ? [...fails, ...strictWith(fails, result.outcomes)] : [],
          dual,
        )
      : 'trouble';
  return { tree, verdict, differences, errors, texts, result, unread };
}

const needsPerson = ({ level, safety, status }: Outcome): boolean =>
  level === 'error' && status !== 'ignored' && (safety === 'manual' || status === 'not-applied');

/**
 * The sections in the strictest form, each of which says whom it refuses: the error about them is for all, and stands at the
 * first.
 */
function strictWith(fails: readonly Outcome[], outcomes: readonly Outcome[]): readonly Outcome[] {
  const strict = outcomes.filter(({ safety, status }) => safety === 'strict' && status === 'applied');
  const isFirst = ({ file, at }: Outcome): boolean =>
    strict.some((outcome) => outcome.file === file && outcome.at === at);
  return fails.some(isFirst) ? strict : [];
}

const outcomeText = ({ file, at, rule, message, why }: Outcome): string =>
  `${file.path.slice(BASE.length + 1)}:${file.document.text.slice(0, at).split('\n').length}: ${rule}: ${message}${why === undefined ? '' : ` (${why})`}`;

function failedWith(tree: ShapeTree, error: string): Judged {
  return {
    tree,
    verdict: 'trouble',
    differences: [],
    errors: [error],
    texts: {},
    result: undefined,
    unread: 0,
  };
}

/** Every request that differs, under each setting. `texts` are the files that were changed. */
export function differencesOf(
  tree: ShapeTree,
  texts: Readonly<Record<string, string>>,
  dual: boolean,
): { readonly differences: AnswerChange[]; readonly unread: number } {
  const differences: AnswerChange[] = [];
  let unread = 0;
  for (const setting of settingsOf(tree)) {
    const before = serverBefore(tree, setting);
    // Nothing is kept that 2.2 did not start with.
    if (before.why !== undefined) continue;
    const { name } = setting;
    const readers = [
      { reader: '2.4' as const, server: serverAfter(tree, texts, setting, '2.4', dual) },
      ...(dual ? [{ reader: '2.2' as const, server: serverAfter(tree, texts, setting, '2.2', dual) }] : []),
    ];
    for (const request of tree.requests) {
      const asked = requestOf(request);
      const was = before.answer(asked);
      for (const { reader, server: changed } of readers) {
        const is = changed.answer(asked);
        if (was === '?' || is === '?') unread++;
        else if (was !== is) differences.push({ request, before: was, after: is, setting: name, reader });
      }
    }
  }
  return { differences, unread };
}

function serverBefore(tree: ShapeTree, { defines, put }: Setting): PlainServer {
  return new PlainServer(sourceOf(tree, put), CONF, { version: '2.2', defines });
}

/** A server with the files that were changed; a 2.4 beside a 2.2 has modules of its own. */
function serverAfter(
  { files }: ShapeTree,
  texts: Readonly<Record<string, string>>,
  { defines, put }: Setting,
  version: ReadVersion,
  dual: boolean,
): PlainServer {
  const modules = dual && version === '2.4' ? { 'conf/modules.conf': loadLines(MODULES_24) } : {};
  return new PlainServer(sourceOf({ files: { ...files, ...texts, ...modules } }, put), CONF, {
    version,
    defines,
  });
}

function verdictOf(
  tree: ShapeTree,
  texts: Readonly<Record<string, string>>,
  differences: readonly AnswerChange[],
  fails: readonly Outcome[],
  dual: boolean,
): ShapeVerdict {
  if (differences.length === 0) return 'same';
  if (fails.length === 0) return kindOf(differences);
  const places = new Set(fails.map(({ file }) => file.path));
  const isAtPlace =
    fails.some(isOfServer) ||
    differences.every(({ request, after }) => after === 'X' || hasPart(tree, texts, request, places, dual));
  if (!isAtPlace) return 'elsewhere';
  return hasOldLines(tree, texts) ? 'refused' : 'told';
}

/** An error at a line of the main configuration that is in no section is about the server as a whole. */
function isOfServer({ file, at }: Outcome): boolean {
  return (
    file.path === CONF &&
    !file.document.body.some((node) => node.kind === 'section' && node.start <= at && at < node.end)
  );
}

/** Whether a file that has a part in an answer, before or after, is one of which an error is reported. */
function hasPart(
  tree: ShapeTree,
  texts: Readonly<Record<string, string>>,
  request: TreeRequest,
  places: ReadonlySet<string>,
  dual: boolean,
): boolean {
  return settingsOf(tree).some((setting) =>
    [serverBefore(tree, setting), serverAfter(tree, texts, setting, '2.4', dual)].some((server) =>
      [...server.filesFor(requestOf(request))].some((path) => places.has(path)),
    ),
  );
}

/** The worst that happens. */
export function kindOf(differences: readonly AnswerChange[]): ShapeVerdict {
  const kinds = new Set(differences.map(kindOfDifference));
  return (['opened', 'closed', '500', 'startup', 'other'] as const).find((kind) => kinds.has(kind))!;
}

function kindOfDifference({ before, after }: AnswerChange): ShapeVerdict {
  if (after === 'X') return 'startup';
  if (after === 'E') return '500';
  if (after === 'P') return before === 'E' ? 'other' : 'opened';
  return before === 'P' ? 'closed' : 'other';
}

/** Whether access lines of 2.2 are left, outside of blocks that 2.4 skips. */
function hasOldLines({ files }: ShapeTree, texts: Readonly<Record<string, string>>): boolean {
  return Object.entries(files).some(([path, content]) => {
    const text = texts[path] ?? content;
    if (typeof text !== 'string' || !(path.endsWith('.conf') || path.endsWith('.htaccess'))) return false;
    return [...everyLine(linesOf(text, path))].some(({ name }) =>
      ['order', 'allow', 'deny', 'satisfy'].includes(name),
    );
  });
}
