import type { ConfigTree } from '../../config';
import type { Section } from '../../syntax';
import { collect, factsOf } from '../collect';
import { ScopeIndex, decide22, isUnsure, placedScopes, scopesRead, state22 } from '../models';
import { splitUnreadFiles } from '../override';
import { includedScopes } from '../policy';
import { clientsFrom, valuesToTry } from './clients';
import { conditionalSettings } from './test-requests';

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

/**
 * Whether 2.2 never showed an error page to somebody to whom 2.4 shows it: it is refused with the status that it is for, and lies in a
 * Location. Neither version asks a second time about an internal redirect that meets the very sections of the request before, whatever became of
 * that, but 2.2 took those of a Location for new ones each time (server/request.c: ap_process_request_internal, ap_location_walk).
 */
export function isErrorPageRefused(tree: ConfigTree, { url, status, vhost }: ErrorPage): boolean {
  const collected = collect(tree);
  const facts = factsOf(collected, tree);
  if (facts.reading !== '2.2') return false;
  const { mapping } = collected;
  const { live, overrides } = splitUnreadFiles(includedScopes(collected.scopes), mapping, tree);
  const index = new ScopeIndex(live);
  const hosts = vhost === undefined ? mapping.hostsExcept(new Set()) : [vhost];
  return hosts.slice(0, HOSTS).some((host) => {
    const filename = mapping.fileOf(host, url)?.filename;
    if (filename === undefined) return false;
    const target = { uri: url, filename };
    const met = placedScopes(index.candidates(target, host), target).filter(
      (scope) => overrides.files.isRead(scope, host) && !isUnsure(scope, target),
    );
    const config = conditionalSettings(met)[0] ?? (() => true);
    const read = scopesRead(met, config, '2.2');
    if (!read.some(({ kind }) => kind === 'location')) return false;
    const state = state22(read, facts, config);
    const refusal = status === '401' ? 'U' : 'F';
    return clientsFrom(valuesToTry([state], [undefined]), CLIENTS).some(
      (client) => decide22(state, facts, { ...target, ...client, config }) === refusal,
    );
  });
}
