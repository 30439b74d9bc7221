/**
 * What is asked about: requests that lead to each section, and the clients that send them.
 *
 * - `clients`: clients that the lines of sections tell apart
 * - `targets`: URLs and files that lead to a section
 */
export { clientsFor } from './clients';
export { type JudgeTarget, type PlacedSection, Targets, hostsOf, sectionsOf } from './targets';
