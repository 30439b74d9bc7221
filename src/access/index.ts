export { hadAuthnDefault, isDeadRegex, isRunBy22, refusesEverybody } from './collect';
export { conditionUnder, guardedModule, missingGuardModule, parseHostSpec } from './policy';
export { overridesOf, requestsMayComeTo, takesOptions } from './override';
export {
  type AccessFinding,
  ASSUMPTION_KEYS,
  checkBlocks,
  checkRewrites,
  checkServed,
  differenceFindings,
  htaccessProblems,
  LOG_QUESTION,
  shutSections,
  strictSummary,
  WHO_GETS_IN,
} from './report';
export { blocksToKeep, lineShowing22, reportBlockDifferences, translateAccess } from './translate-tree';
export * from './subrequests';

export {
  type AccessView,
  accessBasis,
  accessView,
  type GroupView,
  type Inherited,
  type SectionView,
} from './view';
