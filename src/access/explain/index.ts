export { type Audience, type AudienceRow, type AudienceUser, Audiences } from './audience';
export { type Explanation, explain } from './explain';
export type { Excerpt } from './deciding';
export type { AccessQuestion } from './question';
export type { Explained22, Step22, Step24 } from './steps';
export type { Site } from './virtual-host';
