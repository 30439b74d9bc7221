import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunResult } from '../../src/engine';
import { type AnswerChange, type Judged, TARGET_MODULES, judgeResult, kindOf } from '../shapes/judge';
import { type ShapeTree, requestText } from '../shapes/tree';
import type { resultOf } from './converted';
import { MutantModules } from './modules';
import { serversToConvert } from './trees';

/** A server that is converted without a mistake. */
export interface MeasuredServer {
  readonly name: string;
  readonly milliseconds: number;
  /** The numbers of the branches that its conversion runs. */
  readonly hits: readonly number[];
}

/** A server in which a mistake lets somebody in whom 2.2 refused. */
export interface Opening {
  readonly server: string;
  /** The first request, with what 2.2 answered. */
  readonly request: string;
  /** The first request that gets in where the judge has been asked; undefined where none does. */
  readonly stillOpen: string | undefined;
}

type Converter = { readonly resultOf: typeof resultOf };

const RULE = 'transforms/access/order-allow-deny.ts';

/** A judge that refuses nothing. */
const NOBODY = 'export const judge = () => ({ vetoes: [], asked: 0, answered: 0 });\n';

/**
 * Converts servers with a mistake in the tool, once with no judge and, where somebody gets in by that whom 2.2 refused, once with
 * it. Who gets in is asked of testing/plain, which takes nothing from the parts in which mistakes are made, and has requests of
 * its own.
 */
export class OpeningServers {
  readonly #root: string;
  readonly #goesOn: (milliseconds: number) => void;
  #modules: MutantModules;
  #servers: ReadonlyMap<string, ShapeTree> = new Map();
  /** What each server becomes without a mistake, and who gets in by that: authors let in some, and are told. */
  readonly #right = new Map<
    string,
    { readonly texts: string; readonly open: ReadonlySet<string>; readonly milliseconds: number }
  >();

  constructor(root: string, goesOn: (milliseconds: number) => void) {
    this.#root = root;
    this.#goesOn = goesOn;
    this.#modules = new MutantModules(root, 0);
  }

  /** @param texts of the parts in which mistakes are made, with notes of what of them runs */
  measure({
    seed,
    servers,
    texts,
    hitCount,
  }: {
    readonly seed: number;
    readonly servers: number;
    readonly texts: readonly (readonly [string, string])[];
    readonly hitCount: number;
  }): readonly MeasuredServer[] {
    const trees = serversToConvert(seed, servers);
    this.#servers = new Map(trees.map((tree) => [tree.name, tree]));
    this.#modules = new MutantModules(this.#root, hitCount);
    const converter = this.#load(new Map(texts));
    return trees.map((tree) => {
      this.#goesOn(10_000);
      this.#modules.hits.fill(0);
      const start = performance.now();
      const result = converter.resultOf(tree, TARGET_MODULES);
      const milliseconds = performance.now() - start;
      const hits = [...this.#modules.hits.keys()].filter((i) => this.#modules.hits[i] === 1);
      this.#right.set(tree.name, {
        texts: writtenBy(result),
        open: new Set(letIn(judgeResult(tree, result)).map(textOf)),
        milliseconds,
      });
      return { name: tree.name, milliseconds, hits };
    });
  }

  /**
   * @param texts of files with a mistake in them
   * @param unchecked the rule for access lines does not ask its own models, so that the judge alone stands in the way
   */
  openings({
    names,
    texts,
    unchecked,
  }: {
    readonly names: readonly string[];
    readonly texts: readonly (readonly [string, string])[];
    readonly unchecked: boolean;
  }): { readonly changed: number; readonly told: number; readonly openings: readonly Opening[] } {
    const mistakes = new Map(texts);
    if (unchecked) mistakes.set(...this.#withoutCheck());
    const unjudged = new Map([...mistakes, [join(this.#root, 'src/judge/index.ts'), NOBODY]]);
    const { changed, told, open } = this.#opened(names, unjudged);
    const still = open.size === 0 ? open : this.#opened([...open.keys()], mistakes).open;
    const openings = [...open].map(([server, request]) => ({
      server,
      request,
      stillOpen: still.get(server),
    }));
    return { changed, told, openings };
  }

  /** The servers in which somebody gets in, each with the first request. */
  #opened(
    names: readonly string[],
    texts: ReadonlyMap<string, string>,
  ): { readonly changed: number; readonly told: number; readonly open: ReadonlyMap<string, string> } {
    const open = new Map<string, string>();
    let [changed, told] = [0, 0];
    let converter: Converter;
    try {
      converter = this.#load(texts);
    } catch {
      return { changed, told, open };
    }
    for (const name of names) {
      const tree = this.#servers.get(name)!;
      const right = this.#right.get(name)!;
      this.#goesOn(right.milliseconds);
      const made = attempted(() => converter.resultOf(tree, TARGET_MODULES));
      if (made === undefined || writtenBy(made) === right.texts) continue;
      changed++;
      const judged = judgeResult(tree, made);
      const first = letIn(judged).find((change) => !right.open.has(textOf(change)));
      // An error at a file that has a part in it leaves the question to a person, and so does a run that says it has failed.
      if (first !== undefined && /^(?:refused|told|trouble)$/.test(judged.verdict)) told++;
      else if (first !== undefined) open.set(name, textOf(first));
    }
    return { changed, told, open };
  }

  /** The rule for access lines, which writes what it has decided without asking again. */
  #withoutCheck(): [string, string] {
    const path = join(this.#root, RULE);
    const text = readFileSync(path, 'utf8');
    const unchecked = text.replace(/^ *check: .*\n/m, '');
    if (unchecked === text) throw new Error(`${RULE} has no check`);
    return [path, unchecked];
  }

  #load(texts: ReadonlyMap<string, string>): Converter {
    this.#modules.reset(texts);
    return this.#modules.load(join(this.#root, 'testing/mutants/converted.ts')) as Converter;
  }
}

/** What throws writes nothing. */
function attempted(convert: () => RunResult): RunResult | undefined {
  try {
    return convert();
  } catch {
    return undefined;
  }
}

const writtenBy = ({ plan }: RunResult): string =>
  JSON.stringify(plan.map(({ file, text }) => [file.path, text]));

function letIn({ differences }: Judged): readonly AnswerChange[] {
  return differences.filter((change) => kindOf([change]) === 'opened');
}

function textOf({ request, before, setting }: AnswerChange): string {
  return `${requestText(request)}${setting === '' ? '' : ` (${setting})`}: ${before} in 2.2, P in 2.4`;
}
