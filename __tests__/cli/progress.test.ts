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

test('the rate is that of the step that is shown', () => {
  const lines = shown(
    [
      [0, 1, 'staged'],
      [10_000, 1001, 'staged'],
      [20_000, 1, 'checked'],
      [22_000, 1001, 'checked'],
    ],
    2000,
  );
  expect(lines).toEqual([
    '',
    '1001 of 2000 files staged, 100 a second, 10 s left',
    '1 of 2000 files checked',
    '1001 of 2000 files checked, 501 a second, 2 s left',
  ]);
});

test('a second attempt at the same step has the rate of that attempt', () => {
  const lines = shown(
    [
      [0, 1, 'staged'],
      [10_000, 1001, 'staged'],
      [60_000, 1, 'staged'],
      [62_000, 1001, 'staged'],
    ],
    2000,
  );
  expect(lines.slice(2)).toEqual([
    '1 of 2000 files staged',
    '1001 of 2000 files staged, 501 a second, 2 s left',
  ]);
});
