// The long run: the files whose tests `npm test` asks a share of, at their full size. `npm run test:long`; a step of .ci/run.
const config = require('./jest.config.cjs');

/** Those that take their size from testing/run/size.ts; a test holds the list against them. */
const long = [
  'access-check',
  'ci-formats',
  'collect',
  'conditionals',
  'convert',
  'dual',
  'editor',
  'editor-fuzz',
  'fixtures',
  'fixtures-httpd',
  'guides',
  'hook-kill',
  'hosting',
  'httpd',
  'kill',
  'line-ends',
  'mixed',
  'mixed-questions',
  'model24',
  'nothing-lost',
  'mutants',
  'neovim',
  'older-target',
  'page-servers',
  'packages',
  'properties',
  'races',
  'random-trees',
  'regions',
  'release',
  'rest',
  'served-fixtures',
  'shapes',
  'syntax',
  'tls-trees',
  'wide-trees',
];

module.exports = {
  ...config,
  testMatch: [`<rootDir>/__tests__/**/{${long.join(',')}}.test.ts`],
  globals: { FULL_SIZE: true },
  testTimeout: 600_000,
};
