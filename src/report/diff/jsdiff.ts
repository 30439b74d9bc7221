// The one door to jsdiff, so that it is evaluated only where there is something to show.
export { diffArrays, diffWordsWithSpace, formatPatch, OMIT_HEADERS } from 'diff';
