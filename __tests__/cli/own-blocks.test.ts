import { convert } from '../../src';
import { command, type CommandResult } from '../../testing/run/command';

/** Runs `--dual` over standard input. */
const dual = (text: string, name = '.htaccess'): Promise<CommandResult> =>
  command(['--no-config', '--dual', '--stdin-name', name, '-'], { stdin: () => text });

/** What the first run leaves, which has to change something, is given to a second one. */
async function again(
  text: string,
  name?: string,
): Promise<{ readonly once: string; readonly said: CommandResult }> {
  const { stdout: once } = await dual(text, name);
  expect(once).toContain('<IfModule !mod_authz_core.c>');
  return { once, said: await dual(once, name) };
}

const EXTENSION = 'SSLRequire "committers" in OID("1.3.6.1.4.1.18060.12.0")\n';
const OLD_LINES = 'Order deny,allow\nDeny from all\n';

test.each([
  ['an expression that 2.4 reads in other words', EXTENSION, '.htaccess'],
  ['such a one among others', `Options -Indexes\n\n# Staff\n${EXTENSION}${OLD_LINES}`, '.htaccess'],
  ['a line that is gone', '<IfModule mod_cache.c>\n    CacheEnable fd /fast\n</IfModule>\n', 'x.conf'],
  [
    'lines without a section',
    '<Location /x>\n    SSLUserName SSL_CLIENT_S_DN_CN\n    Order allow,deny\n    Deny from all\n</Location>\n',
    'x.conf',
  ],
])('what a run has written for both versions is no finding in the next: %s', async (_, text, name) => {
  const { once, said } = await again(text, name);
  expect(said.stdout).toBe(once);
  expect(said.status).toBe(0);
  expect(said.stderr).not.toMatch(/only 2\.2 reads|skips this block/);
});

test('the library says no more of what it has written than the command', () => {
  const first = convert({ '/r/.htaccess': EXTENSION }, { dual: true });
  const second = convert(first.texts, { dual: true });
  expect(second.texts).toEqual(first.texts);
  expect(second.findings.filter(({ level }) => level !== 'info')).toEqual([]);
});

describe('a block that a run would not have written stays a finding', () => {
  test.each([
    ['it says more to 2.4', (once: string) => once.replace('SSLRequire false', 'SSLRequire true')],
    ['it says nothing to 2.4', (once: string) => once.replace('    SSLRequire false\n', '')],
    [
      '2.2 reads another line',
      (once: string) => once.replace('"committers" in', '"members" in OID("1.2") or "committers" in'),
    ],
    ['there is none for 2.4', (once: string) => once.replace(/<IfModule mod[^]*?<\/IfModule>\n/, '')],
  ])('%s', async (_, change) => {
    const { once } = await again(EXTENSION);
    const edited = change(once);
    expect(edited).not.toBe(once);
    const { status, stderr } = await dual(edited);
    expect(status).toBe(1);
    expect(stderr).toMatch(/only 2\.2\s+reads SSLRequire/);
  });
});

test('what the first run leaves to a person is left to one by the second, with what stands in its blocks', async () => {
  const unknown = `${EXTENSION}SSLRequire %{SSL_CIPHER} in OID("1.3.6.1.4.1.11129.2.4.2")\n`;
  const first = await dual(unknown);
  expect([first.status, first.stderr]).toEqual([1, expect.stringMatching(/is not\s+known/)]);
  const { said } = await again(unknown);
  expect(said.status).toBe(1);
  expect(said.stderr).toMatch(/only 2\.2\s+reads SSLRequire/);
});
