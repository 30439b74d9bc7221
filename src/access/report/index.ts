export { blocksDiffer, checkRewrites } from './differences';
export { misplacedFindings, tellDeadLine, tellLineAbove, tellOld24 } from './lines';
export { type AccessFinding, Findings, moveGuards } from './findings';
export { convert, refuse } from './messages';
export { forbidden, hasCounterpart, leansOnOthers, ownReason } from './reasons';
export { type Refusal, refusalText, where } from './refusals';
export { loginless } from './remarks';
export type { World } from './run-context';
