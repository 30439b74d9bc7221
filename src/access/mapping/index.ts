export { placeAccessFiles } from './access-files';
export { Mapping } from './mapping';
