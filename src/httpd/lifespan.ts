import { type LifeSpan, type Release, livesIn } from './release';
import {
  directiveSpans,
  earlierSpecs,
  functionSpans,
  moduleSpans,
  providerSpans,
  variableSpans,
} from './since';

/** The kinds of names that not every release of 2.4 knows. */
export type NameKind = 'directive' | 'module' | 'function' | 'variable' | 'provider';

const TABLES: Readonly<Record<NameKind, string>> = {
  directive: directiveSpans,
  module: moduleSpans,
  function: functionSpans,
  variable: variableSpans,
  provider: providerSpans,
};

const read = new Map<NameKind, ReadonlyMap<string, LifeSpan>>();

const ALWAYS: LifeSpan = {};

/**
 * The releases of 2.4 that know a name, of those that 2.4 knows at all.
 * @param name a directive or section in any letter case, a module without `_module`, a function or unary operator (`-ipmatch`) or
 * a variable of ap_expr, what Require asks; the last four as httpd spells them, but for the letter case of variables
 */
export function lifeSpanOf(kind: NameKind, name: string): LifeSpan {
  let spans = read.get(kind);
  if (spans === undefined) read.set(kind, (spans = readSpans(TABLES[kind])));
  return spans.get(name.toLowerCase()) ?? ALWAYS;
}

/** Whether a release of 2.4 knows a name, of those that 2.4 knows at all. */
export function isKnownIn(kind: NameKind, name: string, release: Release): boolean {
  return livesIn(lifeSpanOf(kind, name), release);
}

/** All names that some releases lack, in lower case. */
export function namesWithSpan(kind: NameKind): Iterable<string> {
  return readSpans(TABLES[kind]).keys();
}

/** A line begins with `since-until:`, an empty side being the first or the last release; sections are written with a `<`. */
function readSpans(table: string): ReadonlyMap<string, LifeSpan> {
  const spans = new Map<string, LifeSpan>();
  let span = ALWAYS;
  for (const word of words(table)) {
    const [, since, until] = /^(\d*)-(\d*):$/.exec(word) ?? [];
    const key = word.replace('<', '').toLowerCase();
    // A section may have come later than the directive of its name, and what is known of both is what is known of the name.
    if (since === undefined) {
      if (!spans.has(key)) spans.set(key, span);
    } else span = { ...(since && { since: Number(since) }), ...(until && { until: Number(until) }) };
  }
  return spans;
}

let earlier: ReadonlyMap<string, readonly (readonly [until: Release, spec: string])[]> | undefined;

/**
 * How a release takes a directive, where that is not how the newest one does, in the code of the table of directives.
 * @param key its name in lower case
 */
export function earlierSpec(key: string, release: Release): string | undefined {
  earlier ??= readEarlier();
  return earlier.get(key)?.find(([until]) => release <= until)?.[1];
}

function readEarlier(): NonNullable<typeof earlier> {
  const found = new Map<string, [Release, string][]>();
  let until = 0;
  for (const word of words(earlierSpecs)) {
    const [name = '', spec] = word.split('=');
    const key = name.replace('<', '').toLowerCase();
    if (spec === undefined) until = Number.parseInt(name, 10);
    else found.set(key, [...(found.get(key) ?? []), [until, spec]]);
  }
  return found;
}

function words(table: string): string[] {
  return table.split(/[ \n]+/).filter((word) => word !== '');
}
