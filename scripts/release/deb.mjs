// The Debian package: all that Debian's policy asks of a binary package, made with dpkg-deb.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { DESCRIPTION, HOMEPAGE, MAINTAINER, SUMMARY, layOut, licences, writeAt } from './layout.mjs';

/** Debian's names of the machines that node knows by another name. */
const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' };

/** The regular files below a directory. */
function filesBelow(path) {
  const entries = readdirSync(path, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

const md5 = (path) => createHash('md5').update(readFileSync(path)).digest('hex');

/** @see https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/ */
function copyrightText(root, executable) {
  const indented = licences(root, executable)
    .trimEnd()
    .split('\n')
    .map((line) => (line.trim() === '' ? ' .' : ` ${line}`));
  return `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: httpd-codemod
Source: ${HOMEPAGE}

Files: *
Copyright: the httpd-codemod authors
License: Apache-2.0
 On Debian systems the full text of the Apache License 2.0 is in
 /usr/share/common-licenses/Apache-2.0.
Comment: The command contains the work of others:
${indented.join('\n')}
`;
}

function controlText({ name, version, executable, kilobytes }) {
  const fields = {
    Package: name,
    Version: version,
    Section: 'admin',
    Priority: 'optional',
    Architecture: executable === undefined ? 'all' : ARCHITECTURES[process.arch],
    Maintainer: MAINTAINER,
    'Installed-Size': kilobytes,
    Homepage: HOMEPAGE,
    ...(executable === undefined
      ? { Depends: 'nodejs (>= 18)', Conflicts: 'httpd-codemod-standalone' }
      : {
          Depends: 'libc6 (>= 2.28), libstdc++6, libgcc-s1 | libgcc1',
          Provides: 'httpd-codemod',
          Conflicts: 'httpd-codemod',
        }),
    Description: executable === undefined ? SUMMARY : `${SUMMARY} (with its own node)`,
  };
  const lines = Object.entries(fields).map(([field, value]) => `${field}: ${value}`);
  return [...lines, ...DESCRIPTION.map((line) => ` ${line}`), ''].join('\n');
}

/** @see https://www.debian.org/doc/debian-policy/ch-source.html#debian-changelog-debian-changelog */
function changelogText(name, revision, date) {
  const moment = new Date(date * 1000).toUTCString().replace('GMT', '+0000');
  return `${name} (${revision}) unstable; urgency=medium\n\n  * See changelog.gz.\n\n -- ${MAINTAINER}  ${moment}\n`;
}

/** node's binary is taken as it is: it may not be stripped, and what it holds of libraries is node's. */
const OVERRIDES = `httpd-codemod-standalone: embedded-library
httpd-codemod-standalone: unstripped-binary-or-object
`;

/**
 * Writes the package, and returns the path of the file.
 * @param root the project, built
 * @param options `executable` is the path of the single executable for the package that contains it; `date` is in seconds
 */
export function makeDeb(root, output, { version, date, executable }) {
  const name = executable === undefined ? 'httpd-codemod' : 'httpd-codemod-standalone';
  const revision = `${version}-1`;
  const scratch = mkdtempSync(join(tmpdir(), 'httpd-codemod-deb-'));
  try {
    const tree = join(scratch, 'tree');
    const doc = `usr/share/doc/${name}`;
    writeAt(join(tree, doc, 'copyright'), copyrightText(root, executable));
    writeAt(
      join(tree, doc, 'changelog.Debian.gz'),
      gzipSync(changelogText(name, revision, date), { level: 9 }),
    );
    if (executable !== undefined) writeAt(join(tree, 'usr/share/lintian/overrides', name), OVERRIDES);
    layOut(root, tree, {
      executable,
      date,
      doc,
      zsh: 'usr/share/zsh/vendor-completions',
      zippedChanges: true,
    });
    const files = filesBelow(tree);
    const kilobytes = files.reduce((sum, path) => sum + Math.ceil(readFileSync(path).length / 1024), 0);
    const sums = files.toSorted().map((path) => `${md5(path)}  ${relative(tree, path)}\n`);
    mkdirSync(join(tree, 'DEBIAN'));
    writeFileSync(
      join(tree, 'DEBIAN/control'),
      controlText({ name, version: revision, executable, kilobytes }),
    );
    writeFileSync(join(tree, 'DEBIAN/md5sums'), sums.join(''));
    for (const path of [tree, join(tree, 'DEBIAN')]) lutimesSync(path, date, date);
    const architecture = executable === undefined ? 'all' : ARCHITECTURES[process.arch];
    const made = join(output, `${name}_${revision}_${architecture}.deb`);
    const args = ['--root-owner-group', '--uniform-compression', '-Zgzip', '-z6', '--build', tree, made];
    execFileSync('dpkg-deb', args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, SOURCE_DATE_EPOCH: String(date) },
    });
    return made;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
