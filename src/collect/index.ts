export { type CollectedServer, readCollected } from './collected';
export { convertedTar } from './converted';
export { CollectedError } from './error';
