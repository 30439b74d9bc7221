export { hashOf, isSame, type Item } from './item';
export { setTimes } from './new-file';
export { temporaryNames, type WriteContext, type WriteObserver, yieldToSignals } from './setting';
export { Transaction } from './transaction';
