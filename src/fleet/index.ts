/**
 * The reports of many hosts as one: what a merge says of a fleet. It reads reports in JSON, and no configuration.
 *
 * - `host`: the report of one host, as far as a merge needs it
 * - `merge`: all of them: groups, questions, drift, progress
 * - `page`: the merge as an HTML page
 * - `markdown`: the merge as Markdown
 * - `words`: what a state is called
 * - `types`: what a merge knows
 */
export { hostOf } from './host';
export { fleetMarkdown } from './markdown';
export { mergeHosts } from './merge';
export { fleetPage } from './page';
export { type FleetReport, HOST_STATUSES, type HostReport } from './types';
