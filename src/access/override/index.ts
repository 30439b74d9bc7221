export {
  AllowOverrideIndex,
  LIST_OF_NONE,
  allowsClass,
  ignoresFile,
  overrideLists,
  splitUnreadFiles,
} from './allow-override';
export { lineAbove, unseenDirectory } from './unseen';
export type { FilesByHost } from './files-by-host';
