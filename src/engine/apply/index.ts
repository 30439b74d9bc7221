/**
 * Decides which findings' edits are applied, says why others are not, and makes the new texts.
 *
 * - `apply`: all edits of a finding and its group, or none
 * - `overlaps`: of two findings that overlap, the later one gives way
 * - `emptied-sections`: removes conditionals that the edits leave empty
 * - `reasons`: why edits are not applied
 */
export { applyFindings } from './apply';
export { type DualReason, dualReasonText, type Reason, reasonText } from './reasons';
