// Bundles the command line into the one shipped file, and the library beside it.
import { build } from 'esbuild';

const common = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  legalComments: 'inline',
  logLevel: 'warning',
};
await Promise.all([
  build({ ...common, entryPoints: ['src/main.ts'], outfile: 'dist/httpd-codemod.cjs', minifySyntax: true }),
  build({ ...common, entryPoints: ['src/index.ts'], outfile: 'dist/index.cjs' }),
]);
