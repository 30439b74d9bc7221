// The spawned command-line tests run the shipped bundle: build it once, from the sources under test.
const { execFileSync } = require('node:child_process');

module.exports = () => {
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: require('node:path').join(__dirname, '..') });
};
