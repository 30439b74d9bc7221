// node check.cjs [--cases N] [--minutes M] [--seed S] [--shrink N] [--failures DIR] [--only CASE] Makes the first N cases of a
// seed, or as many as there is time for (a minute where neither is given; the time bounds N too), and runs each in this process:
// see judge.ts for what may not happen. A number asks the same on each machine; a time does not. Of each kind of failure the
// first few are made small. Its last line is "N passed, N failed". Run in the root of the repository.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CaseMaker, type FuzzCase, fixtureTexts } from './generate';
import { type FuzzFailure, judge } from './judge';

/** Smaller cases that are tried for one failure. */
const MAX_SMALLER = 400;

function main(args: readonly string[]): number {
  const option = (name: string): string | undefined => {
    const at = args.indexOf(`--${name}`);
    return at < 0 ? undefined : args[at + 1];
  };
  const seed = Number(option('seed') ?? 1);
  const cases = Number(option('cases') ?? Infinity);
  const until = performance.now() + Number(option('minutes') ?? (cases === Infinity ? 1 : Infinity)) * 60_000;
  const toShrink = Number(option('shrink') ?? 3);
  const only = option('only') === undefined ? undefined : Number(option('only'));
  const folder = option('failures');
  const maker = new CaseMaker(seed, fixtureTexts(process.cwd()));
  const failed = new Map<string, number>();
  let done = 0;
  for (; done < cases && performance.now() < until; done++) {
    const made = maker.next();
    if (only !== undefined && done !== only) continue;
    const failure = judge(made);
    if (failure === undefined) continue;
    const before = failed.get(failure.kind) ?? 0;
    failed.set(failure.kind, before + 1);
    const small = before < toShrink ? shrink(made, failure) : made;
    const text = describe(`seed ${seed}, case ${done}`, small, judge(small) ?? failure);
    if (before < toShrink) console.log(text);
    if (folder !== undefined) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, `${seed}-${done}-${failure.kind.replaceAll(' ', '-')}.txt`), text, 'latin1');
    }
  }
  for (const [kind, number] of failed) console.log(`${kind}: ${number}`);
  const all = [...failed.values()].reduce((sum, number) => sum + number, 0);
  console.log(`seed ${seed}: ${done} cases, at most ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`);
  console.log(`${done - all} passed, ${all} failed`);
  return all === 0 ? 0 : 1;
}

function describe(name: string, { files, options, defines }: FuzzCase, { kind, text }: FuzzFailure): string {
  const texts = Object.entries(files).map(([path, content]) => `--- ${path}\n${content}`);
  return `== ${name}: ${kind}: ${text}\n${JSON.stringify({ ...options, defines })}\n${texts.join('\n')}\n`;
}

/** Takes away files, options, blocks of lines and lines, as long as the case fails in the same way. */
function shrink(made: FuzzCase, { kind }: FuzzFailure): FuzzCase {
  let left = MAX_SMALLER;
  let least = made;
  for (;;) {
    const next = smaller(least).find((candidate) => left-- > 0 && judge(candidate)?.kind === kind);
    if (next === undefined) return least;
    least = next;
  }
}

function smaller({ files, options, defines }: FuzzCase): FuzzCase[] {
  const without = <T>(record: Readonly<Record<string, T>>, key: string): Record<string, T> =>
    Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));
  const fewer = Object.keys(files).length > 1 ? Object.keys(files) : [];
  const texts = Object.entries(files).flatMap(([path, text]) => {
    const lines = text.split('\n');
    return [8, 4, 2, 1].flatMap((length) =>
      Array.from({ length: Math.ceil(lines.length / length) }, (_, i) => ({
        options,
        defines,
        files: { ...files, [path]: lines.filter((__, n) => Math.floor(n / length) !== i).join('\n') },
      })).filter((candidate) => candidate.files[path] !== text),
    );
  });
  return [
    ...fewer.map((path) => ({ options, defines, files: without(files, path) })),
    ...Object.keys(options).map((name) => ({ files, defines, options: without({ ...options }, name) })),
    ...(defines.length > 0 ? [{ files, options, defines: [] }] : []),
    ...texts,
  ];
}

process.exit(main(process.argv.slice(2)));
