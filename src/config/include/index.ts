export { expand, hasVariable } from './include-reader';
export { type LoadOptions, loadTree } from './load';
