/**
 * Which directories a server's requests come to, whether any reach the main server, and where `.htaccess` files stand. It does
 * not read Order, Allow, Deny, Satisfy or Require.
 *
 * - `mapping`: `UrlMapping`, the way from URLs to directories
 * - `routes`: the lines that map URLs: Alias, ScriptAlias, UserDir
 * - `served`: what each server serves
 * - `rewrites`: RewriteRule lines
 * - `climbing`: substitutions that may lead upward in the file system
 * - `targets`: which directories a target covers
 * - `url-sets`: which URLs a pattern can be for
 * - `hosts-by-target`: which servers come to a directory
 * - `listening`: whether virtual hosts leave any request to the main server
 * - `host-names`: which names lead to a virtual host
 * - `tls`: which servers speak TLS
 * - `access-files`: where a `.htaccess` stands among the server's directories
 */
export { type AccessFilePlace, placeAccessFiles } from './access-files';
export { MAPPING, UrlMapping } from './mapping';
export * from './url-sets';
export {
  type Target,
  directoriesOnTheWay,
  directoriesReached,
  examplesOf,
  targetHolds,
  keyOf,
  reaches,
} from './targets';
export { type AnyServer, HostsByTarget } from './hosts-by-target';
export { type ListenAddress, addressOf } from './listening';
