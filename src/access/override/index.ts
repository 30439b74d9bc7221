export { Governor, allows, silences, splitUnread } from './governor';
export { NOTHING, overrideLists } from './overridelist';
export { lineAbove, unseenDirectory } from './unseen';
