/**
 * The name nearest to `given`; undefined where none is near. Of equally near ones the first.
 * @param most letters that may differ
 */
export function nearest(given: string, names: readonly string[], most: number): string | undefined {
  let best: string | undefined;
  let leastDistance = most + 1;
  for (const name of names) {
    const letters = distance(given.toLowerCase(), name.toLowerCase());
    if (letters < leastDistance) {
      leastDistance = letters;
      best = name;
    }
  }
  return best;
}

/**
 * `, did you mean 'x'?` for the name nearest to `given`; empty where none is near.
 * @param most letters that may differ
 */
export function suggest(
  given: string,
  names: readonly string[],
  most = Math.max(2, Math.floor(given.length / 3)),
): string {
  const best = nearest(given, names, most);
  const found = best ?? withWordBetween(given, names);
  return found === undefined ? '' : `, did you mean '${found}'?`;
}

/** The only name that is `given` with one more word in it, in any letter case: `SSLProxyCheckPeerName` for `SSLProxyPeerName`. */
function withWordBetween(given: string, names: readonly string[]): string | undefined {
  const key = given.toLowerCase();
  const found = names.filter((name) => {
    const more = name.length - key.length;
    if (more < 3 || more > 8 || key.length < 8) return false;
    const small = name.toLowerCase();
    let same = 0;
    while (same < key.length && small[same] === key[same]) same++;
    return same >= 3 && same < key.length && small.endsWith(key.slice(same));
  });
  return found.length === 1 ? found[0] : undefined;
}

/** Levenshtein's. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
