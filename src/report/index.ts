export {
  codeLine,
  decode,
  encode,
  jsonBytes,
  jsonOfBytes,
  manyLines,
  oneLine,
  plural,
  shownLine,
  shownText,
} from './encoding';
export { githubReport } from './github';
export { gitlabReport } from './gitlab';
export { leftReport, unmetReport } from './left';
export { junitReport } from './junit';
export {
  type AudienceAnswer,
  type AudienceTable,
  htmlOf as escapeHtml,
  CLIENT,
  htmlReport,
  type HtmlOptions,
  plainPage,
  reportMarkup,
  STYLE,
} from './html';
export { markdownCode, markdownReport, markdownText } from './markdown';
export { jsonReport } from './json';
export { diffPath, unifiedDiff } from './diff';
export {
  type ContentOptions,
  type DescribedFinding,
  describeFinding,
  type RunSummary,
  summarize,
  failsRun,
  isBlocker,
  needsPerson,
  placesText,
  placeText,
  type NextStep,
  NOTHING,
  notAppliedText,
  filesByPlace,
  logSummary,
  planLine,
  type PlanStage,
  type ReportedRun,
  sortedOutcomes,
} from './content';
export { scriptReport } from './script';
export { sarifReport } from './sarif';
export { textReport, type TextOptions } from './terminal';
export { colourDiff, summaryReport } from './terminal';
