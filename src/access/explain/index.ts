export { type Explanation, explain } from './explain';
export type { Before, Step22, Step24 } from './explainsides';
export type { Question } from './question';
