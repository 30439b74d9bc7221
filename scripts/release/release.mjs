// Makes a release, as RELEASING.md describes: `npm run release -- VERSION` does all of it in a clone that is thrown away and says
// what came of it; with --write the commit, the tag and the tarball are then taken over. Nothing is pushed or published.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/;

/** Why there is no release; one line. */
class Refusal extends Error {}

const git = (cwd, ...args) => execFileSync('git', args, { cwd, encoding: 'utf8' }).trim();

function parseArguments(args) {
  const write = args.includes('--write');
  const [version, ...more] = args.filter((arg) => arg !== '--write');
  if (version === undefined || more.length > 0 || !VERSION.test(version))
    throw new Refusal('usage: npm run release -- MAJOR.MINOR.PATCH [--write]');
  return { version, write };
}

/** Whether version `a` comes before version `b`. */
function isBefore(a, b) {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number));
  const at = left.findIndex((part, i) => part !== right[i]);
  return at >= 0 && left[at] < right[at];
}

/** What stands in the changelog below the heading of a version that is not yet released. */
function changelogSection(text, version) {
  const heading = `\n## ${version} - unreleased\n`;
  const start = text.indexOf(heading);
  if (start < 0) throw new Refusal(`CHANGELOG.md has no section "## ${version} - unreleased"`);
  const from = start + heading.length;
  const next = text.indexOf('\n## ', from);
  const section = text.slice(from, next < 0 ? undefined : next).trim();
  if (!/^- /m.test(section)) throw new Refusal(`the section ${version} of CHANGELOG.md says nothing`);
  return section;
}

/** Refuses what must not be released, before anything is done; returns what the changelog says. */
function checkRepository(root, version) {
  const changed = git(root, 'status', '--porcelain');
  if (changed !== '') throw new Refusal(`the work tree is not clean: ${changed.split('\n')[0]}`);
  const branch = git(root, 'rev-parse', '--abbrev-ref', 'HEAD');
  if (branch !== 'main') throw new Refusal(`releases are made on main, and this is ${branch}`);
  if (git(root, 'tag', '--list', `v${version}`) !== '') throw new Refusal(`there is a tag v${version}`);
  const { version: last } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  if (isBefore(version, last)) throw new Refusal(`${version} comes before ${last}, which package.json has`);
  return changelogSection(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version);
}

function rewrite(path, change) {
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}

function setVersion(clone, version) {
  const today = new Date().toISOString().slice(0, 10);
  rewrite(join(clone, 'CHANGELOG.md'), (text) =>
    text.replace(`\n## ${version} - unreleased\n`, `\n## ${version} - ${today}\n`),
  );
  rewrite(join(clone, 'contrib/ansible/galaxy.yml'), (text) =>
    text.replace(/^version: .*$/m, `version: ${version}`),
  );
  for (const name of ['package.json', 'package-lock.json'])
    rewrite(join(clone, name), (text) => {
      const data = JSON.parse(text);
      data.version = version;
      if (data.packages?.['']) data.packages[''].version = version;
      return `${JSON.stringify(data, undefined, 2)}\n`;
    });
}

/** Everything that must hold, as in any fresh clone. Its last line says how much passed. */
function runChecks(clone) {
  const { status } = spawnSync(join(clone, '.ci/run'), [], { cwd: clone, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Refusal('.ci/run has failed');
}

/** Builds and packs; the tarball and the file of its checksum are all that is in `out`. */
function pack(clone, out) {
  mkdirSync(out);
  // What an earlier build has left would be packed too.
  rmSync(join(clone, 'dist'), { recursive: true, force: true });
  execFileSync('npm', ['pack', '--silent', '--pack-destination', out], {
    cwd: clone,
    stdio: ['ignore', 2, 2],
  });
  const [tarball] = readdirSync(out);
  const sum = createHash('sha256')
    .update(readFileSync(join(out, tarball)))
    .digest('hex');
  const line = `${sum}  ${tarball}\n`;
  writeFileSync(join(out, 'SHA256SUMS'), line);
  return line;
}

function release(root, scratch, { version, write }) {
  const notes = checkRepository(root, version);
  const clone = join(scratch, 'clone');
  git(root, 'clone', '--quiet', '--no-hardlinks', root, clone);
  for (const name of ['user.name', 'user.email']) git(clone, 'config', name, git(root, 'config', name));
  // The checks of real configurations, where those lie beside the repository.
  const shared = join(root, '../shared');
  if (existsSync(shared)) symlinkSync(shared, join(scratch, 'shared'));

  setVersion(clone, version);
  if (git(clone, 'status', '--porcelain') === '') throw new Refusal('there is nothing to commit');
  git(clone, 'commit', '--quiet', '--all', '--message', `Release ${version}`);
  git(
    clone,
    'tag',
    '--annotate',
    `v${version}`,
    '--cleanup=verbatim',
    '--message',
    `${version}\n\n${notes}\n`,
  );
  runChecks(clone);
  const out = join(scratch, 'release');
  const sum = pack(clone, out);

  process.stdout.write(`${git(clone, 'log', '-1', '--format=%h %s')}\ntag v${version}\n${sum}`);
  if (!write) return process.stdout.write('A dry run: nothing is kept. --write takes it over.\n');
  git(root, 'pull', '--quiet', '--ff-only', clone, 'main');
  git(root, 'fetch', '--quiet', clone, 'tag', `v${version}`);
  cpSync(out, join(root, 'release'), { recursive: true });
  return process.stdout.write(
    'In release/ are the tarball and its checksum. See RELEASING.md for what is left.\n',
  );
}

const scratch = mkdtempSync(join(tmpdir(), 'httpd-codemod-release-'));
try {
  release(process.cwd(), scratch, parseArguments(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  process.stderr.write(`release: ${error.message}\n`);
  process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
