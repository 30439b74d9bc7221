import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { compileFunction } from 'node:vm';
import { HITS } from './hits';

type ModuleBody = (
  exports: unknown,
  require: (name: string) => unknown,
  module: { exports: unknown },
  hits: Uint8Array,
) => void;

/**
 * The modules of a repository, compiled once and loaded anew for each mutant: what a mistake leaves in a cache would be seen by
 * the next one.
 */
export class MutantModules {
  readonly hits: Uint8Array;
  readonly #require: (name: string) => unknown;
  readonly #compiled = new Map<string, ModuleBody>();
  readonly #transform: typeof import('esbuild').transformSync;
  #loaded = new Map<string, { exports: unknown }>();
  #others: ReadonlyMap<string, string> = new Map();

  constructor(root: string, hitCount: number) {
    this.hits = new Uint8Array(hitCount);
    this.#require = createRequire(join(root, 'package.json'));
    ({ transformSync: this.#transform } = this.#require('esbuild') as typeof import('esbuild'));
  }

  /** Forgets all modules. Those of `others`, a path each, have that text from now on. */
  reset(others: ReadonlyMap<string, string>): void {
    this.#loaded = new Map();
    this.#others = others;
  }

  load(path: string): unknown {
    const loaded = this.#loaded.get(path);
    if (loaded !== undefined) return loaded.exports;
    const module = { exports: {} as unknown };
    this.#loaded.set(path, module);
    const load = (name: string): unknown =>
      name.startsWith('.') ? this.load(fileOf(join(dirname(path), name))) : this.#require(name);
    this.#bodyOf(path)(module.exports, load, module, this.hits);
    return module.exports;
  }

  #bodyOf(path: string): ModuleBody {
    const other = this.#others.get(path);
    if (other !== undefined) return this.#compile(path, other);
    const body = this.#compiled.get(path) ?? this.#compile(path, readFileSync(path, 'utf8'));
    this.#compiled.set(path, body);
    return body;
  }

  #compile(path: string, text: string): ModuleBody {
    const { code } = this.#transform(text, {
      loader: path.endsWith('.json') ? 'json' : 'ts',
      format: 'cjs',
      target: 'node20',
      define: { __dirname: JSON.stringify(dirname(path)) },
      tsconfigRaw: { compilerOptions: { useDefineForClassFields: false } },
    });
    return compileFunction(code, ['exports', 'require', 'module', HITS], { filename: path }) as ModuleBody;
  }
}

/** The file that an import names. */
function fileOf(path: string): string {
  for (const file of [path, `${path}.ts`, join(path, 'index.ts')])
    if (statSync(file, { throwIfNoEntry: false })?.isFile() === true) return file;
  throw new Error(`${path} is no module`);
}
