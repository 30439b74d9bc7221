export type { AudienceAnswer, AudienceTable } from './data';
export { htmlReport, type HtmlOptions } from './page';
