export { expand, hasVariable } from './follow';
export { type LoadOptions, loadTree } from './load';
