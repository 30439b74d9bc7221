import { checkRewrites } from '../../src/access';
import { loadTree, memory, overlay } from '../../src/config';
import { run } from '../../src/engine';
import type { Withdrawal } from '../../src/engine/types';
import { transforms } from '../../transforms';

const LOAD = { defines: new Map<string, string>(), env: new Map<string, string>(), cwd: '/' };

/** What files have become, and what the check of the result says. */
export interface ConvertedFiles {
  readonly texts: ReadonlyMap<string, string>;
  /** Why a text for one of the files would be taken back; undefined where it would not. */
  readonly check: (path: string, text: string) => string | undefined;
  /** The groups of changes that would be taken back then. */
  readonly takenBack: (path: string, text: string) => readonly string[];
}

/** @param unwritable path of a file that cannot be written → why */
export function converted(
  files: Readonly<Record<string, string>>,
  unwritable: ReadonlyMap<string, string> = new Map(),
): ConvertedFiles {
  const source = memory(new Map(Object.entries(files)));
  const paths = Object.keys(files);
  const load = (texts: ReadonlyMap<string, string>): ReturnType<typeof loadTree> =>
    loadTree(overlay(source, texts), paths, LOAD);
  const tree = loadTree(source, paths, LOAD);
  const { plan, outcomes } = run({ tree, reread: load }, transforms, { unwritable });
  const before: typeof tree = { ...tree, cannotWrite: ({ path }) => unwritable.has(path) };
  const texts = new Map(plan.map(({ file, text }) => [file.path, text]));
  const applied = outcomes.filter(
    (replacement) => replacement.rule === 'order-allow-deny' && replacement.status === 'applied',
  );
  const refusedWith = (path: string, text: string): ReadonlyMap<string, Withdrawal> =>
    applied.length === 0
      ? new Map()
      : checkRewrites(before, load(new Map([...texts, [path, text]])), applied);
  return {
    texts,
    check: (path, text) => [...refusedWith(path, text).values()][0]?.why,
    takenBack: (path, text) => [...refusedWith(path, text).keys()],
  };
}
