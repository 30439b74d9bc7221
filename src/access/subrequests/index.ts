/**
 * What 2.2 asked again within one request, and 2.4 does not. The rules about these ask here; it changes no section.
 *
 * - `index-files`: sections that 2.2 asks again for an index file, where 2.4 does not
 * - `more-than-by-get`: index files in another directory, and programs, where a section for directories lets in less by GET
 * - `internal-redirects`: whether 2.2 asked about the URL that an internal redirect leads to
 * - `error-pages`: error pages that are refused themselves
 * - `directory-requests`: requests for a directory itself
 */
export { mayMeetOneOf } from './directory-requests';
export { isErrorPageRefused } from './error-pages';
export { type AskedAgain, sectionsAskedAgain } from './index-files';
export { asksAboutEachUrl } from './internal-redirects';
export { letsInMoreThanByGet, methodsForOtherIndex } from './more-than-by-get';
