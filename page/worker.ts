import type { Question } from './protocol';
import { Work } from './work';

/** The worker's own side of the channel: the types for workers cannot stand beside those for pages. */
const channel = globalThis as unknown as MessagePort;

const work = new Work((answer, moved = []) => channel.postMessage(answer, [...moved]));
// One after the other: a question is about what the one before it has left.
let last = Promise.resolve();
channel.addEventListener('message', ({ data }: MessageEvent<Question>) => {
  last = last.then(() => work.answer(data));
});
