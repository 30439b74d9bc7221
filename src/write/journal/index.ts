export { type IndexChange, type IndexLeft, type IndexOps, reversed, withoutFiles } from './index-change';
export {
  type Contents,
  DamagedJournalError,
  filesInJournal,
  type Header,
  Journal,
  type JournalEntry,
  listNames,
  moveDirectory,
  openJournal,
  type OpenJournal,
  readHeader,
  removeDirectory,
  renameDirectory,
  syncParents,
} from './journal';
export { acquireLock, LockedError } from './lock';
export { findPlace, type Host, openPlace, type StateDirectory, statePlaces } from './place';
