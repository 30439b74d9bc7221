import { findsPattern } from '../../regex';
import type { Directive, Section } from '../../syntax';
import { type VariableSources, mayClimb } from './climbing';
import { pathStarts } from './url-sets';
import { getOrInsert } from '../primitives';

interface Rule extends VariableSources {
  readonly substitution: string;
  /** The flags of the rule by their short names, without their values. */
  readonly flags: ReadonlySet<string>;
}

/** The lines of mod_rewrite of one server. */
interface HostRewrites {
  readonly rules: Rule[];
  /** The RewriteCond lines that no rule has followed yet. */
  conditions: Directive[];
  /** RewriteOptions inherit: the rules of the main server are its own too. */
  inherits: boolean;
}

/** What the rules of one server can make of URLs (mod_rewrite.c: hook_uri2file). */
export interface RewrittenUrls {
  /** What the URL as asked begins with. */
  readonly url: string;
  readonly substitution: string;
  /** `PT`: the result is looked up as a URL again. */
  readonly passedThrough: boolean;
}

export const REWRITING = new Set('rewriterule rewritecond rewritemap rewriteoptions'.split(' '));

/** The lines of mod_rewrite at server level: those of the main server and of each virtual host. */
export class RewriteLines {
  readonly #byHost = new Map<Section | undefined, HostRewrites>();
  /** RewriteMaps of `int:unescape`, by their names in lower case. */
  readonly #unescapingMaps = new Set<string>();

  /** Takes note of a line of mod_rewrite; all of them, before anything is asked. */
  add(node: Directive, vhost: Section | undefined): void {
    const words = node.args.map(({ value }) => value);
    if (node.key === 'rewritemap') {
      const [name = '', source = ''] = words.map((word) => word.toLowerCase());
      if (source === 'int:unescape') this.#unescapingMaps.add(name);
      return;
    }
    const host = getOrInsert(this.#byHost, vhost, () => ({ rules: [], conditions: [], inherits: false }));
    if (node.key === 'rewritecond') host.conditions.push(node);
    else if (node.key === 'rewriteoptions')
      host.inherits ||= words.some((word) => word.toLowerCase().startsWith('inherit'));
    else {
      const [pattern = '', substitution = '', flags = ''] = words;
      const { conditions } = host;
      const unescapes = (map: string): boolean => this.#unescapingMaps.has(map);
      host.rules.push({ pattern, substitution, flags: flagsOf(flags), conditions, unescapes });
      host.conditions = [];
    }
  }

  /** Whether RewriteRule lines of a server, or those that it takes from the main one, may lead a URL elsewhere. */
  has(vhost: Section | undefined): boolean {
    return this.#rulesOf(vhost).length > 0;
  }

  /** Whether a rule of any server makes a proxied request of one. */
  get proxies(): boolean {
    return [...this.#byHost.values()].some(({ rules }) => rules.some(({ flags }) => flags.has('P')));
  }

  /** The patterns of the rules of a server that a URL matches, or may match. */
  patternsFor(vhost: Section | undefined, url: string): string[] {
    return this.#rulesOf(vhost).flatMap((rule) => (mayMatch(rule, url) ? [rule.pattern] : []));
  }

  /**
   * What each rule of a server that leads elsewhere makes of which URLs: a rule also sees what the rules before it have made.
   * Undefined where what they make is not followed.
   */
  rewritten(vhost: Section | undefined): readonly RewrittenUrls[] | undefined {
    const rules = this.#rulesOf(vhost);
    return isNotFollowed(rules) ? undefined : rewrittenUrls(rules);
  }

  /** The rules in force: those of the main server only where it is asked for (mod_rewrite.c: config_server_merge). */
  #rulesOf(vhost: Section | undefined): readonly Rule[] {
    const { rules = [], inherits = false } = this.#byHost.get(vhost) ?? {};
    return vhost !== undefined && inherits ? [...rules, ...this.#rulesOf(undefined)] : rules;
  }
}

function mayMatch({ pattern, flags }: Rule, url: string): boolean {
  const isNegated = pattern.startsWith('!');
  return findsPattern(isNegated ? pattern.slice(1) : pattern, url, flags.has('NC')) !== isNegated;
}

/** A single letter is a drive. */
const SCHEME = /^[a-z]{2,}:(\/\/[^/]*)?/i;

/** A rule that more URLs than these lead to is taken to see all. */
const MAX_URLS = 20;

function rewrittenUrls(rules: readonly Rule[]): readonly RewrittenUrls[] {
  const found: (RewrittenUrls & { readonly start: string })[] = [];
  for (const rule of rules) {
    if (!leadsToPath(rule)) continue;
    const { pattern, substitution: written, flags } = rule;
    // A URL of the server itself is looked up as its path (reduce_uri). One without a host, or for no web server, is sent to
    // the client.
    const scheme = SCHEME.exec(written);
    if (scheme !== null && (scheme[1] === undefined || !/^https?:/i.test(written))) continue;
    const path = scheme === null ? written : written.slice(scheme[0].length) || '/';
    // The query is taken off before anything is looked up (splitout_queryargs).
    const substitution = path.replace(/\?.*/s, '');
    const starts = pattern.startsWith('!') ? [''] : pathStarts(pattern);
    const passedThrough = flags.has('PT');
    const made = /^[^$%]*/.exec(substitution)![0].toLowerCase();
    const urls = new Set(starts);
    const small = starts.map((start) => start.toLowerCase());
    for (const { url, start } of found) {
      if (urls.has('') || urls.size > MAX_URLS) break;
      if (small.some((begins) => start.startsWith(begins) || begins.startsWith(start))) urls.add(url);
    }
    for (const url of urls.has('') || urls.size > MAX_URLS ? [''] : urls)
      found.push({ url, substitution, passedThrough, start: made });
  }
  return found;
}

/** Whether a rule may make a path of a URL, not a redirect, a proxy's or a refusal (mod_rewrite.c: fully_qualify_uri). */
function leadsToPath({ substitution, flags }: Rule): boolean {
  return substitution !== '-' && !['F', 'G', 'P', 'R'].some((flag) => flags.has(flag));
}

/**
 * Whether what rules make of URLs is not followed: one begins anew with the first, a text has escapes or is no URL path, or one
 * that is not the last leaves a URL with its scheme to those behind it, or leads to where the client wants.
 */
function isNotFollowed(rules: readonly Rule[]): boolean {
  let lastToSee: number | undefined;
  return rules.some((rule, i) => {
    const { substitution, flags } = rule;
    if (flags.has('N')) return true;
    if (substitution === '-' || ['F', 'G', 'P'].some((flag) => flags.has(flag))) return false;
    if (flags.has('R') || SCHEME.test(substitution))
      return !flags.has('L') && i < (lastToSee ??= rules.findLastIndex(seesUrls));
    return (
      substitution.includes('\\') ||
      !/^(?:[/$%]|$)/.test(substitution) ||
      substitution.startsWith('/~') ||
      mayClimb(substitution, rule)
    );
  });
}

/** Whether a rule may match a URL with its scheme and make a path of it. */
function seesUrls(rule: Rule): boolean {
  const { pattern } = rule;
  return (
    leadsToPath(rule) &&
    (pattern.startsWith('!') || pathStarts(pattern).some((start) => !start.startsWith('/')))
  );
}

const FLAG_NAMES = new Map([
  ['redirect', 'R'], ['forbidden', 'F'], ['gone', 'G'], ['proxy', 'P'], ['passthrough', 'PT'], ['nocase', 'NC'], ['next', 'N'], ['last', 'L'], ['end', 'L'],
]); // prettier-ignore

function flagsOf(text: string): ReadonlySet<string> {
  const words = text.replace(/^\[|\]$/g, '').split(',');
  return new Set(
    words.map((word) => {
      const name = word.replace(/=.*/s, '').replace(/[ \t]+/g, '');
      return FLAG_NAMES.get(name.toLowerCase()) ?? name.toUpperCase();
    }),
  );
}
