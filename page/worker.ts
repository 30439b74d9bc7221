import type { Question } from './protocol';
import { Work } from './work';

/** The worker's own side of the channel: the types for workers cannot stand beside those for pages. */
const channel = globalThis as unknown as MessagePort;

const work = new Work((answer, moved = []) => channel.postMessage(answer, [...moved]));
/** So many conversions are made before a browser has compiled what they run through: the first takes five times as long. */
let toRepeat = 30;
/** Milliseconds without a question before one is repeated. */
const PAUSE = 30;
let repeating: ReturnType<typeof setTimeout> | undefined;

/** Converts the last text again while nobody types, so that the next keystrokes are answered at once. */
function repeatInPauses(): void {
  clearTimeout(repeating);
  repeating = setTimeout(() => {
    if (toRepeat-- > 0 && work.repeat()) repeatInPauses();
  }, PAUSE);
}

// One after the other: a question is about what the one before it has left.
let last = Promise.resolve();
channel.addEventListener('message', ({ data }: MessageEvent<Question>) => {
  clearTimeout(repeating);
  last = last.then(() => work.answer(data)).then(repeatInPauses);
});
