/**
 * Answers the requests of a log by both models, 2.2 over the text as it is and 2.4 over the rewrite, each kind of request once.
 * It counts nothing and reads no log.
 *
 * - `replay`: the kind of a request, remembered by all that its answer hangs on
 * - `kinds`: what both versions answer to a kind of request
 * - `open-facts`: what a log does not show, as alternatives
 * - `meeting`: the sections that a request meets, what they look at, and the answers there
 * - `directory-rules`: where the RewriteRule lines of directories lead
 * - `url-sorts`: which URLs lead to the same sections
 * - `servers-reaching`: which servers' requests come to a `.htaccess` file
 * - `routes`: which server answers a request, and which sections it may meet there
 */
export type { LoggedAccess } from './routes';
export { type AccessKind, type OpenFact, type ReplayedSection } from './kinds';
export { type ServersReaching, serversReaching } from './servers-reaching';
export { AccessReplay } from './replay';
