export { type AccessFilePlace, placeAccessFiles } from './access-files';
export { UrlMapping } from './mapping';
export { ALL_URLS, type UrlSet, pathStarts, startsMeet, urlsMatching, urlsMeet } from './url-sets';
export { type Target, directoriesOnTheWay, directoriesReached, examplesOf, keyOf, reaches } from './targets';
export { HostsByTarget } from './hosts-by-target';
export { type ListenAddress, addressOf } from './listening';
