export { type AccessFinding, Findings, NOT_INCLUDED, moveGuards } from './findings';
export { convert, refuse, where } from './messages';
export { LEANS_ON_OTHERS, forbidden, hasCounterpart, leansOnOthers, ownReason } from './reasons';
export { loginless } from './remarks';
export type { World } from './run-context';
