export { expand } from './include-reader';
export { type LoadOptions, loadTree } from './load';
export { loadRereadable } from './read-again';
