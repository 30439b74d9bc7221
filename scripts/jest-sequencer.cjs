// The order of the test files. jest begins with those that took longest the last time; where it has not run yet, it goes by their
// size, and a small file of many cases could be the last one, with one processor idle. Not by `require` alone: the linter would
// read its types, and node's with them, which it then holds against all scripts.
const { default: Sequencer } = module.require('@jest/test-sequencer');
const { basename } = require('node:path');

/** Those that take longest, in this order. */
const LONGEST = [
  'fixtures',
  'ansible',
  'hook',
  'release',
  'hook-options',
  'tarball',
  'cli',
  'shapes',
  'guides',
  'wide-trees',
  'httpd-ssl',
  'random-trees',
  'mixed',
  'write',
  'races',
  'dual',
  'access-check',
  'strict-arguments',
  'served-fixtures',
  'properties',
  'older-target',
  'kill',
];

const rank = ({ path }) => {
  const at = LONGEST.indexOf(basename(path, '.test.ts'));
  return at < 0 ? LONGEST.length : at;
};

module.exports = class extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    return sorted.some(({ duration }) => duration !== undefined)
      ? sorted
      : sorted.toSorted((a, b) => rank(a) - rank(b));
  }
};
