/**
 * Explains one request section by section, as each version decides it. Only `--explain` and the room `replay` need it.
 *
 * - `explain`: the explanation of one request, and what its answer depends on that the run has not seen
 * - `answering`: what both versions answer for the sections that a request meets
 * - `audience`: the table of who gets in, and the clients that it asks about
 * - `deciding`: the lines that decide, with some lines around them
 * - `question`: the request that a person describes, and the place it leads to
 * - `sections-read`: the sections that requests can meet, to be looked up
 * - `steps`: what each version has merged after each section
 * - `variables`: what SetEnvIf and BrowserMatch set for a request
 * - `virtual-host`: which server answers the request
 */
export { type Answering, type VersionAnswering, answeringAt } from './answering';
export { type Audience, type AudienceRow, type AudienceUser, Audiences } from './audience';
export { type Explanation, explain } from './explain';
export type { Excerpt } from './deciding';
export type { AccessQuestion } from './question';
export type { Explained22, Step22, Step24 } from './steps';
export { fileOfUrl, placedIn } from './question';
export { SectionsOfBoth, directoriesOpened, inUse, metBy, saysSomething } from './sections-read';
export { type RequestVariables, variableReader } from './variables';
export { type Site, findHost, hostForSite } from './virtual-host';
