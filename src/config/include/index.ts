export { expand } from './follow';
export { type LoadOptions, loadTree } from './load';
export { serversBelow } from './layout';
export { loadRereadable } from './read-again';
