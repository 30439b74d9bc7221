/**
 * What is asked about: requests that lead to each section, and the clients that send them.
 *
 * - `clients`: clients that the lines of sections tell apart
 * - `sample`: the places that are asked about, of more than all can be
 * - `targets`: URLs and files that lead to a section
 */
export { clientsFor } from './clients';
export { type AskedPlace, MAX_PLACES, ofEachText, sample, sampled, withTextOf } from './sample';
export { type JudgeTarget, type PlacedSection, Targets, hostsOf, sectionsOf } from './targets';
