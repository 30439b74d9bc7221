import fc from 'fast-check';
import { SEED, share } from '../../testing/run/size';
import type { RunOptions } from '../../src/engine';
import { convertFiles, textAfter } from '../../testing/run/convert';
import { conditionals } from '../../testing/access/random-conditionals';

const SERVER = '/etc/httpd.conf';
const ACCESS_FILE = '/srv/a/.htaccess';

describe.each<RunOptions>([{}, { dual: true }, { dual: false }])('lines in conditionals, %o', (options) => {
  test('the first run is final', () => {
    fc.assert(
      fc.property(conditionals, ({ server, htaccess }) => {
        const result = convertFiles({ [SERVER]: server, [ACCESS_FILE]: htaccess }, [SERVER, '/srv'], options);
        // run() reads its result again and reports a failure if that would change once more.
        expect(result.failure).toBeUndefined();
        const now = {
          [SERVER]: textAfter(result, SERVER) ?? server,
          [ACCESS_FILE]: textAfter(result, ACCESS_FILE) ?? htaccess,
        };
        // A block that is left until the lines in it are settled is collapsed by the next run, and the first one says so.
        const left = result.outcomes.some(
          ({ rule, status }) => rule === 'version-block' && status !== 'applied',
        );
        const again = convertFiles(now, [SERVER, '/srv'], options);
        if (!left) expect(again.plan.map(({ text }) => text)).toEqual([]);
      }),
      { numRuns: share(300, 8), seed: SEED },
    );
  });

  test('the first run over a lone file is final', () => {
    fc.assert(
      fc.property(conditionals, ({ htaccess }) => {
        const result = convertFiles({ [ACCESS_FILE]: htaccess }, [ACCESS_FILE], options);
        expect(result.failure).toBeUndefined();
      }),
      { numRuns: share(300, 8), seed: SEED },
    );
  });
});
