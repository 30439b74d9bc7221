import { type ConfigTree, loadTree, overlay } from '../../src/config';
import { type RunResult, run } from '../../src/engine';
import { transforms } from '../../transforms';
import { BASE, type ShapeTree, sourceOf } from '../shapes/tree';

/** What the tool makes of a server, as `--write` does. */
export function resultOf(
  tree: ShapeTree,
  targetModules: ReadonlyMap<string, 'static' | 'shared'>,
): RunResult {
  const source = sourceOf(tree);
  const options = { defines: new Map<string, string>(), env: new Map<string, string>(), cwd: BASE };
  const paths = tree.paths.map((path) => `${BASE}/${path}`).filter((path) => source.kind(path) !== undefined);
  const reread = (texts: ReadonlyMap<string, string>): ConfigTree =>
    loadTree(overlay(source, texts), paths, options);
  return run({ tree: reread(new Map()), reread }, transforms, { targetModules, rules: RULES });
}

/** Access, and what it takes for a 2.4 to start. */
const RULES = ['order-allow-deny', 'load-module'];
