import { differenceFindings, htaccessProblems } from '../../src/access';
import { type ConfigTree, loadTree, overlay } from '../../src/config';
import { type Outcome, type RunResult, run } from '../../src/engine';
import { transforms } from '../../transforms';
import { mistakesIn } from '../access/mistakes';
import { type Judged, type ShapeVerdict, TARGET_MODULES, differencesOf, judgeTree, kindOf } from './judge';
import type { Kind } from './kinds';
import { treesAtRandom } from './run';
import { BASE, type ShapeTree, sourceOf } from './tree';

/** How many wrong texts there were, and how many of them the product's own checks object to. */
export interface Found {
  planted: number;
  found: number;
}

/** What became of wrong texts that stood in the place of a right rewrite. */
export interface Planted {
  /** By what they do to access: `opened`, `closed`, `500` or `other`. */
  readonly byVerdict: Map<ShapeVerdict, Found>;
  readonly byMistake: Map<string, Found>;
  readonly missed: string[];
}

interface PlantedText {
  readonly what: string;
  readonly texts: Readonly<Record<string, string>>;
}

/**
 * Puts wrong texts in the place of rewrites that are right, and counts those that the product's checks find: a Require line
 * dropped or with a wrong word, a range or its mask widened, any for all, an AllowOverrideList or a block dropped, one file of
 * several left as it was. A text with which 2.4 does not start is not counted: it lets nobody in, and is for a configuration test
 * to find.
 * @param perTree how many to plant in each tree, at most
 */
export function plantMistakes(kind: Kind, seed: number, count: number, dual: boolean, perTree = 6): Planted {
  const all: Planted = { byVerdict: new Map(), byMistake: new Map(), missed: [] };
  for (const tree of treesAtRandom(kind, seed, count)) {
    const judged = judgeTree(tree, dual);
    if (judged.verdict !== 'same' || judged.result === undefined) continue;
    const mistakes = mistakesOf(judged, tree.files);
    let left = perTree;
    for (const { what, texts } of evenly(mistakes, perTree * 4)) {
      if (left === 0) break;
      const { differences } = differencesOf(tree, texts, dual);
      const verdict = differences.length === 0 ? 'same' : kindOf(differences);
      if (verdict === 'same' || verdict === 'startup') continue;
      left--;
      const found = isFound(tree, judged.result, judged.texts, texts, dual);
      addTo(all.byVerdict, verdict, found);
      addTo(all.byMistake, what, found);
      if (!found) all.missed.push(`${tree.name}: ${what}, ${verdict}`);
    }
  }
  return all;
}

function addTo<Key>(rows: Map<Key, Found>, key: Key, found: boolean): void {
  const row = rows.get(key) ?? { planted: 0, found: 0 };
  rows.set(key, { planted: row.planted + 1, found: row.found + (found ? 1 : 0) });
}

const WRONG: readonly (readonly [what: string, there: RegExp, by: string])[] = [
  ['a mask is wider', /(?<=Require (?:not )?ip [^\n]*\/)(?:1[0-9]|2[0-9]|3[0-2])(?= |$)/gm, '4'],
  ['a mask is wider', /(?<=Require (?:not )?ip [^\n]*\/255\.)255\.\d+\.\d+/gm, '0.0.0'],
  ['an address is shorter', /(?<=Require (?:not )?ip (?:[^\n]* )?\d+\.\d+)\.[\d.]+(?= |$)/gm, ''],
  ['any for all', /RequireAll>/g, 'RequireAny>'],
  ['all for any', /RequireAny>/g, 'RequireAll>'],
  ['an AllowOverrideList is dropped', /^[ \t]*AllowOverrideList .*\n/gm, ''],
  ['an AllowOverride is dropped', /^[ \t]*AllowOverride .*\n/gm, ''],
  ['an AuthType is dropped', /^[ \t]*AuthType .*\n/gm, ''],
  [
    'a half is dropped',
    /^([ \t]*)<If(?:Module|ReadVersion)[^\n]*>\n(?:\1[ \t]+[^\n]*\n)*\1<\/If\w+>\n/gm,
    '',
  ],
];

function mistakesOf({ texts }: Judged, files: ShapeTree['files']): PlantedText[] {
  const changed = Object.entries(texts).filter(([path]) => path !== 'conf/modules.conf');
  return changed.flatMap(([path, text]): PlantedText[] => {
    const put = (what: string, wrong: string): PlantedText => ({ what, texts: { ...texts, [path]: wrong } });
    const given = files[path];
    return [
      ...mistakesIn(text).map((mistake) => put('a Require line is dropped or wrong', mistake.text)),
      ...WRONG.flatMap(([what, there, by]) => {
        const wrong = text.replace(there, by);
        return wrong === text ? [] : [put(what, wrong)];
      }),
      ...(typeof given === 'string' && changed.length > 1 ? [put('one file is left as it was', given)] : []),
    ];
  });
}

function isFound(
  tree: ShapeTree,
  { tree: before, outcomes }: RunResult,
  right: Readonly<Record<string, string>>,
  texts: Readonly<Record<string, string>>,
  dual: boolean,
): boolean {
  const source = sourceOf(tree);
  const options = { defines: new Map<string, string>(), env: new Map<string, string>(), cwd: BASE };
  const changed = new Map(Object.entries(texts).map(([path, text]) => [`${BASE}/${path}`, text]));
  const paths = tree.paths.map((path) => `${BASE}/${path}`);
  const load = (more: ReadonlyMap<string, string>): ConfigTree =>
    loadTree(overlay(source, more), paths, options);
  const after = load(changed);
  const appliedOf = (id: string): readonly Outcome[] =>
    outcomes.filter(({ rule, status }) => rule === id && status === 'applied');
  const isTakenBack = transforms.some(({ id, check }) => {
    const applied = appliedOf(id);
    return check !== undefined && applied.length > 0 && check(before, after, applied).size > 0;
  });
  if (isTakenBack) return true;
  // A result that a further run would change is not written.
  const isFinal = (result: ReadonlyMap<string, string>): boolean => {
    const reread = (more: ReadonlyMap<string, string>): ConfigTree => load(new Map([...result, ...more]));
    return (
      run({ tree: load(result), reread }, transforms, { targetModules: TARGET_MODULES, dual }).plan.length ===
      0
    );
  };
  const rightTexts = new Map(Object.entries(right).map(([path, text]) => [`${BASE}/${path}`, text]));
  if (!isFinal(changed) && isFinal(rightTexts)) return true;
  // What is left in the result is told of: more than of the right one.
  const told = (result: ConfigTree): number =>
    differenceFindings(before, result, appliedOf('order-allow-deny')).length +
    htaccessProblems(before, result).length;
  return told(after) > told(load(rightTexts));
}

function evenly<T>(list: readonly T[], most: number): readonly T[] {
  if (list.length <= most) return list;
  return Array.from({ length: most }, (_, i) => list[Math.floor((i * list.length) / most)]!);
}
