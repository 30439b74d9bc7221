// The RPM package: a spec of our own, built with rpmbuild from files that are laid out already.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DESCRIPTION, HOMEPAGE, MAINTAINER, SUMMARY, layOut, licences, writeAt } from './layout.mjs';

/** RPM's names of the machines that node knows by another name. */
const ARCHITECTURES = { x64: 'x86_64', arm64: 'aarch64' };

/** As the changelog of a spec has its days. */
function day(seconds) {
  const [weekday, date, month, year] = new Date(seconds * 1000).toUTCString().replace(',', '').split(' ');
  return `${weekday} ${month} ${date} ${year}`;
}

const directory = (path) => `%dir ${path}`;

function specText({ name, version, date, executable, tree }) {
  const relations =
    executable === undefined
      ? ['Requires: nodejs >= 18', 'Conflicts: httpd-codemod-standalone']
      : ['Provides: httpd-codemod = %{version}', 'Conflicts: httpd-codemod'];
  return `Name: ${name}
Version: ${version}
Release: 1
Summary: ${SUMMARY[0].toUpperCase()}${SUMMARY.slice(1)}${executable === undefined ? '' : ' (with its own node)'}
License: Apache-2.0
URL: ${HOMEPAGE}
Packager: ${MAINTAINER}
Group: System/Base
${executable === undefined ? 'BuildArch: noarch\n' : ''}${relations.join('\n')}
AutoReqProv: no

%description
${DESCRIPTION.join('\n')}

%install
cp -a ${tree}/. %{buildroot}/

%files
/usr/bin/httpd-codemod
${[directory('/usr/share/httpd-codemod'), '/usr/share/httpd-codemod/*'].join('\n')}
/usr/share/man/man1/httpd-codemod.1.gz
/usr/share/bash-completion/completions/httpd-codemod
/usr/share/zsh/site-functions/_httpd-codemod
/usr/share/fish/vendor_completions.d/httpd-codemod.fish
%doc /usr/share/doc/${name}
%license /usr/share/licenses/${name}

%changelog
* ${day(date)} ${MAINTAINER} - ${version}-1
- See /usr/share/doc/${name}/CHANGELOG.md.
`;
}

/** Nothing of the machine that builds it may be in the package, and node's binary is taken as it is: it may not be stripped. */
const definesOf = (top, architecture) => ({
  _topdir: top,
  _rpmdir: join(top, 'out'),
  _build_name_fmt: '%%{NAME}-%%{VERSION}-%%{RELEASE}.%%{ARCH}.rpm',
  _buildhost: 'localhost',
  _binary_payload: 'w6.gzdio',
  _prefix: '/usr',
  _docdir: '/usr/share/doc',
  _defaultlicensedir: '/usr/share/licenses',
  __os_install_post: '%{nil}',
  __spec_install_post: '%{nil}',
  debug_package: '%{nil}',
  _build_id_links: 'none',
  use_source_date_epoch_as_buildtime: '1',
  clamp_mtime_to_source_date_epoch: '1',
  source_date_epoch_from_changelog: '0',
  _target_cpu: architecture,
});

/**
 * Writes the package, and returns the path of the file.
 * @param root the project, built
 * @param options `executable` is the path of the single executable for the package that contains it; `date` is in seconds
 */
export function makeRpm(root, output, { version, date, executable }) {
  const name = executable === undefined ? 'httpd-codemod' : 'httpd-codemod-standalone';
  const scratch = mkdtempSync(join(tmpdir(), 'httpd-codemod-rpm-'));
  try {
    const tree = join(scratch, 'tree');
    const licence = join(tree, 'usr/share/licenses', name);
    mkdirSync(licence, { recursive: true });
    copyFileSync(join(root, 'LICENSE'), join(licence, 'LICENSE'));
    writeAt(join(licence, 'THIRD-PARTY-LICENSES.txt'), licences(root, executable));
    layOut(root, tree, {
      executable,
      date,
      doc: `usr/share/doc/${name}`,
      zsh: 'usr/share/zsh/site-functions',
      zippedChanges: false,
    });
    const spec = join(scratch, `${name}.spec`);
    writeFileSync(spec, specText({ name, version, date, executable, tree }));
    const architecture = executable === undefined ? 'noarch' : ARCHITECTURES[process.arch];
    const defines = Object.entries(definesOf(scratch, ARCHITECTURES[process.arch])).flatMap(
      ([key, value]) => ['--define', `${key} ${value}`],
    );
    execFileSync('rpmbuild', ['-bb', '--quiet', ...defines, spec], {
      env: { ...process.env, SOURCE_DATE_EPOCH: String(date) },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const made = readdirSync(join(scratch, 'out'), { recursive: true, encoding: 'utf8' }).find((path) =>
      path.endsWith(`${architecture}.rpm`),
    );
    const target = join(output, basename(made));
    copyFileSync(join(scratch, 'out', made), target);
    return target;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
