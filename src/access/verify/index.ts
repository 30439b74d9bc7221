/**
 * Holds a rewrite against the original: asks both models the same requests and compares the answers. It looks only at how the
 * result reads, never at how it was made.
 *
 * - `check`: takes back the groups whose answers differ
 * - `compare`: goes through the sections, and has both models asked about each
 * - `first-difference`: asks both models about the sections that one request meets
 * - `distinct-settings`: the settings of conditionals that sections are asked under
 * - `source-model`: the model of the server that the configuration was for
 * - `section-choice`: which sections of a large run are asked about
 * - `surroundings`: what else a request meets beside the section in question
 * - `test-requests`: where a test request goes
 * - `clients`: which client sends it
 * - `host-pairs`: pairs of virtual hosts that the same request may reach
 * - `pattern-samples`: texts that a pattern matches
 * - `version-branches`: whether lines for 2.2 and lines for 2.4 say the same
 * - `newly-refused`: looks for a request that only the rewrite refuses
 */
export * from './check';
export { differencesWhereAbsent } from './compare';
export { distinctSettings } from './distinct-settings';
export { type AnswerDifference, firstDifference, isStricter } from './first-difference';
export * from './version-branches';
export { NewlyRefused } from './newly-refused';
export { sourceModel } from './source-model';
export { clientsFrom, isMadeUp, valuesToTry } from './clients';
export { HostsToAsk, globalScopes, neighbours } from './surroundings';
export { anyTargets, conditionalSettings, type RequestTarget, targetsFor } from './test-requests';
