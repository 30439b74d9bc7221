/**
 * One walk over the tree that files every line under its section, and what holds for the whole run. It does not decide who gets
 * in.
 *
 * - `collect`: the walk over all files
 * - `loaded-modules`: the LoadModule lines, and what they show of the server
 * - `lines`: reads each kind of access line
 * - `line-contexts`: what the sections around a line make of it, once for a body
 * - `override-lines`: AllowOverride and its like
 * - `own-lines`: whether lines for 2.4 stand in `.htaccess` files alone
 * - `included-lines`: lines that come by way of an Include
 * - `sections`: which sections access lines belong to
 * - `section-policy`: gathers what a section says
 * - `scope-builder`: makes the `Scope` of a section
 * - `slashes`: where 2.4 takes several slashes of a URL for one
 * - `ssl`: SSLRequireSSL, SSLVerifyClient and others of mod_ssl
 * - `templates`: lines that a template engine fills in
 * - `facts`: what holds for the whole run, such as the modules loaded
 * - `as-written`: the sections in which lines of both kinds meet, each as its author wrote it
 * - `filled-in`: what variables and templates stand for in host lists
 */
export { collectAsWritten } from './as-written';
export { type Collected, type MisplacedLine, type PerRequestLine, collect, isRunBy22 } from './collect';
export { factsOf, hadAuthnDefault } from './facts';
export { LINE_KEYS, needsCompat } from './lines';
export {
  SCOPES,
  awakesIn24,
  isDeadRegex,
  isNeverMetBy22,
  refusesEverybody,
  regexEdits,
  regexIn22,
  serverDirectory,
} from './sections';
export type { Slashes } from './slashes';
export { SslLines } from './ssl';
