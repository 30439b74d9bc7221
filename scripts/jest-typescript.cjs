// TypeScript for jest: esbuild strips the types; `tsc --noEmit` checks them. What all test files share is loaded by
// jest-environment.cjs.
const { transformSync } = require('esbuild');
const { ACCESSOR, sharedName } = require('./jest-modules.cjs');

module.exports = {
  process(source, file) {
    const name = sharedName(file);
    if (name !== undefined) return { code: `module.exports = ${ACCESSOR}(${JSON.stringify(name)});` };
    const { code } = transformSync(source, {
      loader: file.endsWith('.json') ? 'json' : 'ts',
      format: 'cjs',
      target: 'node20',
      sourcefile: file,
      sourcemap: 'inline',
      // As tsconfig.json has it, which esbuild reads by itself only where it bundles.
      tsconfigRaw: { compilerOptions: { useDefineForClassFields: false } },
    });
    return { code };
  },
};
