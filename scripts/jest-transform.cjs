// TypeScript for jest: esbuild strips the types; `tsc --noEmit` checks them.
const { transformSync } = require('esbuild');

module.exports = {
  process(source, file) {
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
