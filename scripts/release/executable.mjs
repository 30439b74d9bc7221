// The single executable: node and the command in one file, by node's own means (https://nodejs.org/api/single-executable-applications.html).
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { inject } from 'postject';

/** What marks the place in node where the resource is looked for; node's documentation has it. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** The newest glibc that a program may ask for, so that it starts on what is in use: that of Debian 10 and RHEL 8. */
const OLDEST_GLIBC = '2.28';

const numbers = (version) => version.split('.').map(Number);

/** Orders versions of numbers: below 0 where `a` comes first. */
function compareVersions(a, b) {
  const [left, right] = [numbers(a), numbers(b)];
  const at = left.findIndex((part, i) => part !== (right[i] ?? 0));
  return at < 0 ? 0 : left[at] - (right[at] ?? 0);
}

/**
 * The newest version of glibc that a program's symbols name, as `readelf --version-info` reads it.
 * @param path an ELF file
 * @returns for example 2.28
 */
export function glibcOf(path) {
  const text = execFileSync('readelf', ['--version-info', '--wide', path], {
    maxBuffer: 1 << 26,
    encoding: 'utf8',
  });
  const versions = [...text.matchAll(/\bName: GLIBC_([0-9.]+)/g)].map(([, version]) => version);
  if (versions.length === 0) throw new Error(`${path}: readelf names no version of glibc`);
  return versions.toSorted(compareVersions).at(-1);
}

/** postject warns about notes that it does not know; they are copied as they are. */
async function quietly(action) {
  const { warn, error } = console;
  console.warn = console.error = () => {};
  try {
    await action();
  } finally {
    Object.assign(console, { warn, error });
  }
}

/**
 * Writes the executable for the machine at hand, from the node that runs this; the same inputs give the same bytes.
 * @param root the package, built
 * @throws Error where node asks for a newer glibc than it may
 */
export async function makeExecutable(root, output) {
  const needed = process.platform === 'linux' ? glibcOf(process.execPath) : OLDEST_GLIBC;
  if (compareVersions(needed, OLDEST_GLIBC) > 0)
    throw new Error(
      `${process.execPath} asks for glibc ${needed}: take one that was built for ${OLDEST_GLIBC}`,
    );
  const scratch = mkdtempSync(join(tmpdir(), 'httpd-codemod-executable-'));
  try {
    // What the command loads on demand lies in files beside it; here there are none.
    await build({
      entryPoints: [join(root, 'dist/httpd-codemod.cjs')],
      outfile: join(scratch, 'main.cjs'),
      // Paths of the machine would be in the file: in comments, and as the name of what runs.
      absWorkingDir: root,
      preserveSymlinks: true,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      target: 'node20',
      charset: 'ascii',
      logLevel: 'warning',
    });
    const blob = join(scratch, 'blob');
    const config = {
      main: 'main.cjs',
      output: 'blob',
      disableExperimentalSEAWarning: true,
      assets: {
        // Once more, for what runs in a thread of its own.
        'main.cjs': join(scratch, 'main.cjs'),
        'collect.sh': join(root, 'bin/collect.sh'),
        'install.sh': join(root, 'bin/install.sh'),
      },
    };
    writeFileSync(join(scratch, 'config.json'), JSON.stringify(config));
    execFileSync(process.execPath, ['--experimental-sea-config', 'config.json'], {
      cwd: scratch,
      stdio: 'pipe',
    });
    const made = join(scratch, 'made');
    copyFileSync(process.execPath, made);
    chmodSync(made, 0o755);
    await quietly(() => inject(made, 'NODE_SEA_BLOB', readFileSync(blob), { sentinelFuse: FUSE }));
    copyFileSync(made, output);
    chmodSync(output, 0o755);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
