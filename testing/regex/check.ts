// python3 testing/regex/record.py random 10000 777 | node scripts/run-typescript.mjs testing/regex/check.ts Holds what src/regex
// says of patterns against what PCRE 8 and PCRE2 have said: it may say nothing, but nothing else than both of them. Its last line
// is "N passed, N failed".
import { createInterface } from 'node:readline';
import { findsPattern, forgetPatterns } from '../../src/regex';

/** A row as record.py prints it. */
type AnswerRow = [
  pattern: string,
  text: string,
  ignoreCase: boolean,
  in8: boolean | null,
  in2: boolean | null,
];

/** Patterns that are asked again: as many as a large server has; what is remembered of them takes room. */
const REMEMBERED = 100;

async function main(): Promise<number> {
  const patterns = new Set<string>();
  let [said, wrong] = [0, 0];
  for await (const line of createInterface({ input: process.stdin })) {
    const [pattern, text, ignoreCase, in8, in2] = JSON.parse(line) as AnswerRow;
    if (patterns.size % REMEMBERED === 0) forgetPatterns();
    patterns.add(pattern);
    const found = findsPattern(pattern, text, ignoreCase);
    if (found === undefined) continue;
    said++;
    if ((in8 ?? found) === found && (in2 ?? found) === found) continue;
    wrong++;
    console.log(`wrong: ${line}, and here ${found}`);
  }
  console.log(`${patterns.size} patterns`);
  console.log(`${said - wrong} passed, ${wrong} failed`);
  return said > 0 && wrong === 0 ? 0 : 1;
}

void main().then((status) => process.exit(status));
