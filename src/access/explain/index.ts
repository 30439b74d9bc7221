export { type Explanation, explain } from './explain';
export type { Question } from './question';
export type { Before, Step22, Step24 } from './steps';
