export { decode, encode, jsonOfBytes, manyLines, oneLine } from './display';
export { githubReport } from './github';
export { jsonReport, type JsonOptions } from './json';
export { diffPath } from './names';
export { needsPerson, NOTHING, type ReportedRun } from './order';
export { scriptReport } from './script';
export { sarifReport, type SarifOptions } from './sarif';
export { summaryLine, textReport, type TextOptions } from './text';
export { colourDiff, unifiedDiff } from './unified';
