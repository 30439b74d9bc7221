export { expand } from './follow';
export { templateKind } from './files';
export { type LoadOptions, loadTree } from './load';
export { serversBelow } from './layout';
export { loadRereadable } from './read-again';
