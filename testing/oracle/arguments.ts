import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

export interface Arguments {
  readonly levels: readonly number[];
  readonly oracle: string;
  readonly trees: string;
  readonly compat: boolean;
  /** Convert for both versions. */
  readonly dual: boolean;
}

/** `--oracle DIR --trees DIR [--level N]... [--compat] [--dual]`; all four levels when none is named. */
export function readArguments(argv: readonly string[]): Arguments {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      level: { type: 'string', multiple: true, default: ['1', '2', '3', '4'] },
      oracle: { type: 'string' },
      trees: { type: 'string' },
      compat: { type: 'boolean', default: false },
      dual: { type: 'boolean', default: false },
    },
  });
  if (values.oracle === undefined || values.trees === undefined)
    throw new Error('--oracle DIR and --trees DIR are needed');
  return {
    levels: values.level.map(Number),
    oracle: resolve(values.oracle),
    trees: resolve(values.trees),
    compat: values.compat,
    dual: values.dual,
  };
}
