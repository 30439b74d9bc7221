/** A directory with a name longer than this is named once, at the head of the report. */
const LONGEST = 20;

/** Shortens names below one directory, which the reader is told of once. */
export interface ShortNames {
  /** The name of that directory; undefined where names stay as they are. A byte string. */
  readonly below: string | undefined;
  /** A text of the report with the short names. */
  shorten(text: string): string;
}

export const WHOLE_NAMES: ShortNames = { below: undefined, shorten: (text) => text };

/** @param names of files of a run: the directory that they share stands for nothing that a reader looks for */
export function shortNames(names: readonly string[]): ShortNames {
  const below = commonDirectory(names);
  if (below.length <= LONGEST) return WHOLE_NAMES;
  const head = `${below}/`;
  return {
    below,
    shorten: (text) =>
      text.split(head).reduce((done, part) => done + (/[^ ,;:()'"=]$/.test(done) ? head : '') + part),
  };
}

function commonDirectory([first = '', ...others]: readonly string[]): string {
  let common = first.slice(0, Math.max(0, first.lastIndexOf('/')));
  for (const name of others)
    while (common !== '' && !name.startsWith(`${common}/`))
      common = common.slice(0, Math.max(0, common.lastIndexOf('/')));
  return common;
}
