/**
 * The language server: what an editor asks, in its protocol, and the analyst that answers. It reads no file and decides nothing.
 *
 * - `server`: the connection, and what it offers
 * - `checks`: when a server is checked, and what an editor is shown of that
 * - `documents`: the texts that the editor has open
 * - `thread`: the analyst in a thread of its own
 * - `outline`: sections as symbols, folds and lenses
 * - `completion`: the directives that 2.4 takes at a place
 * - `access-lines`: which lines decide who gets in
 * - `positions`: bytes as lines and characters of an editor
 * - `uris`: URIs as paths
 * - `types`: what goes between the two
 */
export { serve } from './server';
export { answerQuestions, localAnalyst, threadedAnalyst } from './thread';
export type { Analyst, Checked, RemoteAnalyst } from './types';
