export { judge } from './judge';
export type { Veto } from './types';

export { answerOf22, answerOf24, type JudgeClient, type Letter, MetSections } from './answer';
export { ALL_CLASSES, isKnown, Reader, type ReadVersion, type TextFile, uselessRequire } from './reading';
export {
  type AccessFile,
  documentRootOf,
  filenameOf,
  type JudgedSite,
  type MetOnWay,
  startsWith,
  wayOf,
} from './site';
export { globMatches, type Line, ReadError, Unreadable, everyLine, linesOf } from './text';
