// The Ansible collection, built by ansible-galaxy and packed again so that two builds have the same bytes.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** Writes the collection, and returns the path of the file. */
export function makeCollection(root, output, { date }) {
  const scratch = mkdtempSync(join(tmpdir(), 'httpd-codemod-collection-'));
  try {
    const source = join(scratch, 'source');
    cpSync(join(root, 'contrib/ansible'), source, { recursive: true });
    cpSync(join(root, 'LICENSE'), join(source, 'LICENSE'));
    const built = join(scratch, 'built');
    execFileSync('ansible-galaxy', ['collection', 'build', source, '--output-path', built], {
      env: { ...process.env, ANSIBLE_HOME: join(scratch, 'home'), LC_ALL: 'C.UTF-8' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const [name] = readdirSync(built);
    const tree = join(scratch, 'tree');
    mkdirSync(tree);
    execFileSync('tar', ['-xzf', join(built, name), '-C', tree]);
    const packed = execFileSync(
      'tar',
      ['--sort=name', `--mtime=@${date}`, '--owner=0', '--group=0', '--numeric-owner', '--format=ustar', '-cf', '-', '-C', tree, ...readdirSync(tree).toSorted()], // prettier-ignore
      { maxBuffer: 1 << 26 },
    );
    const target = join(output, basename(name));
    writeFileSync(target, gzipSync(packed, { level: 9 }));
    return target;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
