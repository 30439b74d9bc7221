export { Governor, NOTHING, allows, overrideLists, silences, splitUnread } from './allow-override';
export { lineAbove, unseenDirectory } from './unseen';
