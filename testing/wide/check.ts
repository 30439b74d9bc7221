import fc from 'fast-check';
import { type WideComparison, compareWide } from './compare';
import { PROFILES, type Profile, wideTree } from './trees';

/**
 * Converts random trees and asks a real 2.4 about them, until as many as wanted are done: `--profile NAME` (all without),
 * `--trees N` of each, `--seed N`, `--dual`, `--requests N` of each tree. Its last line is "N passed, N failed".
 */
async function main(args: readonly string[]): Promise<void> {
  const option = (name: string, otherwise: number): number => {
    const at = args.indexOf(`--${name}`);
    return at < 0 ? otherwise : Number(args[at + 1]);
  };
  const chosen = args.includes('--profile') ? [args[args.indexOf('--profile') + 1] as Profile] : PROFILES;
  const wanted = option('trees', 100);
  const dual = args.includes('--dual');
  let passed = 0;
  let failed = 0;
  for (const profile of chosen) {
    const total = { trees: 0, converted: 0, strict: 0, refused: 0, requests: 0, differences: 0 };
    const leftBy: WideComparison['leftBy'] = new Map();
    for (let batch = 0; total.trees < wanted; batch++) {
      const numRuns = Math.min(100, wanted - total.trees);
      const trees = fc.sample(wideTree(profile), { numRuns, seed: option('seed', 1) * 10_000 + batch });
      const found = await compareWide(profile, trees, dual ? { dual } : {}, option('requests', 200));
      total.trees += found.trees;
      total.converted += found.converted;
      total.strict += found.strict;
      total.refused += found.refused;
      total.requests += found.requests;
      total.differences += found.differences.length;
      for (const [rule, { trees: more, example }] of found.leftBy)
        leftBy.set(rule, { example, ...leftBy.get(rule), trees: (leftBy.get(rule)?.trees ?? 0) + more });
      for (const difference of found.differences) console.log(`--- ${profile}\n${difference}`);
    }
    console.log(`${profile}${dual ? ', dual' : ''}: ${JSON.stringify(total)}`);
    for (const [rule, { trees, example }] of leftBy)
      console.log(`  ${trees} left by ${rule}, as: ${example}`);
    passed += total.converted - total.differences;
    failed += total.differences;
  }
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

void main(process.argv.slice(2));
