/**
 * What a write records before it touches a file, where that is kept, and the lock on it.
 *
 * - `journal`: the journal of one write
 * - `place`: finds, checks and holds open the directory of journals, for all who read or write there
 * - `lock`: one write at a time
 * - `index-change`: changes of git's index, which belong to the write
 */
export {
  type IndexChange,
  type UnrevertedEntry,
  type IndexOps,
  reversed,
  withoutFiles,
} from './index-change';
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
