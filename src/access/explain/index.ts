export { type Explanation, explain } from './explain';
export { type AccessView, type GroupView, type Inherited, type SectionView, accessView } from './inheritance';
export type { Question } from './question';
export type { Before, Step22, Step24 } from './steps';
