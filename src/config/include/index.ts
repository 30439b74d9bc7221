export { expand, hasVariable } from './expand';
export { type LoadOptions, loadTree } from './load';
