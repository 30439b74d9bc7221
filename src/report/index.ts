export { decode, encode, manyLines, oneLine } from './display';
export { jsonReport, type JsonOptions } from './json';
export { diffPath } from './names';
export { needsPerson } from './order';
export { summaryLine, textReport, type TextOptions } from './text';
export { colourDiff, unifiedDiff } from './unified';
