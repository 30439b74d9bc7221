export { expand } from './include-reader';
export { type LoadOptions, loadTree } from './load';
