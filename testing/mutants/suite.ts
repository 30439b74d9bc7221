import { expect } from 'expect';

// As much of jest as the tests of the parts under mutation use, in one process.

export interface TestCase {
  /** The file of the test and the number that it has there. */
  readonly id: string;
  readonly name: string;
  readonly body: () => unknown;
  readonly block: Block;
}

interface Block {
  readonly name: string;
  readonly outer: Block | undefined;
  readonly before: (() => unknown)[];
  readonly after: (() => unknown)[];
  readonly beforeEach: (() => unknown)[];
  readonly afterEach: (() => unknown)[];
  isOpen: boolean;
}

const newBlock = (name: string, outer?: Block): Block => ({
  name,
  outer,
  before: [],
  after: [],
  beforeEach: [],
  afterEach: [],
  isOpen: false,
});

type Row = readonly unknown[];

/** `each` of jest, for rows that are arrays or single values. */
function eachOf(add: (name: string, body: () => unknown) => void) {
  return (rows: readonly unknown[]) => (name: string, body: (...row: Row) => unknown) => {
    for (const [i, row] of rows.entries())
      add(`${name} #${i}`, () => body(...(Array.isArray(row) ? (row as Row) : [row])));
  };
}

/** The tests of some files. Only the suite that was made last may be used: the tests find it by names that are global. */
export class Suite {
  readonly #opened: Block[] = [];
  #block = newBlock('');
  #tests: TestCase[] = [];
  #file = '';

  constructor() {
    const test = Object.assign(this.#addTest, { each: eachOf(this.#addTest) });
    const describe = Object.assign(this.#describe, { each: eachOf(this.#describe) });
    Object.assign(globalThis, {
      test,
      it: test,
      describe,
      expect,
      beforeAll: (body: () => unknown) => this.#block.before.push(body),
      afterAll: (body: () => unknown) => this.#block.after.push(body),
      beforeEach: (body: () => unknown) => this.#block.beforeEach.push(body),
      afterEach: (body: () => unknown) => this.#block.afterEach.push(body),
    });
  }

  readonly #describe = (name: string, body: () => void): void => {
    const outer = this.#block;
    this.#block = newBlock(name === '' ? '' : `${outer.name}${name} `, outer);
    try {
      body();
    } finally {
      this.#block = outer;
    }
  };

  readonly #addTest = (name: string, body: () => unknown): void => {
    const id = `${this.#file}#${this.#tests.length}`;
    this.#tests.push({ id, name: `${this.#file}: ${this.#block.name}${name}`, body, block: this.#block });
  };

  /** The tests of a file, which `load` loads. */
  testsOf(file: string, load: () => void): readonly TestCase[] {
    this.#file = file;
    this.#tests = [];
    this.#describe('', load);
    return this.#tests;
  }

  /** @returns whether the test passes */
  async passes({ body, block }: TestCase): Promise<boolean> {
    const blocks = [block];
    for (let { outer } = block; outer !== undefined; { outer } = outer) blocks.unshift(outer);
    try {
      for (const around of blocks) await this.#open(around);
      for (const hook of blocks.flatMap(({ beforeEach }) => beforeEach)) await hook();
      await body();
      return true;
    } catch {
      return false;
    } finally {
      for (const hook of blocks.flatMap(({ afterEach }) => afterEach)) await tidy(hook);
    }
  }

  async #open(block: Block): Promise<void> {
    if (block.isOpen) return;
    block.isOpen = true;
    this.#opened.push(block);
    for (const body of block.before) await body();
  }

  /** Cleans up what the tests before have left. */
  async close(): Promise<void> {
    for (const { after } of this.#opened.toReversed()) for (const body of after) await tidy(body);
  }
}

async function tidy(hook: () => unknown): Promise<void> {
  try {
    await hook();
  } catch {
    // What a mistake has broken need not come down in order.
  }
}
