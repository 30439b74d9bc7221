export {
  AllowOverrideIndex,
  type OverrideState,
  forReading,
  overridesOf,
  splitUnreadFiles,
} from './allow-override';
export {
  type FileReading,
  type HtaccessDifference,
  htaccessDifference,
  takesOptions,
} from './htaccess-lines';
export { type OverridesInForce, allowsClass, optionBits } from './in-force';
export {
  LIST_OF_NONE,
  type ListNeed,
  type OverrideList,
  allowsName,
  overrideLists,
  sectionLetIn,
} from './override-lists';
export { hasBothHalves, standingNeeds } from './standing-needs';
export { lineAbove, unseenDirectory } from './unseen';
