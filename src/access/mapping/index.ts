export { type AccessFilePlace, placeAccessFiles } from './access-files';
export { UrlMapping } from './mapping';
