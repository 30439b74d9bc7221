export { applyFindings } from './apply';
export { type DualReason, dualReasonText, type Reason, reasonText } from './reasons';
