/**
 * Replaces files, in steps that each can be taken back.
 *
 * - `transaction`: the steps in their order
 * - `item`: one file to be replaced
 * - `new-file`: the new file beside it
 * - `attribute-check`: whether the new file has the attributes of the old one
 * - `setting`: what a transaction runs with
 */
export { hashOf, isSame, type Item } from './item';
export { setTimes } from './new-file';
export { temporaryNames, type WriteContext, type WriteObserver, yieldToSignals } from './setting';
export { Transaction } from './transaction';
