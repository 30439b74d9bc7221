/** A lookup in a RewriteMap whose values are not known, where its value will stand in the text without lookups. */
export interface MapLookup {
  readonly at: number;
  readonly name: string;
  /** Whether what a client sends may come into the value: by a program, a database, or a default. */
  readonly repeats: boolean;
  /** What stands for what is not found, empty without a default. */
  readonly fallback: string;
}

/** A substitution without its lookups. httpd's own functions (`int:`) leave the key in the text. */
export interface TextAndLookups {
  readonly text: string;
  readonly lookups: readonly MapLookup[];
}

/** Reads the lookups of a substitution or of a condition. @param mapOf what stands behind the name of a map, in lower case */
export function lookupsIn(given: string, mapOf: (name: string) => string | undefined): TextAndLookups {
  const lookups: MapLookup[] = [];
  let text = '';
  let at = 0;
  for (const found of given.matchAll(/\$\{([^:{}]*):((?:[^{}]|\{[^{}]*\})*)\}/g)) {
    const [whole, name = '', inside = ''] = found;
    text += given.slice(at, found.index);
    at = found.index + whole.length;
    const source = mapOf(name);
    if (source === 'int:escape') continue;
    if (source?.startsWith('int:') === true) text += inside.replace('|', '');
    else
      lookups.push({
        at: text.length,
        name,
        repeats: !isText(source) || /\|.*[$%]/.test(inside),
        fallback: /\|(.*)/s.exec(inside)?.[1] ?? '',
      });
  }
  return { text: text + given.slice(at), lookups };
}

/** Whether a map's values are what its author wrote down. */
function isText(source: string | undefined): boolean {
  return /^(?:txt|rnd|dbm(?:=[^:]*)?):/.test(source ?? '');
}
