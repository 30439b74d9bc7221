import { execFileSync } from 'node:child_process';
import fs, { readdirSync } from 'node:fs';
import { statusOf } from '../../src/cli/output';
import { contentOf } from '../../src/report/content';
import { casesOf, convertCase, HOME, readCase } from '../../testing/fixtures/case';
import { type CommandResult, command } from '../../testing/run/command';
import { directory } from '../../testing/write/directory';
import { stateDirectory, storeIn } from '../../testing/write/store';
import { unbroken } from '../../testing/run/unbroken';

const openStore = storeIn(stateDirectory());
const writeOutput = (path: string, text: string): void => fs.writeFileSync(path, text, 'latin1');
const run = (cwd: string, argv: readonly string[]): Promise<CommandResult> =>
  command(argv, { cwd }, { openStore, writeOutput });

const GRANTED = '<Directory /srv/www>\n    Require all granted\n</Directory>\n';
/** Nobody knows what the missing file says. */
const MISSING = `Include conf.d/missing.conf\n${GRANTED}`;

describe('a blocker is status 1', () => {
  const modes: readonly (readonly string[])[] = [
    [],
    ['--check'],
    ['--diff'],
    ['--write'],
    ['--quiet'],
    ['--summary'],
    ['--fail-on', 'info'],
    ...['json', 'sarif', 'github', 'html', 'markdown', 'junit', 'gitlab', 'sh'].map((format) => [`--format=${format}`]),
  ]; // prettier-ignore

  test.each(modes)('%s %s', async (...mode) => {
    const options = mode.filter((word) => word !== undefined);
    const cwd = directory({ 'httpd.conf': MISSING, 'whole.conf': GRANTED });
    expect(await run(cwd, [...options, 'httpd.conf'])).toMatchObject({ status: 1 });
    expect(await run(cwd, [...options, 'whole.conf'])).toMatchObject({ status: 0 });
  });

  test('where it is a warning, and the report says so', async () => {
    const cwd = directory({ 'httpd.conf': MISSING });
    const { stderr } = await run(cwd, ['httpd.conf']);
    expect(unbroken(stderr)).toContain(
      ' 1 ! give these files, which Include lines name and this run lacks, or remove the lines if the server lacks them too: conf.d/missing.conf (httpd.conf:1)\n',
    );
    expect(stderr).toContain(', 1 blocker\n');
    expect(await run(cwd, ['--fail-on', 'never', 'httpd.conf'])).toMatchObject({ status: 0 });
  });

  test('and what the Include names is asked for again once it is optional, unless the server has the directory', async () => {
    const text = `ServerRoot /etc/httpd\nListen 80\nInclude vhosts/*.conf\n${GRANTED}`;
    const cwd = directory({ 'a/httpd.conf': text, 'b/httpd.conf': text, 'b/vhosts/README': '' });
    const [lacking, empty] = [
      await run(cwd, ['--write', 'a/httpd.conf']),
      await run(cwd, ['--write', 'b/httpd.conf']),
    ];
    expect([lacking.status, empty.status]).toEqual([1, 0]);
    const asked =
      'give the files that these IncludeOptional lines name, too, if the server has any: nobody has looked into them: a/httpd.conf:';
    expect(unbroken((await run(cwd, ['a/httpd.conf'])).stderr)).toContain(asked);
    expect((await run(cwd, ['b/httpd.conf'])).stderr).not.toContain('give the files');
  });

  test('and is asked for together with what must be there', async () => {
    const cwd = directory({
      'httpd.conf': `ServerRoot /etc/httpd\nListen 80\nIncludeOptional vhosts/*.conf\n${MISSING}${GRANTED}`,
    });
    const { stderr } = await run(cwd, ['httpd.conf']);
    expect(unbroken(stderr)).toContain(
      ': what IncludeOptional lines name, if there is any (httpd.conf:3), conf.d/missing.conf (httpd.conf:4)\n',
    );
    expect(stderr.match(/httpd-codemod FILES/g)).toHaveLength(1);
  });

  test('until a person has said that no PHP runs', async () => {
    const text = `ServerRoot /etc/httpd\nListen 80\nAddHandler php5-script .php\n${GRANTED}`;
    const cwd = directory({ 'httpd.conf': text });
    expect(await run(cwd, ['httpd.conf'])).toMatchObject({ status: 1 });
    const { status, stderr } = await run(cwd, ['--write', '--answer', 'php=none', 'httpd.conf']);
    expect(status).toBe(0);
    expect(unbroken(stderr)).toContain('1 place lets in fewer than 2.2 did');
    expect(stderr).not.toContain('no module of 2.4 is known to serve this');
  });

  test('that names the answer which settles what a placeholder stands for, if one does', async () => {
    const cwd = directory({
      'hosts.conf':
        '<Directory /srv>\nOrder deny,allow\nDeny from all\nAllow from {{ office }}\n</Directory>\n',
      'value.conf': '<Directory /srv>\nOrder {{ order }}\nAllow from 10.0.0.1\n</Directory>\n',
    });
    const { stderr } = await run(cwd, ['hosts.conf']);
    expect(unbroken(stderr)).toMatch(
      / 1 ! say what placeholders .*: hosts\.conf:4\n +\$ httpd-codemod --answer placeholder=ip hosts\.conf\n/,
    );
    expect((await run(cwd, ['value.conf'])).stderr).not.toContain('--answer placeholder');
  });

  test('when a saved plan is written, and when it is asked what it would write', async () => {
    const cwd = directory({
      'httpd.conf': `${MISSING}MaxClients 5\n`,
      'whole.conf': `${GRANTED}MaxClients 5\n`,
    });
    const statuses = async (name: string): Promise<readonly number[]> => {
      await run(cwd, ['--plan', `${name}.json`, `${name}.conf`]);
      const written = await run(cwd, ['apply', `${name}.json`]);
      // Nothing is left to write.
      await run(cwd, ['--plan', `${name}2.json`, `${name}.conf`]);
      const checked = await run(cwd, ['apply', '--check', `${name}2.json`]);
      return [written.status, checked.status];
    };
    expect(await statuses('httpd')).toEqual([1, 1]);
    expect(await statuses('whole')).toEqual([0, 0]);
  });

  test('of a commit', async () => {
    const status = async (text: string): Promise<number> => {
      const cwd = directory({ 'httpd.conf': text });
      execFileSync('git', ['init', '-q'], { cwd });
      execFileSync('git', ['add', '-A'], { cwd });
      return (await run(cwd, ['hook', 'run'])).status;
    };
    expect(await status(MISSING)).toBe(1);
    expect(await status(GRANTED)).toBe(0);
  });

  test('of standard input', async () => {
    const status = async (text: string): Promise<number> =>
      (await command(['-', '--check'], { stdin: () => text })).status;
    expect(await status(`${GRANTED}<Directory /x>\n`)).toBe(1);
    expect(await status(GRANTED)).toBe(0);
  });
});

test('every fixture: the blockers that are shown and the exit status agree', () => {
  const disagreeing: string[] = [];
  const seen = { blockers: 0, none: 0 };
  for (const rule of readdirSync(HOME))
    for (const name of casesOf(rule)) {
      const { id, input, options } = readCase(rule, name);
      const result = convertCase(input, options);
      const { questions, steps, plan } = contentOf(result, { transforms: [] });
      const blocks = plan.blockers.length > 0;
      seen[blocks ? 'blockers' : 'none']++;
      // What refuses more than 2.2 did is written, and a person has to look at it; without the script's steps, 2.4 does not
      // start.
      const waits =
        blocks ||
        [...questions, ...steps].some(({ outcomes }) => outcomes.some(({ level }) => level === 'error'));
      const written = statusOf(result, { mode: 'write', failOn: 'error' });
      const never = statusOf(result, { mode: 'write', failOn: 'never' });
      const planned = statusOf(result, { mode: 'diff', failOn: 'error' });
      const expected = [waits ? 1 : 0, 0, waits || result.plan.length > 0 ? 1 : 0];
      if ([written, never, planned].join(' ') !== expected.join(' ')) disagreeing.push(id);
    }
  expect(disagreeing).toEqual([]);
  expect(Math.min(seen.blockers, seen.none)).toBeGreaterThan(100);
});
