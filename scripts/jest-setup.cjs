// Before a run: the shipped bundle, for the command-line tests that start it, and the modules for the others, both from the
// sources under test. All temporary files of the run go into one directory, which jest-teardown.cjs removes: a worker that is
// ended removes nothing.
const { execFile } = require('node:child_process');
const { chmodSync, mkdtempSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { promisify } = require('node:util');
const { writeModules } = require('./jest-modules.cjs');

module.exports = async (_, { cacheDirectory }) => {
  const scratch = mkdtempSync(join(tmpdir(), 'codemod-tests-'));
  // As the directory for temporary files itself: some tests run as another user.
  chmodSync(scratch, 0o1777);
  globalThis.codemodTests = { scratch, before: process.env.TMPDIR };
  process.env.TMPDIR = scratch;
  await Promise.all([
    promisify(execFile)(process.execPath, ['scripts/build.mjs'], { cwd: join(__dirname, '..') }),
    writeModules(cacheDirectory),
  ]);
};
