import type { ConfigTree } from '../../config';
import type { Section } from '../../syntax';
import { collect, factsOf } from '../collect';
import { ScopeIndex, decider22, isUnsure, scopesRead, state22 } from '../models';
import { splitUnread } from '../override';
import { type Facts, type Scope, scopesInUse } from '../policy';
import { type RequestPlace, getOrInsert, memo } from '../primitives';
import { clientsFrom, conditionalSettings, valuesToTry } from '../verify';

/** A page that an ErrorDocument line names. */
export interface ErrorPage {
  /** Without a query. */
  readonly url: string;
  readonly status: '401' | '403';
  /** The virtual host that the line stands in; undefined for a line that holds for all. */
  readonly vhost: Section | undefined;
}

/** Virtual hosts that are asked about one page. */
const HOSTS = 20;

/** Clients that are tried to find one who is refused. */
const CLIENTS = 60;

/** What is known of the pages of one run: many files name pages in a few places. */
const pagesOf = memo((tree: ConfigTree) => {
  const collected = collect(tree);
  const { scopes, mapping } = collected;
  const { live, overrides } = splitUnread(scopesInUse(scopes, tree), mapping, tree);
  const [index, facts] = [new ScopeIndex(live), factsOf(collected, tree)];
  // By the sections that a page lies in.
  const refusals = new Map<string, ReadonlySet<string>>();
  return { mapping, files: overrides.files, index, facts, refusals };
});

/**
 * Whether 2.2 never showed an error page to somebody to whom 2.4 shows it: it is refused with the status that it is for, and lies
 * in a Location. Neither version asks a second time about an internal redirect that meets the very sections of the request
 * before, whatever became of that, but 2.2 took those of a Location for new ones each time (server/request.c:
 * ap_process_request_internal, ap_location_walk).
 */
export function isErrorPageRefused(tree: ConfigTree, { url, status, vhost }: ErrorPage): boolean {
  const { mapping, files, index, facts, refusals } = pagesOf(tree);
  const hosts = vhost === undefined ? mapping.hostsExcept().slice(0, HOSTS) : [vhost];
  return hosts.some((host) => {
    const filename = mapping.fileOf(host, url)?.filename;
    if (filename === undefined) return false;
    const target = { uri: url, filename };
    const met = index
      .met(target, host)
      .filter((scope) => files.isRead(scope, host) && !isUnsure(scope, target));
    const key = met.map(({ order }) => order).join(' ');
    const found = getOrInsert(refusals, key, () => refusalsAt(met, target, facts));
    return found.has(status === '401' ? 'U' : 'F');
  });
}

/** How some clients are refused that ask for a page in a Location. */
function refusalsAt(met: readonly Scope[], target: RequestPlace, facts: Facts): ReadonlySet<string> {
  const config = conditionalSettings(met)[0] ?? (() => true);
  const read = scopesRead(met, config, '2.2');
  if (!read.some(({ kind }) => kind === 'location')) return new Set();
  const state = state22(read, facts, config);
  const answer = decider22(state, facts);
  const clients = clientsFrom(valuesToTry([state], [undefined]), CLIENTS);
  return new Set(clients.map((client) => answer({ ...target, ...client, config })));
}
