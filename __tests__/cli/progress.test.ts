import type { Io } from '../../src/cli/io';
import { showProgress } from '../../src/cli/output';

/** What stands on the terminal after each call. @param clock the time of each call, in milliseconds */
function shown(
  calls: readonly (readonly [at: number, done: number, verb: string])[],
  total: number,
): string[] {
  let text = '';
  let now = 0;
  const stderr = { write: (bytes: string) => (text += bytes), isTTY: true };
  const progress = showProgress({ stderr, now: () => now } as unknown as Io);
  return calls.map(([at, done, verb]) => {
    now = at;
    progress.onWrite(done, total, verb);
    return text.slice(text.lastIndexOf('\x1b[K') + 3);
  });
}

const FROM_0 = [
  [0, 1, 'staged'],
  [10_000, 1001, 'staged'],
] as const;

test.each([
  ['the rate is that of the step that is shown', 'checked'],
  ['a second attempt at the same step has the rate of that attempt', 'staged'],
])('%s', (_, verb) => {
  const lines = shown([...FROM_0, [20_000, 1, verb], [22_000, 1001, verb]], 2000);
  expect(lines).toEqual([
    '',
    '1001 of 2000 files staged, 100 a second, 10 s left',
    `1 of 2000 files ${verb}`,
    `1001 of 2000 files ${verb}, 501 a second, 2 s left`,
  ]);
});
