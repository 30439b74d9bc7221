import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'expect';

// As much of jest as the tests of the parts under mutation use, in one process: it runs what is bundled with it until one test fails.
// MUTANTS_BASE names the file of the tests that fail without a mutant, as they need what this does not have; `--base` writes it.

interface TestCase {
  readonly name: string;
  readonly body: () => unknown;
}

interface Block {
  readonly name: string;
  readonly before: (() => unknown)[];
  readonly after: (() => unknown)[];
  readonly parts: (Block | TestCase)[];
}

const newBlock = (name: string): Block => ({ before: [], after: [], parts: [], name });
const top = newBlock('');
let open = top;

function describeBlock(name: string, body: () => void): void {
  const outer = open;
  open = newBlock(`${outer.name}${name} `);
  outer.parts.push(open);
  try {
    body();
  } finally {
    open = outer;
  }
}

function addTest(name: string, body: () => unknown): void {
  open.parts.push({ name: open.name + name, body });
}

type Row = readonly unknown[];

/** `each` of jest, for rows that are arrays or single values. */
function eachOf(add: (name: string, body: () => unknown) => void) {
  return (rows: readonly unknown[]) => (name: string, body: (...row: Row) => unknown) => {
    for (const [i, row] of rows.entries())
      add(`${name} #${i}`, () => body(...(Array.isArray(row) ? (row as Row) : [row])));
  };
}

const test = Object.assign(addTest, { each: eachOf(addTest) });
const describe = Object.assign(describeBlock, { each: eachOf((name, body) => describeBlock(name, body)) });
Object.assign(globalThis, {
  test,
  it: test,
  describe,
  expect,
  beforeAll: (body: () => unknown) => open.before.push(body),
  afterAll: (body: () => unknown) => open.after.push(body),
  beforeEach: () => undefined,
  afterEach: () => undefined,
});

/** Runs the tests of one file, as they are registered by `load`. */
export function addFile(name: string, load: () => void): void {
  describeBlock(`${name}:`, load);
}

/** Runs what has been registered, and ends the process: with 1 where a test fails that is not among those of the base. */
export async function runAll(): Promise<void> {
  const base = process.env['MUTANTS_BASE'] ?? '';
  const isBase = process.argv.includes('--base');
  const known = new Set(isBase ? [] : readFileSync(base, 'utf8').split('\n'));
  const failed: string[] = [];
  let count = 0;
  const runTest = async ({ name, body }: TestCase): Promise<void> => {
    if (known.has(name)) return;
    count++;
    try {
      await body();
    } catch {
      failed.push(name);
    }
  };
  const runBlock = async (block: Block): Promise<void> => {
    try {
      for (const body of block.before) await body();
      for (const part of block.parts) {
        if ('parts' in part) await runBlock(part);
        else await runTest(part);
        if (failed.length > 0 && !isBase) return;
      }
    } catch {
      failed.push(...block.parts.flatMap((part) => ('parts' in part ? [] : part.name)));
    } finally {
      for (const body of block.after) await body();
    }
  };
  await runBlock(top);
  if (isBase) writeFileSync(base, failed.join('\n'));
  console.log(isBase ? `${count} tests, ${failed.length} left out` : (failed[0] ?? ''));
  process.exit(failed.length > 0 && !isBase ? 1 : 0);
}
