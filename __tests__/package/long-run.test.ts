import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { share, shareOf } from '../../testing/run/size';

const root = join(__dirname, '../..');
const { testMatch, globals } = require('../../jest.long.config.cjs') as {
  testMatch: string[];
  globals: Record<string, unknown>;
};

test('the long run has every test file whose size npm test cuts, and no other', () => {
  const files = readdirSync(join(root, '__tests__'), { recursive: true, encoding: 'utf8' });
  const cut = files.filter(
    (path) =>
      path.endsWith('.test.ts') &&
      path !== 'package/long-run.test.ts' &&
      readFileSync(join(root, '__tests__', path), 'utf8').includes("/testing/run/size'"),
  );
  const names = /\{(.*)\}/.exec(testMatch.join('\n'))?.[1]?.split(',');
  expect(cut.map((path) => basename(path, '.test.ts')).toSorted()).toEqual(names?.toSorted());
  expect(globals).toEqual({ FULL_SIZE: true });
});

test('npm test asks a share, never nothing', () => {
  expect([share(100), share(3), share(1), share(10, 5)]).toEqual([25, 1, 1, 2]);
  const all = Array.from({ length: 10 }, (_, i) => i);
  expect(shareOf(all).length).toBeLessThan(5);
  expect(shareOf(all)).toContain(9);
  expect(shareOf([7])).toEqual([7]);
});

test('.ci/run counts both runs, and the workflow calls it', () => {
  const run = readFileSync(join(root, '.ci/run'), 'utf8');
  expect(run).toContain('\nstep tests test\n');
  expect(run).toContain('\nstep tests test:long\n');
  const workflow = readFileSync(join(root, '.github/workflows/ci.yml'), 'utf8');
  expect(workflow.match(/^ +(?:- )?run: .*$/gm)?.map((line) => line.trim())).toEqual([
    'run: .ci/run',
    'run: npm audit',
  ]);
  expect(workflow).not.toMatch(/secrets\.|registry|token/i);
});
