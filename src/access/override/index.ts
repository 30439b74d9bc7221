export {
  AllowOverrideIndex,
  type OverrideState,
  type TreeOverrides,
  forReading,
  overrideIndexOf,
  overridesOf,
  statesByTerms,
} from './allow-override';
export {
  type FileReading,
  readingOf,
  type HtaccessDifference,
  argumentsDifference,
  htaccessDifference,
  takesOptions,
} from './htaccess-lines';
export { type OverrideReader, type OverridesInForce, allowsClass, allowsName, optionBits } from './in-force';
export {
  LIST_OF_NONE,
  type ListNeed,
  type OverrideList,
  needsList,
  overrideLists,
  sectionLetIn,
} from './override-lists';
export { maySay } from './refused';
export { splitUnreadFiles } from './split';
export { hasBothHalves, standingNeeds } from './standing-needs';
export { unseenDirectories } from './unseen';
export type { FilesByHost } from './files-by-host';
