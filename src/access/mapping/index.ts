export { type AccessFilePlace, placeAccessFiles } from './access-files';
export { Mapping } from './mapping';
