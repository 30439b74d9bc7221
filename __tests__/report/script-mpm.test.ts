import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { loadRereadable } from '../../src/config';
import { disk } from '../../src/config/source/disk';
import { type Answer, run } from '../../src/engine';
import { scriptReport } from '../../src/report';
import { requireHttpd } from '../../testing/httpd/binary';
import { transforms } from '../../transforms';

const MPMS = ['event', 'prefork', 'worker'];
const MAIN = `ServerName web1
Listen 80
Include mods-enabled/*.load
Include conf.d/
`;

/** Runs the script for a server with the files of both packages, in place. @returns its directory, and what is enabled */
function runInPlace(enabled: readonly string[], php?: string): { directory: string; modules: string[] } {
  const { moduleDir } = requireHttpd();
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'script-'));
  for (const name of ['mods-available', 'mods-enabled', 'conf.d']) fs.mkdirSync(path.join(directory, name));
  const loads: Record<string, string> = { php5: '/nowhere/libphp5.so' };
  for (const name of MPMS) loads[`mpm_${name}`] = `${moduleDir}/mod_mpm_${name}.so`;
  for (const [name, library] of Object.entries(loads))
    fs.writeFileSync(
      path.join(directory, `mods-available/${name}.load`),
      `LoadModule ${name}_module ${library}\n`,
    );
  for (const name of enabled)
    fs.symlinkSync(`../mods-available/${name}.load`, path.join(directory, `mods-enabled/${name}.load`));
  fs.writeFileSync(path.join(directory, 'apache2.conf'), MAIN);
  const given = { cwd: directory, defines: new Map<string, string>(), env: new Map<string, string>() };
  const answers: Answer[] = php === undefined ? [] : [{ key: 'php', choice: php, value: true, reason: '' }];
  const script = scriptReport(run(loadRereadable(disk, [directory], given), transforms, { answers }));
  const options = {
    input: script,
    stdio: ['pipe', 'pipe', 'pipe'] as 'pipe'[],
    env: { ...process.env, MODULES: moduleDir },
  };
  for (const _ of [1, 2]) execFileSync('sh', ['-s', directory], options);
  const modules = fs
    .readdirSync(path.join(directory, 'mods-enabled'))
    .filter((name) => name.startsWith('mpm_'));
  return { directory, modules };
}

describe('the script for a Debian server whose 2.4 is installed already', () => {
  test.each([
    ['none', [], undefined, 'mpm_prefork.load'],
    ['mpm_event, and PHP as a module', ['mpm_event', 'php5'], 'module', 'mpm_prefork.load'],
    ['mpm_worker, and PHP as a module', ['mpm_worker', 'php5'], 'module', 'mpm_prefork.load'],
    ['mpm_event, and PHP in FPM', ['mpm_event', 'php5'], 'fpm:/run/php.sock', 'mpm_event.load'],
    ['mpm_event, without PHP', ['mpm_event'], 'module', 'mpm_event.load'],
  ])('leaves one MPM of %s, with which httpd starts', (_, enabled, php, mpm) => {
    const { directory, modules } = runInPlace(enabled, php);
    expect(modules).toEqual([mpm]);
    // Only the MPM is looked at: another module may be missing here.
    fs.writeFileSync(path.join(directory, 'mpm.conf'), `Include ${directory}/mods-enabled/mpm_*.load\nErrorLog ${directory}/error.log\n`);
    const args = ['-d', directory, '-f', path.join(directory, 'mpm.conf'), '-M'];
    const loaded = execFileSync(requireHttpd().bin, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    expect(loaded.match(/mpm_\w+_module/g)).toEqual([mpm.replace('.load', '_module')]);
    fs.rmSync(directory, { recursive: true });
  }); // prettier-ignore

  test('has conf-enabled read where conf.d is empty, which a new server does not have', () => {
    const { directory } = runInPlace([]);
    expect(fs.readFileSync(path.join(directory, 'apache2.conf'), 'latin1')).toContain(
      '\nIncludeOptional conf-enabled/*.conf\n',
    );
    fs.rmSync(directory, { recursive: true });
  });
});

describe('the look at the result', () => {
  const given = (cwd: string) => ({
    cwd,
    defines: new Map<string, string>(),
    env: new Map<string, string>(),
  });
  /** Puts a server into another directory, with these programs. @returns what these were asked */
  function lookedAt(controls: readonly string[], main: string): string {
    const top = fs.mkdtempSync(path.join(os.tmpdir(), 'look-'));
    for (const name of ['tools', 'old', 'new']) fs.mkdirSync(path.join(top, name));
    for (const name of ['old', 'new']) {
      fs.mkdirSync(path.join(top, name, path.dirname(main)), { recursive: true });
      fs.writeFileSync(path.join(top, name, main), 'ServerRoot /srv\nServerName web1\nListen 80\n');
    }
    for (const name of controls)
      fs.writeFileSync(path.join(top, 'tools', name), `#!/bin/sh\necho "${name} $APACHE_CONFDIR: $*"\n`, {
        mode: 0o755,
      });
    const script = scriptReport(run(loadRereadable(disk, [path.join(top, 'old')], given(top)), transforms));
    fs.writeFileSync(path.join(top, 'script'), script);
    const env = { PATH: `${path.join(top, 'tools')}:/usr/bin:/bin`, MODULES: '/nowhere' };
    const args = [path.join(top, 'script'), path.join(top, 'old'), path.join(top, 'new')];
    const said = execFileSync('sh', args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    fs.rmSync(top, { recursive: true });
    return said.replaceAll(fs.realpathSync(os.tmpdir()), '').replaceAll(/\/look-\w+/g, '');
  }

  test.each([
    ['by apache2ctl', ['apache2ctl', 'apachectl'], 'apache2.conf', 'apache2ctl /new: configtest\n'],
    [
      'by httpd beside an apachectl that looks elsewhere',
      ['apachectl', 'httpd'],
      'conf/httpd.conf',
      'httpd /new: -t -d /new -f /new/conf/httpd.conf\n',
    ],
    [
      'by httpd, with the main file at the top',
      ['httpd'],
      'httpd.conf',
      'httpd /new: -t -d /new -f /new/httpd.conf\n',
    ],
  ])('is at the new directory %s', (_, controls, main, said) => {
    expect(lookedAt(controls, main)).toBe(said);
  });
});
