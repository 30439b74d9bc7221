import { requireHttpd } from '../httpd/binary';
import type { Asked } from './requests';
import { type SitePlaces, siteFiles, siteTexts, WWW_LOG } from './sites';

/** What is at a path: a text, or a link. */
export type Content = string | { readonly link: string };

/** Absolute path → what is there. */
export type MachineFiles = ReadonlyMap<string, Content>;

/** A system with packages of httpd: how it was laid out with 2.2, and is with 2.4. */
export interface Platform {
  readonly places: SitePlaces;
  /** The files of the system as installed with 2.2. */
  readonly old: MachineFiles;
  /** What an administrator makes there for a site. */
  readonly site: (name: string, text: string) => readonly (readonly [path: string, content: Content])[];
  /** The files of the system as installed with 2.4. */
  readonly new: MachineFiles;
  /** The main file of 2.2. */
  readonly main22: string;
  /** The main file of 2.4. */
  readonly main24: string;
  /** Where 2.4 has its modules. */
  readonly modules?: string;
  /** Shell commands that its control program of 2.4 runs before httpd; `options` holds what httpd is given then. */
  readonly control?: string;
  /** What the platform is asked beside what all are asked. */
  readonly requests: readonly Asked[];
}

/** The old server with three sites. */
export function withSites({ places, old, site }: Platform): MachineFiles {
  return new Map([
    ...old,
    ...siteTexts(places).flatMap(([name, text]) => site(name, text)),
    ...siteFiles(places),
    ...(places.logDirectory === undefined
      ? []
      : [[`${places.logDirectory}/www-access.log`, WWW_LOG] as const]),
  ]);
}

/** The LoadModule lines of a platform's 2.4, of which this machine's httpd may have some compiled in. */
export function loadLines(names: readonly string[], directory: string): readonly string[] {
  const { statics } = requireHttpd();
  return names.flatMap((name) =>
    statics.has(name) ? [] : [`LoadModule ${name}_module ${directory}/mod_${name}.so`],
  );
}

/** What 2.4 has at least, whoever packs it. */
export const BASE_24 =
  'actions alias allowmethods auth_basic authn_anon authn_core authn_dbm authn_file authz_core authz_dbm authz_groupfile authz_host authz_owner authz_user autoindex cgi dir env expires filter headers include log_config logio mime negotiation reqtimeout rewrite setenvif socache_shmcb ssl status unixd userdir version vhost_alias'.split(
    ' ',
  );
