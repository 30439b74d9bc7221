export { colourDiff } from './colour-diff';
export { type PlanStage, planLine, textReport, type TextOptions } from './text';
