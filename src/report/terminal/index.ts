/**
 * The report for people, on standard error.
 *
 * - `text`: the report
 * - `summary`: the tables of `--summary`
 * - `short-names`: a directory that all names have in common, named once
 * - `layout`: lines cut or wrapped to the width of the terminal
 * - `colour-diff`: the diff in colours
 */
export { colourDiff } from './colour-diff';
export { summaryReport } from './summary';
export { textReport, type TextOptions } from './text';
