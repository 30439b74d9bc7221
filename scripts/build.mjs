// Bundles the command line into one file, the library, and the manual page; writes down what of others is in them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { runInThisContext } from 'node:vm';
import { build } from 'esbuild';
import { billOfMaterials, bundledPackages, licenceTexts } from './notices.mjs';

const common = {
  bundle: true,
  target: 'node18',
  legalComments: 'inline',
  logLevel: 'warning',
  metafile: true,
};

async function buildCommand() {
  // Names stay as they are, so that a stack trace can be read.
  const { metafile } = await build({
    ...common,
    platform: 'node',
    format: 'cjs',
    entryPoints: ['src/main.ts'],
    outfile: 'dist/httpd-codemod.cjs',
    minifySyntax: true,
    minifyWhitespace: true,
    plugins: [editorServerApart],
  });
  return metafile;
}

/** The language server is a file of its own: no other command is to take longer for it. */
const editorServerApart = {
  name: 'editor-server-apart',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/lsp$/ }, ({ importer }) =>
      importer.endsWith('main.ts') ? { path: './lsp.cjs', external: true } : undefined,
    );
  },
};

async function buildEditorServer() {
  const { metafile } = await build({
    ...common,
    platform: 'node',
    mainFields: ['module', 'main'],
    format: 'cjs',
    entryPoints: ['src/lsp/index.ts'],
    outfile: 'dist/lsp.cjs',
    minifySyntax: true,
    minifyWhitespace: true,
  });
  return metafile;
}

/** No platform, no modules of node's: the build fails where the library would need one. */
async function buildLibrary(format, outfile) {
  const { metafile } = await build({
    ...common,
    platform: 'neutral',
    mainFields: ['module', 'main'],
    format,
    entryPoints: ['src/index.ts'],
    outfile,
  });
  return metafile;
}

/** Bundled to be run here: the page is made from the command line as it is defined. */
async function buildManPage() {
  const { outputFiles } = await build({
    ...common,
    metafile: false,
    platform: 'node',
    format: 'cjs',
    stdin: {
      contents: `export { manPage } from './src/cli/manual'; export { transforms } from './transforms'; export { version } from './package.json';`,
      resolveDir: '.',
    },
    write: false,
  });
  const module = { exports: {} };
  const run = runInThisContext(`(function (module, exports, require) {${outputFiles[0].text}
})`);
  run(module, module.exports, createRequire(import.meta.url));
  const { manPage, transforms, version } = module.exports;
  writeFileSync('man/httpd-codemod.1', manPage(version, transforms), 'latin1');
}

// What is packed is the same whoever builds it.
process.umask(0o022);
mkdirSync('dist', { recursive: true });
mkdirSync('man', { recursive: true });
const metafiles = await Promise.all([
  buildLibrary('cjs', 'dist/index.cjs'),
  buildLibrary('esm', 'dist/index.mjs'),
  buildCommand(),
  buildEditorServer(),
]);
await buildManPage();
const packages = bundledPackages(metafiles);
const bundles = ['dist/httpd-codemod.cjs', 'dist/lsp.cjs', 'dist/index.cjs', 'dist/index.mjs'];
writeFileSync('dist/THIRD-PARTY-LICENSES.txt', licenceTexts(packages));
writeFileSync('dist/sbom.cdx.json', billOfMaterials(packages, bundles));
