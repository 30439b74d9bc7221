// Before a run: the shipped bundle, for the command-line tests that start it, and the modules for the others, both from the sources under test.
const { execFile } = require('node:child_process');
const { join } = require('node:path');
const { promisify } = require('node:util');
const { writeModules } = require('./jest-modules.cjs');

module.exports = async (_, { cacheDirectory }) => {
  await Promise.all([
    promisify(execFile)(process.execPath, ['scripts/build.mjs'], { cwd: join(__dirname, '..') }),
    writeModules(cacheDirectory),
  ]);
};
