import { loadRereadable, memory } from '../../src/config';
import { type RunOptions, type RunResult, run } from '../../src/engine';
import { transforms } from '../../transforms';
import { textAfter } from '../run/convert';
import { CONFIG, ROOT, type RestTree } from './tree';

/** A tree after the run: path below the ServerRoot → text, and what was found. */
export interface ConvertedRestTree {
  readonly result: RunResult;
  readonly texts: Readonly<Record<string, string>>;
}

/** Converts a tree as a whole server with its document root. */
export function convertTree({ files }: RestTree, options: RunOptions = {}): ConvertedRestTree {
  const source = memory(new Map(Object.entries(files).map(([path, text]) => [`${ROOT}/${path}`, text])));
  const load = { defines: new Map<string, string>(), env: new Map<string, string>(), cwd: '/' };
  const paths = [`${ROOT}/${CONFIG}`, `${ROOT}/htdocs`];
  const result = run(loadRereadable(source, paths, load), transforms, options);
  const texts = Object.entries(files).map(
    ([path, text]) => [path, textAfter(result, `${ROOT}/${path}`) ?? text] as const,
  );
  return { result, texts: Object.fromEntries(texts) };
}
