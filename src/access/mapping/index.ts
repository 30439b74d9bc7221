export { Mapping } from './mapping';
export { placeAccessFiles } from './placing';
