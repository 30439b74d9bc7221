export { expand } from './follow';
export { templateKind } from './files';
export { type LoadOptions, loadTree } from './load';
export { isSpareAccessFile, serversBelow } from './layout';
export { loadRereadable } from './read-again';
