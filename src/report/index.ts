export {
  decode,
  encode,
  jsonBytes,
  jsonOfBytes,
  manyLines,
  octets,
  oneLine,
  plural,
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
export { markdownCode, type MarkdownOptions, markdownReport, markdownText } from './markdown';
export { jsonReport, type JsonOptions } from './json';
export { diffPath, unifiedDiff } from './diff';
export {
  type ContentOptions,
  type DescribedFinding,
  describeFinding,
  type RunSummary,
  summarize,
  failsRun,
  needsPerson,
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
export { sarifReport, type SarifOptions } from './sarif';
export { textReport, type TextOptions } from './terminal';
export { colourDiff, type SummaryOptions, summaryReport } from './terminal';
