// In a file of its own, so that it is loaded only for a tar.
export { CollectedError, readCollected } from '../../collect';
