// Where a system's package has its files. Debian and RPM differ in a few directories alone.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lutimesSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** What both packages tell about the program. */
export const SUMMARY = 'rewrites Apache httpd 2.2 configuration for 2.4';
export const DESCRIPTION = [
  'Takes the configuration that was written for Apache httpd 2.2 (whole servers,',
  'virtual hosts, .htaccess files) and rewrites it for 2.4. It keeps every byte',
  'that it has no reason to touch, shows a unified diff before it writes, and',
  'never lets anyone in who was kept out before.',
];
export const HOMEPAGE = 'https://github.com/httpd-codemod/httpd-codemod';
export const MAINTAINER = 'The httpd-codemod authors <httpd-codemod@users.noreply.github.com>';

/**
 * The moment that all files of a package bear, so that two builds have the same bytes.
 * @returns seconds since 1970: SOURCE_DATE_EPOCH, else when the last commit was made
 * @see https://reproducible-builds.org/specs/source-date-epoch/
 */
export function sourceDate(root) {
  const given = process.env.SOURCE_DATE_EPOCH;
  if (given !== undefined) return Number(given);
  return Number(execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' }));
}

/** Writes a file, and the directories to it. */
export function writeAt(path, content, mode = 0o644) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  chmodSync(path, mode);
}

function copy(from, to, mode) {
  writeAt(to, readFileSync(from), mode);
}

/** The command as it lies in the package: the scripts that it hands out are in it, too. */
function placeProgram(root, tree, executable) {
  if (executable !== undefined) return copy(executable, join(tree, 'usr/bin/httpd-codemod'), 0o755);
  const home = join(tree, 'usr/share/httpd-codemod');
  // A system's package names the system's interpreter: another one on the PATH may be too old.
  const script = readFileSync(join(root, 'bin/httpd-codemod.js'), 'utf8').replace(/^#!.*/, '#!/usr/bin/node');
  writeAt(join(home, 'bin/httpd-codemod.js'), script, 0o755);
  for (const name of readdirSync(join(root, 'dist')).toSorted())
    if (name.endsWith('.cjs') && name !== 'index.cjs')
      copy(join(root, 'dist', name), join(home, 'dist', name), 0o644);
  mkdirSync(join(tree, 'usr/bin'), { recursive: true });
  return symlinkSync('../share/httpd-codemod/bin/httpd-codemod.js', join(tree, 'usr/bin/httpd-codemod'));
}

/** What the command prints of itself. */
const printed = (root, ...args) =>
  execFileSync(process.execPath, [join(root, 'bin/httpd-codemod.js'), ...args]);

/** All files and directories get the one moment: an archive holds it. */
function setTimes(path, seconds) {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const child = join(path, entry.name);
    if (entry.isDirectory()) setTimes(child, seconds);
    lutimesSync(child, seconds, seconds);
  }
}

/**
 * Lays out the files below `tree`.
 * @param root the project, built
 * @param options `executable` is the path of the single executable where that is packed; `zsh` the directory of zsh's
 *   completions, `doc` that of the package's documents; with `zippedChanges` the changelog is compressed; `date` is in seconds
 */
export function layOut(root, tree, { executable, zsh, doc, zippedChanges, date }) {
  placeProgram(root, tree, executable);
  const share = join(tree, 'usr/share/httpd-codemod');
  for (const name of ['collect.sh', 'install.sh'])
    copy(join(root, 'bin', name), join(share, 'bin', name), 0o755);
  for (const name of readdirSync(join(root, 'docs/schemas')).toSorted())
    copy(join(root, 'docs/schemas', name), join(share, 'schemas', name), 0o644);
  const page = readFileSync(join(root, 'man/httpd-codemod.1'));
  writeAt(join(tree, 'usr/share/man/man1/httpd-codemod.1.gz'), gzipSync(page, { level: 9 }));
  writeAt(
    join(tree, 'usr/share/bash-completion/completions/httpd-codemod'),
    printed(root, 'completion', 'bash'),
  );
  writeAt(join(tree, zsh, '_httpd-codemod'), printed(root, 'completion', 'zsh'));
  writeAt(
    join(tree, 'usr/share/fish/vendor_completions.d/httpd-codemod.fish'),
    printed(root, 'completion', 'fish'),
  );
  const changes = readFileSync(join(root, 'CHANGELOG.md'));
  if (zippedChanges) writeAt(join(tree, doc, 'changelog.gz'), gzipSync(changes, { level: 9 }));
  else writeAt(join(tree, doc, 'CHANGELOG.md'), changes);
  setTimes(tree, date);
}

/** The licences of what is in the command: what the bundle holds of others, and node's own where node is in it. */
export function licences(root, executable) {
  const others = readFileSync(join(root, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8');
  if (executable === undefined) return others;
  return `${others}\nNode.js ${process.version}, under the MIT licence, is part of the executable; the licences of what Node.js contains\nare at https://github.com/nodejs/node/blob/${process.version}/LICENSE.\n`;
}
