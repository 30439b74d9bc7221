// Bundles the command line, what few of its runs need, the library, and the manual page; writes down what of others is in them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
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

/**
 * What few runs need: each is a file of its own beside the command, so that no other run takes longer for it. None may hold
 * anything that the command holds, too, and tells apart from a copy: a class of errors, something remembered.
 */
const APART = {
  lsp: 'src/lsp/index.ts',
  linear: 'src/regex/linear.ts',
  messages: 'src/httpd/messages/index.ts',
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
    plugins: [apart],
  });
  return metafile;
}

const apart = {
  name: 'apart',
  setup({ onResolve }) {
    onResolve({ filter: /^\./ }, ({ path, resolveDir }) => {
      const module = relative('.', join(resolveDir, path));
      const found = Object.entries(APART).find(
        ([, entry]) => entry.replace(/(?:\/index)?\.ts$/, '') === module,
      );
      return found && { path: `./${found[0]}.cjs`, external: true };
    });
  },
};

async function buildApart() {
  const { metafile } = await build({
    ...common,
    platform: 'node',
    mainFields: ['module', 'main'],
    format: 'cjs',
    entryPoints: Object.entries(APART).map(([out, entry]) => ({ in: entry, out })),
    outdir: 'dist',
    outExtension: { '.js': '.cjs' },
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
  buildApart(),
]);
await buildManPage();
const packages = bundledPackages(metafiles);
const bundles = metafiles.flatMap(({ outputs }) => Object.keys(outputs));
writeFileSync('dist/THIRD-PARTY-LICENSES.txt', licenceTexts(packages));
writeFileSync('dist/sbom.cdx.json', billOfMaterials(packages, bundles));
