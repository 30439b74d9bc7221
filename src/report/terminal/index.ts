export { colourDiff } from './colour-diff';
export { type SummaryOptions, summaryReport } from './summary';
export { textReport, type TextOptions } from './text';
