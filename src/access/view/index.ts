export { accessBasis } from './basis';
export { type AccessView, type GroupView, type Inherited, type SectionView, accessView } from './inheritance';
export { type ConfigLine, linesOf22, linesOfCompat, placeOf } from './section-lines';
