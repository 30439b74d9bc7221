/**
 * The page of `--format html`. Its script writes text nodes only, never markup.
 *
 * - `page`: the page as a whole
 * - `data`: what the page's script shows, as JSON
 * - `overview`: the first screen
 * - `access`: who got in before, and gets in after
 * - `client`: the script, the same for all runs
 * - `style`: the style sheet, the same for all runs
 * - `escape`: text as HTML
 */
export type { AudienceAnswer, AudienceTable } from './data';
export { CLIENT } from './client';
export { htmlReport, type HtmlOptions, plainPage, reportMarkup } from './page';
export { STYLE } from './style';
export { htmlOf } from './escape';
