// After a run: see jest-setup.cjs.
const { rmSync } = require('node:fs');

module.exports = () => {
  const { scratch, before } = globalThis.codemodTests;
  if (before === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = before;
  rmSync(scratch, { recursive: true, force: true });
};
