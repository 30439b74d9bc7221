export { judge, type JudgedFinding, type JudgedResult, type Veto } from './judge';
export { answerOf22 } from './answer-22';
export { answerOf24 } from './answer-24';
export { type Line, ReadError, Unreadable, everyLine, linesOf } from './lines';
export { MetSections } from './met-sections';
export { isKnown, overrideByDefault, uselessRequire } from './override';
export { globMatches } from './patterns';
export { Reader, type ReadVersion, type TextFile } from './reader';
export type { JudgeClient, Letter } from './request';
export {
  type AccessFile,
  documentRootOf,
  filenameOf,
  type JudgedSite,
  startsWith,
  type MetOnWay,
  wayOf,
} from './walk';
