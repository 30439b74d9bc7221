import { findDirective, isIn24, specIn24 } from './directives';
import { NEWEST, type Release } from './release';

/** Where a directive or section stands, as far as httpd's rules about places go. */
export interface DirectiveContext {
  /** Keys (lower case) of the sections around it, outermost first; conditionals that are decided while reading left out. */
  readonly sections: readonly string[];
  /** Set in a `.htaccess`. */
  readonly htaccess?: AllowedOverrides;
}

/** What AllowOverride and AllowOverrideList let a `.htaccess` say. */
export interface AllowedOverrides {
  /** Classes of directives, of the letters L (Limit), O (Options), F (FileInfo), A (AuthConfig), I (Indexes). */
  readonly classes: string;
  /** Names in lower case. */
  readonly names?: ReadonlySet<string>;
}

export type Verdict =
  /** This version does not know it: no module that it ships does. */
  | { readonly problem: 'unknown' }
  /** The version knows the name only to refuse it. */
  | { readonly problem: 'refused' }
  /** Not at this place; `inside` is the section that it is refused in, undefined for the server level or a `.htaccess`. */
  | { readonly problem: 'place'; readonly inside: string | undefined }
  /** Not with this number or kind of arguments; `takes` says what it takes. */
  | { readonly problem: 'arguments'; readonly takes: string };

export type Version = '2.2' | '2.4';

const SERVER = 'sOFI';
const DIRECTORY = 'dLOFAI';

/** What each section makes of the places allowed inside it (`cmd->override`); others change nothing. */
const INSIDE: Readonly<Record<string, string>> = {
  __proto__: null!,
  directory: DIRECTORY,
  directorymatch: DIRECTORY,
  location: DIRECTORY,
  locationmatch: DIRECTORY,
  proxy: `${DIRECTORY}p`,
  proxymatch: `${DIRECTORY}p`,
  authnprovideralias: 'Ad',
  authzprovideralias: 'Ad',
};

/** Sections that only widen what is allowed where no directory is set yet. */
const NARROWER = new Set(['files', 'filesmatch', 'if', 'elseif', 'else']);

const LIMITED = new Set(['limit', 'limitexcept']);

/** The sections that a letter of a command's own refusals names (`ap_check_cmd_context`); `c` is all of directory context. */
const REFUSED_IN: Readonly<Record<string, readonly string[]>> = {
  d: ['directory', 'directorymatch'],
  u: ['location', 'locationmatch'],
  f: ['files', 'filesmatch', 'if', 'elseif', 'else'],
  p: ['proxy', 'proxymatch'],
};

/**
 * Whether a version of httpd accepts a directive at a place with these arguments, assuming that all modules it ships are loaded
 * (server/config.c: invoke_cmd; server/core.c: ap_check_cmd_context). Checks that the directive's own function makes are not
 * included.
 * @param args reads the words, or undefined to leave the arguments out; names that no version ships are always accepted
 * @param release which 2.4
 * @returns undefined if it is accepted
 */
export function judge(
  name: string,
  context: DirectiveContext,
  args: (() => readonly string[]) | undefined,
  version: Version,
  release: Release = NEWEST,
): Verdict | undefined {
  const standing = findStanding(name, context, version, release);
  if (standing.kind === undefined || args === undefined) return standing.verdict;
  const takes = wantsOther(standing.kind, args, version);
  return takes === undefined ? undefined : { problem: 'arguments', takes };
}

/** The verdict on a directive at a place whatever its arguments are, or the `kind` by which to judge these. */
interface Standing {
  readonly verdict?: Verdict;
  readonly kind?: string;
}

/** Cached, because most lines of a configuration occur in many sections of the same kind. */
const standings = new WeakMap<
  DirectiveContext,
  Record<Version, Map<string, Standing>> & { readonly release: Release }
>();

function findStanding(name: string, context: DirectiveContext, version: Version, release: Release): Standing {
  let known = standings.get(context);
  if (known?.release !== release)
    standings.set(context, (known = { '2.2': new Map(), '2.4': new Map(), release }));
  let standing = known[version].get(name);
  if (standing === undefined)
    known[version].set(name, (standing = standingOf(name, context, version, release)));
  return standing;
}

/**
 * The form of a directive that {@link judge} accepts at this place. Most lines have it, and need not be parsed.
 * @returns true if every line is accepted; undefined if none is; else a sticky pattern, which must match the whole line from its
 * start
 */
export function soundLine(
  name: string,
  context: DirectiveContext,
  version: Version,
  release: Release = NEWEST,
): RegExp | true | undefined {
  const { kind, verdict } = findStanding(name, context, version, release);
  return verdict !== undefined ? undefined : kind === undefined ? true : soundOfKind(kind);
}

const soundByKind = new Map<string, RegExp | true>();

/** A word that is read as it stands, bare or in quotes, and is not empty. */
const WORD = String.raw`[ \t\v\f]+(?:[^ \t-\r"'\\][^ \t-\r\\]*|"[^"\\\r\n]+"(?![^ \t-\r]))`;

function soundOfKind(kind: string): RegExp | true {
  let sound = soundByKind.get(kind);
  if (sound === undefined) {
    const [least = '', most = least] = [kind.at(0), kind.at(-1)];
    const words =
      kind === 'f'
        ? String.raw`[ \t\v\f]+(?:on|off)(?:${WORD})*`
        : kind === 'i'
          ? `(?:${WORD})+`
          : kind === 'j'
            ? `(?:${WORD}){2,}`
            : kind === '13'
              ? `${WORD}(?:${WORD}${WORD})?`
              : /^[0-9]$/.test(least)
                ? `(?:${WORD}){${least},${most}}`
                : undefined;
    sound = words === undefined ? true : new RegExp(String.raw`[^ \t-\r"'\\]+${words}`, 'iy');
    soundByKind.set(kind, sound);
  }
  return sound;
}

function standingOf(name: string, context: DirectiveContext, version: Version, release: Release): Standing {
  const info = findDirective(name);
  if (info === undefined) return {};
  if (!(version === '2.2' ? info.owners22.length > 0 : isIn24(info, release)))
    return { verdict: { problem: 'unknown' } };
  const spec = version === '2.2' ? info.spec22 : specIn24(info, release);
  if (spec === undefined) return {};
  const { kind, places, limits } = partsOfSpec(spec);
  if (kind === '!') return { verdict: { problem: 'refused' } };
  const misplaced =
    outOfPlace(name.toLowerCase(), places, context) ?? limitedHere(limits, places, context, version);
  if (misplaced !== undefined) return { verdict: { problem: 'place', inside: misplaced || undefined } };
  return { kind };
}

interface Parts {
  readonly kind: string;
  /** With `*` written out. */
  readonly places: string;
  readonly limits: string;
}

const parts = new Map<string, Parts>();

function partsOfSpec(spec: string): Parts {
  let known = parts.get(spec);
  if (known === undefined) {
    const [, kind = '', places = '', limits = ''] = /^(\d+|[a-z!]?)([a-zA-Z*]*)(?:-(.*))?$/.exec(spec) ?? [];
    parts.set(spec, (known = { kind, places: places.replace('*', 'LOFAI'), limits }));
  }
  return known;
}

/** The section in which a directive of these places may not stand; '' for the server level or a `.htaccess`. */
function outOfPlace(
  key: string,
  places: string,
  { sections, htaccess }: DirectiveContext,
): string | undefined {
  if (htaccess?.names?.has(key) === true) return undefined;
  const outside = htaccess === undefined ? SERVER : htaccess.classes;
  let allowed = outside;
  let inside = '';
  let path = htaccess !== undefined;
  for (const section of sections) {
    const now = INSIDE[section] ?? (NARROWER.has(section) && !path ? DIRECTORY : undefined);
    if (section in INSIDE || NARROWER.has(section)) path = true;
    if (now === undefined) continue;
    allowed = now;
    inside = section;
  }
  // What httpd does while it reads is done before any section is.
  if (places.includes('x')) allowed = outside;
  return places.split('').some((place) => allowed.includes(place)) ? undefined : inside;
}

function limitedHere(
  limits: string,
  places: string,
  context: DirectiveContext,
  version: Version,
): string | undefined {
  const { sections, htaccess } = context;
  if (limits === '') return undefined;
  const letters = limits.replace(/[gc]/g, (letter) => (letter === 'g' ? 'vlduf' : 'lduf'));
  const refusedPlaces = version === '2.4' && /[gc]/.test(limits) ? `${letters}p` : letters;
  if (refusedPlaces.includes('v') && sections.includes('virtualhost') && !places.includes('x'))
    return 'virtualhost';
  const limit = sections.find((section) => LIMITED.has(section));
  if (limit !== undefined && (version === '2.4' ? /[lduf]/ : /l/).test(refusedPlaces)) return limit;
  if (htaccess !== undefined && (refusedPlaces.includes('h') || /d.*f.*u|duf/.test(refusedPlaces))) return '';
  if (places.includes('x')) return undefined;
  const refused = new Set(refusedPlaces.split('').flatMap((letter) => REFUSED_IN[letter] ?? []));
  return sections.find((section) => refused.has(section));
}

function isFlag(word: string): boolean {
  const key = word.toLowerCase();
  return key === 'on' || key === 'off';
}

const ZERO = 48;
const NUMBERS = ['no', 'one', 'two', 'three'];

/** What a command of this kind takes, where these words are not that. An empty word ends the list (ap_getword_conf). */
function wantsOther(kind: string, read: () => readonly string[], version: Version): string | undefined {
  if (kind === 'r' || kind === 'v') return undefined;
  const args = read();
  if (args.some((arg) => arg.includes('${'))) return undefined;
  const empty = args.indexOf('');
  const count = empty < 0 ? args.length : empty;
  switch (kind) {
    case 'f':
      return isFlag(args[0] ?? '') ? undefined : 'On or Off';
    case 'i':
      return version === '2.2' || count >= 1 ? undefined : 'at least one argument';
    case 'j':
      return count >= 1 && args.length >= 2 ? undefined : 'at least two arguments';
    default: {
      const least = kind.charCodeAt(0) - ZERO;
      // Else the kind is a letter, or none.
      if (!(least >= 0 && least <= 9)) return undefined;
      const most = kind.charCodeAt(kind.length - 1) - ZERO;
      if (count >= least && args.length <= most && (kind !== '13' || count !== 2)) return undefined;
      const numbers = kind.split('').map(Number);
      const words = numbers.map((number) => NUMBERS[number]!);
      const last = words.pop()!;
      const list = words.length === 0 ? last : `${words.join(', ')} or ${last}`;
      return `${list} argument${most === 1 ? '' : 's'}`;
    }
  }
}
