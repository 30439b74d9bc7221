export { hasCounterpart } from './counterpart';
export { type AccessFinding, Findings, NOT_INCLUDED } from './findings';
export { moveGuards } from './moveguards';
export { LEANS_ON_OTHERS, forbidden, leansOnOthers, ownReason } from './reasons';
export { loginless } from './remarks';
export { convert, refuse, where } from './tell';
export type { World } from './world';
