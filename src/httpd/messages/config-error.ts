import { configErrors } from './config-errors';
import { moduleOf } from './log-message';

/** An error with which 2.4 refuses a line of the configuration, as its sources have it. */
export interface ConfigError {
  /** The module whose function refuses the line, without `mod_`; `core` for the server itself. */
  readonly module: string;
  /** `modules/aaa/mod_authz_core.c:1000`, in the sources of 2.4.62. */
  readonly source: string;
}

interface ErrorRow extends ConfigError {
  readonly pattern: RegExp;
}

/** What is filled into a message has no more characters, for most messages far fewer. */
const FILLED = '.{0,300}?';

let parsed: readonly ErrorRow[] | undefined;

/** Finds the error of the reader of configurations that a line says; of several the one with the longest text. */
export function configError(line: string): ConfigError | undefined {
  return (parsed ??= parse()).find(({ pattern }) => pattern.test(line));
}

function parse(): ErrorRow[] {
  let file = '';
  const rows: { row: ErrorRow; letters: number }[] = [];
  for (const line of configErrors.trim().split(/\n| \|\|/)) {
    const [, at, text] = /^ (\d*) (.*)$/.exec(line) ?? [];
    if (at === undefined || text === undefined) file = line;
    else {
      const said = text.replace(/^[%\W]+|[%\W]+$/g, '');
      // The name of a directive alone is in other lines as well.
      const literals = (/^\w+$/.test(said) ? text.replace(/^%+|%+$/g, '') : said).split('%');
      const pattern = new RegExp(
        literals.map((part) => part.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')).join(FILLED),
      );
      rows.push({
        row: { module: moduleOf(file), source: at === '' ? file : `${file}:${at}`, pattern },
        letters: literals.join('').length,
      });
    }
  }
  return rows.sort((a, b) => b.letters - a.letters).map(({ row }) => row);
}
