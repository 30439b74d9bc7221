import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Has the person at the terminal change a text, in the editor that VISUAL or EDITOR names (a command line, as for git), else in
 * vi.
 * @param text bytes as latin1
 * @returns the text as it was saved; undefined where the editor could not be run, or failed
 * @throws the system's error where there is no place for the text
 */
export function editText(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const editor = [env['VISUAL'], env['EDITOR']].find((name) => name !== undefined && name !== '') ?? 'vi';
  const directory = mkdtempSync(join(tmpdir(), 'httpd-codemod-'));
  try {
    const path = join(directory, 'change.conf');
    writeFileSync(path, text, { encoding: 'latin1', mode: 0o600 });
    const { status } = spawnSync('sh', ['-c', `${editor} "$1"`, editor, path], { stdio: 'inherit' });
    return status === 0 ? readFileSync(path, 'latin1') : undefined;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
