/**
 * What a request has met before it comes to a section, and which sections one request can meet. It does not ask how a decision
 * is written.
 *
 * - `inherited-states`: the states that a request can be in before a section
 * - `state-merge`: merges a section into such states
 * - `state-set`: states that differ only in what a section replaces, as one
 * - `least-ways`: how many ways there are at least past sections, without following any
 * - `merge-order`: in which order sections are merged
 * - `locations`: Location sections by the URLs that they are for
 * - `servers-by-host`: the sections of each virtual host
 * - `alike-servers`: servers whose requests have met the same at a place, of which one is asked
 * - `meeting`: groups of sections that one request can meet
 * - `wanted-reading`: which reading a person has asked for where lines of both kinds meet
 */
export { InheritedStates, type StatesByDirectory } from './inherited-states';
export { LeastWays } from './least-ways';
export { LocationsByUrl, mayMeetLocation, urlsOf } from './locations';
export * from './meeting';
export { StateSet } from './state-set';
export * from './wanted-reading';
