export { colourDiff } from './colour-diff';
export { type SummaryOptions, summaryReport } from './summary';
export { type PlanStage, planLine, textReport, type TextOptions } from './text';
