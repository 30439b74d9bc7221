import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { version } from '../../package.json';
import { requireProgram } from '../../testing/httpd/install';
import { Editor } from '../../testing/lsp/editor';
import { PrivateRoot } from '../../testing/run/private-root';
import { FULL_SIZE } from '../../testing/run/size';

// The packages for systems: built twice, installed in a root of their own, run there, upgraded, removed. The short run has the
// package for Debian that takes the system's node; the long run has them all.

const root = join(__dirname, '../..');
const KINDS = ['executable', 'deb', 'deb-standalone', 'rpm', 'rpm-standalone'] as const;
type Kind = (typeof KINDS)[number];
const kinds: readonly Kind[] = FULL_SIZE ? KINDS : ['deb'];

let scratch: string;
/** What was built: the newest version last. */
const built: Record<string, readonly string[]> = {};

/** The project as it would be with another version: scripts and package.json are its own. */
function project(name: string, at: string): string {
  const home = join(scratch, name);
  mkdirSync(join(home, 'scripts'), { recursive: true });
  cpSync(join(root, 'scripts/release'), join(home, 'scripts/release'), { recursive: true });
  for (const name of ['node_modules', 'dist', 'bin', 'docs', 'man', 'CHANGELOG.md', 'LICENSE'])
    symlinkSync(join(root, name), join(home, name));
  const manifest = readFileSync(join(root, 'package.json'), 'utf8');
  writeFileSync(
    join(home, 'package.json'),
    manifest.replace(`"version": "${version}"`, `"version": "${at}"`),
  );
  return home;
}

/** Builds the kinds, and returns their files in the order of the kinds. */
function build(home: string, output: string, asked: readonly Kind[]): string[] {
  const args = [join(home, 'scripts/release/packages.mjs'), '--output', output, ...asked];
  const env = { ...process.env, SOURCE_DATE_EPOCH: '1700000000' };
  const printed = execFileSync(process.execPath, args, { encoding: 'utf8', env });
  return printed.split('\n').filter((line) => line.startsWith(output));
}

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'packages-'));
  if (FULL_SIZE) {
    requireProgram('rpmbuild', 'rpm', 'to build packages');
    requireProgram('readelf', 'binutils', 'to read what a program asks of glibc');
    requireProgram('lintian', 'lintian', 'to check packages');
    requireProgram('rpmlint', 'rpmlint', 'to check packages');
  }
  const first = build(project('this', version), join(scratch, 'first'), kinds);
  const next = build(project('newer', '99.0.0'), join(scratch, 'next'), kinds);
  for (const [i, kind] of kinds.entries()) built[kind] = [first[i]!, next[i]!];
}, 600_000);

/** A root that can be logged into, if it were a machine: a shell, and node where the package does not bring its own. */
function machine(name: string, withNode: boolean): PrivateRoot {
  const made = new PrivateRoot(join(scratch, name));
  made.addProgram('/bin/sh');
  if (withNode) {
    made.addProgram(process.execPath);
    mkdirSync(join(made.path, 'usr/bin'), { recursive: true });
    if (process.execPath !== '/usr/bin/node') copyFileSync(process.execPath, join(made.path, 'usr/bin/node'));
  } else {
    // What the single executable loads is what node loads; the executable itself comes with the package.
    made.addProgram(process.execPath);
    execFileSync('rm', [join(made.path, process.execPath)]);
  }
  cpSync(join(root, 'examples'), join(made.path, 'root/examples'), { recursive: true });
  return made;
}

/** What the checkout says of the examples. */
function expected(): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'bin/httpd-codemod.js'), 'examples'],
    { cwd: root, encoding: 'utf8', env: { PATH: process.env['PATH'], HOME: '/root' } },
  );
  return { status, output: `${stdout}${stderr}` };
}

/** The program runs as in the checkout, and the scripts for other machines are in it. */
function runsAs(made: PrivateRoot, at: string): void {
  expect(made.run('/root', 'httpd-codemod', '--version')).toEqual({ status: 0, output: `${at}\n` });
  expect(made.run('/root', 'httpd-codemod', 'examples')).toEqual(expected());
  const collect = readFileSync(join(root, 'bin/collect.sh'), 'utf8');
  expect(made.run('/root', 'httpd-codemod', 'collect')).toEqual({ status: 0, output: collect });
}

test('two builds have the same bytes', () => {
  const again = build(project('twin', version), join(scratch, 'again'), kinds);
  for (const [i, kind] of kinds.entries())
    expect([kind, readFileSync(again[i]!).equals(readFileSync(built[kind]![0]!))]).toEqual([kind, true]);
});

test('of all kinds those are left out, and named, whose tools are missing', () => {
  const args = [join(root, 'scripts/release/packages.mjs'), '--output', join(scratch, 'none')];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    env: { PATH: '' },
  });
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(
    /^packages: left out: executable \(it takes readelf\); deb \(it takes dpkg-deb\); .*\n$/,
  );
});

interface System {
  readonly prepare: (made: PrivateRoot) => void;
  readonly install: (made: PrivateRoot, file: string) => void;
  readonly version: (made: PrivateRoot, name: string) => string;
  readonly remove: (made: PrivateRoot, name: string) => void;
}

const dpkg = (made: PrivateRoot, ...args: readonly string[]): unknown =>
  execFileSync('dpkg', [`--root=${made.path}`, '--force-depends', ...args], { stdio: 'pipe' });
const rpm = (made: PrivateRoot, ...args: readonly string[]): unknown =>
  execFileSync('rpm', ['--root', made.path, '--dbpath', '/var/lib/rpm', ...args], {
    stdio: 'pipe',
  });

const SYSTEMS: Record<'deb' | 'rpm', System> = {
  deb: {
    prepare(made) {
      for (const name of ['info', 'updates', 'triggers'])
        mkdirSync(join(made.path, 'var/lib/dpkg', name), { recursive: true });
      writeFileSync(join(made.path, 'var/lib/dpkg/status'), '');
    },
    install: (made, file) => dpkg(made, '--install', file),
    version: (made, name) =>
      execFileSync('dpkg-query', [`--root=${made.path}`, '--showformat=${Version}', '--show', name], {
        encoding: 'utf8',
      }),
    remove: (made, name) => dpkg(made, '--purge', name),
  },
  rpm: {
    prepare: (made) => rpm(made, '--initdb'),
    install: (made, file) => rpm(made, '--upgrade', '--nodeps', file),
    version: (made, name) => String(rpm(made, '--query', '--queryformat', '%{VERSION}-%{RELEASE}', name)),
    remove: (made, name) => rpm(made, '--erase', '--nodeps', name),
  },
};

const CASES = kinds.filter((kind) => kind !== 'executable');

test.each(CASES)('%s is installed, runs as the checkout, is upgraded, and leaves nothing', (kind) => {
  const isStandalone = kind.endsWith('-standalone');
  const system = SYSTEMS[kind.startsWith('deb') ? 'deb' : 'rpm'];
  const made = machine(kind, !isStandalone);
  system.prepare(made);
  const before = made.files();
  const [first = '', next = ''] = built[kind]!;
  system.install(made, first);
  runsAs(made, version);
  const added = made.files().filter((path) => !before.includes(path));
  expect(added).toEqual(
    expect.arrayContaining([
      '/usr/bin/httpd-codemod',
      '/usr/share/bash-completion/completions/httpd-codemod',
      '/usr/share/fish/vendor_completions.d/httpd-codemod.fish',
      '/usr/share/httpd-codemod/bin/collect.sh',
      '/usr/share/httpd-codemod/schemas/report.schema.json',
      '/usr/share/man/man1/httpd-codemod.1.gz',
    ]),
  );
  const name = isStandalone ? 'httpd-codemod-standalone' : 'httpd-codemod';
  system.install(made, next);
  expect(system.version(made, name)).toBe('99.0.0-1');
  expect(made.run('/root', 'httpd-codemod', 'examples')).toEqual(expected());
  system.remove(made, name);
  const left = made.files().filter((path) => !before.includes(path));
  expect(left.filter((path) => !/^\/var\/l(?:ib|og)\//.test(path))).toEqual([]);
});

if (FULL_SIZE) {
  test('lintian has no error', () => {
    for (const kind of ['deb', 'deb-standalone']) {
      const { stdout } = spawnSync('lintian', [built[kind]![0]!], { encoding: 'utf8' });
      expect(stdout.split('\n').filter((line) => line.startsWith('E: '))).toEqual([]);
    }
  });

  test('rpmlint has no error but that a maintainer has not signed yet', () => {
    for (const kind of ['rpm', 'rpm-standalone']) {
      const { stdout } = spawnSync('rpmlint', [built[kind]![0]!], { encoding: 'utf8' });
      expect(stdout).toMatch(/^ 1 packages and /m);
      const errors = stdout.split('\n').filter((line) => / E: /.test(line));
      expect(errors.filter((line) => !line.endsWith(' E: no-signature'))).toEqual([]);
    }
  });

  test('the executable asks for no newer glibc than 2.28', () => {
    const file = built['executable']![0]!;
    const text = execFileSync('readelf', ['--version-info', '--wide', file], {
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    });
    const minors = [...text.matchAll(/\bName: GLIBC_2\.([0-9]+)/g)].map(([, minor]) => Number(minor));
    expect(minors.length).toBeGreaterThan(0);
    expect(Math.max(...minors)).toBeLessThanOrEqual(28);
  });

  test('the executable serves editors', async () => {
    const child = spawn(built['executable']![0]!, ['lsp'], { cwd: scratch });
    const status = new Promise<number>((resolve) => child.on('exit', (code) => resolve(code ?? -1)));
    const reader = new StreamMessageReader(child.stdout);
    const connection = createProtocolConnection(reader, new StreamMessageWriter(child.stdin));
    const editor = await new Editor(connection, status).begin();
    const file = join(scratch, 'part.conf');
    editor.open(file, 'MaxClients 5\n');
    expect((await editor.found(file)).map(({ code }) => code)).toContain('max-clients');
    await connection.sendRequest('shutdown');
    await connection.sendNotification('exit');
    expect(await status).toBe(0);
  });

  test('the steps of the container file lead to the same', () => {
    const made = machine('container', false);
    const text = readFileSync(join(root, 'contrib/container/Containerfile'), 'utf8');
    const steps = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    let [cwd, entry] = ['/', ''];
    for (const step of steps) {
      const [, word = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(step) ?? [];
      const [from = '', to = ''] = rest.split(' ');
      if (word === 'COPY') {
        expect(from).toBe('release/httpd-codemod');
        cpSync(built['executable']![0]!, join(made.path, to), { recursive: true });
      } else if (word === 'RUN') expect(made.run(cwd, '/bin/sh', '-c', rest)).toMatchObject({ status: 0 });
      else if (word === 'WORKDIR') mkdirSync(join(made.path, (cwd = rest)), { recursive: true });
      else if (word === 'ENTRYPOINT') [entry = ''] = JSON.parse(rest) as string[];
      else expect(word).toBe('FROM');
    }
    cpSync(join(root, 'examples'), join(made.path, cwd, 'examples'), { recursive: true });
    expect(made.run(cwd, entry, 'examples')).toEqual(expected());
  });
}

test('the package has what it depends on, and no more than that', () => {
  const listed = execFileSync('dpkg-deb', ['--field', built['deb']![0]!, 'Depends'], { encoding: 'utf8' });
  expect(listed).toBe('nodejs (>= 18)\n');
  const names = readdirSync(join(scratch, 'first'));
  expect(names).toHaveLength(kinds.length);
});
