// The modules of src, transforms and testing for the tests: bundled once a run, loaded once a worker (jest-environment.cjs).
const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } = require('node:fs');
const { dirname, join, relative, sep } = require('node:path');
const { build } = require('esbuild');

const ROOT = join(__dirname, '..');

/** The name under which code finds them, as a function of their path below the root. */
const ACCESSOR = 'sharedModule';

/** Packages that tests and modules must have from the same place. */
const PACKAGES = ['fast-check'];

const FOLDERS = ['src', 'transforms', 'testing'];

/** The path of a shared module below the root, with slashes; undefined for what each test file loads itself. */
function sharedName(file) {
  const path = relative(ROOT, file).split(sep).join('/');
  return FOLDERS.some((folder) => path.startsWith(`${folder}/`)) ? path : undefined;
}

/** Where the bundle of this working directory is. */
const modulesFile = (cacheDirectory) =>
  join(cacheDirectory, `modules-${createHash('sha256').update(ROOT).digest('hex').slice(0, 16)}.cjs`);

/** In a bundle `__dirname` would be the bundle's. */
const directoryNames = {
  name: 'directory-names',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (!text.includes('__dirname')) return undefined;
      return { contents: `const __dirname = ${JSON.stringify(dirname(path))};${text}`, loader: 'ts' };
    });
  },
};

/** Writes the bundle of this working directory, with a source map beside it. */
async function writeModules(cacheDirectory) {
  const names = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true }).map((name) => join(ROOT, folder, name)),
  );
  const files = names.filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'));
  const entries = [
    ...PACKAGES.map((name) => [name, name]),
    ...files.map((file) => [sharedName(file), file]),
  ].map(([name, from]) => `${JSON.stringify(name)}: () => require(${JSON.stringify(from)})`);
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    stdin: { contents: `module.exports = {${entries.join(',')}};`, resolveDir: ROOT },
    outfile: modulesFile(cacheDirectory),
    write: false,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    sourcemap: true,
    sourcesContent: false,
    external: ['esbuild', 'httpd-codemod', 'playwright-core', 'axe-core'],
    logLevel: 'warning',
    plugins: [directoryNames],
  });
  mkdirSync(cacheDirectory, { recursive: true });
  // A run that goes on in the same working directory must not read half of a file.
  for (const { path, contents } of outputFiles) {
    const scratch = `${path}-${process.pid}`;
    writeFileSync(scratch, contents);
    renameSync(scratch, path);
  }
}

module.exports = { ACCESSOR, modulesFile, sharedName, writeModules };
