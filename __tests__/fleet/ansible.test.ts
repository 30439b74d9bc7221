import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { version } from '../../package.json';
import { buildCollection, COMMAND, Controller, type HostResult, killedAt } from '../../testing/fleet/ansible';
import { requireProgram } from '../../testing/httpd/install';

// The Ansible collection, built and installed as anybody would, with the real Ansible. The hosts are directories of this machine
// (each call takes the way of a real host but for ssh); npm run trial:fleet has fifty with a root and an ssh of their own.

const CLOSED = '<Directory /srv>\n  Order deny,allow\n  Deny from all\n</Directory>\n';

/** What is on every host, with a place for what differs. */
const texts = (root: string): Record<string, string> => ({
  'conf/httpd.conf': `ServerRoot ${root}\nLoadModule authz_host_module modules/mod_authz_host.so\nListen 80\nOptions None\n<Directory />\n  AllowOverride None\n</Directory>\nInclude conf.d/*.conf\n`,
  'conf.d/a.conf': CLOSED,
  'conf.d/b.conf': `${CLOSED}MaxClients 5\n`,
  'conf.d/c.conf': 'Timeout 60\n',
});

/** A server as Debian lays it out: 2.4 reads its sites only by other names, which is a step of the script. */
const ofDebian: Readonly<Record<string, string>> = {
  'apache2.conf': 'ServerRoot /etc/apache2\nListen 80\nOptions None\n<Directory />\n  AllowOverride None\n</Directory>\nInclude mods-enabled/*.load\nInclude sites-enabled/\n',
  'mods-enabled/authz_host.load': 'LoadModule authz_host_module /usr/lib/apache2/modules/mod_authz_host.so\n',
  'sites-enabled/000-default': `<VirtualHost *:80>\n${CLOSED}</VirtualHost>\n`,
}; // prettier-ignore

/** A blocker: lines of both versions in one section. */
const BLOCKED =
  '<Directory /srv/x>\n  Order deny,allow\n  Deny from all\n  Require all granted\n</Directory>\n';

interface Host {
  readonly more?: string;
  readonly vars: Readonly<Record<string, unknown>>;
}

const HOSTS: Readonly<Record<string, Host>> = {
  web1: { vars: { answers: { 'served-as': true, 'default-type': 'False' } } },
  bare: { vars: { command: '/nowhere/httpd-codemod', via: 'auto' } },
  blocked: { more: BLOCKED, vars: {} },
  written: { more: BLOCKED, vars: { blockers: 'write' } },
  refused: { vars: { configtest: 'echo "AH00526: Syntax error on line 3"; exit 1' } },
  barer: { vars: { command: '/nowhere/httpd-codemod', configtest: 'exit 1' } },
  debian: { vars: { steps: 'etc/apache2', configtest: 'test -e sites-enabled/000-default.conf' } },
  stepped: { vars: { steps: 'etc/apache2', configtest: 'exit 1' } },
  drifted: { vars: {} },
  killed: { vars: {} },
  struck: { vars: {} },
};

let scratch: string;
let controller: Controller;
const rootOf = (name: string): string => join(scratch, 'hosts', name, 'httpd');
const stateOf = (name: string): string => join(scratch, 'hosts', name, 'state');

/** All files of a host, by their paths. */
function snapshot(name: string): Record<string, string> {
  const root = rootOf(name);
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    files.toSorted().map((path) => [path.slice(root.length + 1), readFileSync(path, 'utf8')]),
  );
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

beforeAll(() => {
  requireProgram('shellcheck', 'shellcheck', 'to look at the script for hosts');
  scratch = mkdtempSync(join(tmpdir(), 'ansible-'));
  controller = new Controller(join(scratch, 'controller'));
  for (const [name, { more = '', vars }] of Object.entries(HOSTS)) {
    const isDebian = 'steps' in vars;
    for (const [path, text] of Object.entries(isDebian ? ofDebian : texts(rootOf(name))))
      write(
        join(rootOf(name), isDebian ? 'etc/apache2' : '', path),
        path.endsWith('b.conf') ? text + more : text,
      );
  }
  for (const [name, withParent] of [
    ['killed', false],
    ['struck', true],
  ] as const)
    write(join(scratch, `${name}.cjs`), killedAt(1, withParent));
}, 900_000);

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Runs the module on the hosts, or on some; a variable of a host, or one given here, is an option of the module. */
function play(
  given: Readonly<Record<string, unknown>>,
  args: readonly string[] = [],
  { names = Object.keys(HOSTS), kill = false } = {},
): ReturnType<Controller['play']> {
  const inventory = {
    all: {
      vars: { ansible_connection: 'local', ansible_python_interpreter: '/nowhere/python' },
      hosts: Object.fromEntries(
        names.map((name) => {
          const { vars } = HOSTS[name]!;
          const paths = [join(rootOf(name), name === 'bare' ? 'conf/httpd.conf' : '')];
          const test = `test -f ${rootOf(name)}/conf.d/a.conf`;
          const inDebian = 'steps' in vars && { paths: [rootOf(name)], steps: join(rootOf(name), 'etc/apache2'), configtest: `cd ${rootOf(name)}/etc/apache2 && ${String(vars['configtest'])}` };
          const options = { paths, configtest: test, command: COMMAND, controller_command: COMMAND, report: join(scratch, `reports/${name}.json`), ...vars, ...inDebian, ...given };
          const preload = kill && (name === 'killed' || name === 'struck') ? { NODE_OPTIONS: `--require ${join(scratch, `${name}.cjs`)}` } : {};
          return [name, { options, environment_of: { XDG_STATE_HOME: stateOf(name), ...preload } }];
        }),
      ),
    },
  }; // prettier-ignore
  const undone = given['state'] === 'undone';
  const module = undone
    ? { state: 'undone', command: '{{ options.command }}' }
    : Object.fromEntries(
        [
          'paths',
          'answers',
          'blockers',
          'reviewed',
          'configtest',
          'steps',
          'via',
          'command',
          'controller_command',
          'report',
        ].map((name) => [name, `{{ options.${name} | default(omit) }}`]),
      );
  const task = { 'httpd_codemod.fleet.httpd_codemod': module };
  const playbook = [
    { hosts: 'all', gather_facts: false, environment: '{{ environment_of }}', tasks: [task] },
  ];
  const played = controller.play(inventory, playbook, '--forks', '3', ...args);
  expect(Object.keys(played.results).toSorted()).toEqual(names.toSorted());
  return played;
}

/** What the command itself prints where the task runs it. */
const diffOf = (name: string): string =>
  spawnSync(process.execPath, [COMMAND, rootOf(name)], { cwd: controller.directory, encoding: 'utf8' })
    .stdout;

const of = (
  results: Readonly<Record<string, HostResult>>,
  pick: (result: HostResult) => unknown,
): Record<string, unknown> =>
  Object.fromEntries(Object.entries(results).map(([name, result]) => [name, pick(result)]));

test('from the first look to the way back, on hosts that fail in every way: nothing is half done', () => {
  const before = Object.fromEntries(Object.keys(HOSTS).map((name) => [name, snapshot(name)]));
  const isAsBefore = (name: string): boolean =>
    JSON.stringify(snapshot(name)) === JSON.stringify(before[name]);

  // To look writes nothing, and shows what the command shows.
  const { results: looked, output } = play({}, ['--check', '--diff']);
  expect(of(looked, ({ outcome, changed, msg }) => [outcome, changed, msg !== undefined])).toEqual(
    of(looked, () => ['looked', true, false]),
  );
  expect(Object.keys(HOSTS).filter((name) => !isAsBefore(name))).toEqual([]);
  expect(readdirSync(join(scratch, 'hosts/web1'))).toEqual(['httpd']);
  for (const name of ['web1', 'blocked', 'refused'])
    expect(output).toContain(`\n${diffOf(name)}changed: [${name}]\n`);
  expect(of(looked, ({ via }) => via)).toMatchObject({
    web1: 'host',
    bare: 'controller',
    barer: 'controller',
  });
  expect(looked['blocked']!.warnings).toEqual([
    expect.stringMatching(/^blocked: a real run would fail: 1 blocker: /),
  ]);
  expect(looked['web1']!.ansible_facts!.httpd_codemod).toMatchObject({
    blockers: [],
    changes: expect.any(Number) as number,
    via: 'host',
  });

  // Somebody changes a host after that; two are killed in the middle, one of them with all that runs there.
  write(join(rootOf('drifted'), 'conf.d/c.conf'), CLOSED);
  before['drifted'] = snapshot('drifted');
  const reviewed = looked['drifted']!.fingerprint;
  const drifted = play({ reviewed }, [], { names: ['drifted'] }).results['drifted']!;
  const others = Object.keys(HOSTS).filter((name) => name !== 'drifted');
  const written: Readonly<Record<string, HostResult | undefined>> = {
    ...play({}, [], { names: others, kill: true }).results,
    drifted,
  };
  expect(
    of(written as Record<string, HostResult>, ({ outcome, changed, msg }) => [
      outcome,
      changed,
      msg !== undefined,
    ]),
  ).toEqual({
    web1: ['written', true, false],
    bare: ['written', true, false],
    written: ['written', true, false],
    blocked: ['refused', false, true],
    refused: ['undone', false, true],
    barer: ['undone', false, true],
    debian: ['written', true, false],
    stepped: ['undone', false, true],
    drifted: ['refused', false, true],
    killed: ['refused', false, true],
    struck: ['undone', false, true],
  });
  expect(Object.keys(HOSTS).filter((name) => isAsBefore(name))).toEqual([
    'blocked',
    'refused',
    'barer',
    'stepped',
    'drifted',
    'killed',
    'struck',
  ]);
  expect(written['refused']!.msg).toBe('the test failed: AH00526: Syntax error on line 3; all was put back');
  expect(written['drifted']!.msg).toBe(
    'the changes are no longer those that were looked at; nothing was changed',
  );
  expect(written['blocked']!.blockers![0]!.places).toEqual([expect.stringMatching(/conf\.d\/b\.conf:\d+$/)]);
  expect(snapshot('web1')['conf.d/b.conf']).toContain('MaxRequestWorkers 5');
  expect(snapshot('bare')).toEqual(
    Object.fromEntries(
      Object.entries(snapshot('web1')).map(([path, text]) => [
        path,
        text.replace(rootOf('web1'), rootOf('bare')),
      ]),
    ),
  );

  // One report names all of them.
  const { stdout } = spawnSync(
    process.execPath,
    [
      COMMAND,
      'report',
      'merge',
      ...Object.keys(HOSTS).map((name) => join(scratch, `reports/${name}.json`)),
      '--format',
      'json',
    ],
    { encoding: 'utf8' },
  );
  const merged = JSON.parse(stdout) as { hosts: { name: string; status: string; trouble: string[] }[] };
  expect(Object.fromEntries(merged.hosts.map(({ name, status }) => [name, status]))).toEqual({
    web1: 'done',
    bare: 'done',
    written: 'blocked',
    blocked: 'blocked',
    refused: 'failed',
    barer: 'failed',
    debian: 'done',
    stepped: 'failed',
    drifted: 'failed',
    killed: 'failed',
    struck: 'failed',
  });
  expect(merged.hosts.find(({ name }) => name === 'refused')!.trouble).toEqual([written['refused']!.msg]);

  // Again: nothing changes where all went well, and what was killed is done now.
  const names = ['web1', 'bare', 'debian', 'killed', 'struck'];
  const { results: again } = play({}, [], { names });
  expect(of(again, ({ outcome, changed }) => [outcome, changed])).toEqual({
    web1: ['nothing', false],
    bare: ['nothing', false],
    debian: ['nothing', false],
    killed: ['written', true],
    struck: ['written', true],
  });

  // The way back, and no further.
  const [back, further] = [1, 2].map(() => play({ state: 'undone' }, [], { names }).results) as [
    Record<string, HostResult>,
    Record<string, HostResult>,
  ];
  expect(of(back, ({ changed }) => changed)).toEqual({
    web1: true,
    bare: true,
    debian: true,
    killed: true,
    struck: true,
  });
  expect(of(further, ({ changed, outcome }) => [changed, outcome])).toEqual(
    of(further, () => [false, 'nothing']),
  );
  expect(names.filter((name) => !isAsBefore(name))).toEqual([]);
}, 600_000);

test('what takes back an interrupted run waits for one that is at work still', async () => {
  const home = join(scratch, 'slow');
  for (const [path, text] of Object.entries(texts(home))) write(join(home, path), text);
  const script = join(home, 'host.sh');
  write(script, readFileSync(join(__dirname, '../../contrib/ansible/files/host.sh'), 'utf8'));
  const call = async (...args: readonly string[]): Promise<string> => {
    const child = spawn('sh', [script, ...args], {
      env: { ...process.env, XDG_STATE_HOME: join(home, 'state') },
    });
    let said = '';
    for await (const piece of child.stdout) said += String(piece);
    return said.trimEnd().split('\n').at(-1)!;
  };
  await call('plan', COMMAND, '--format', 'json', join(home, 'conf'), join(home, 'conf.d'));
  const tested = join(home, 'tested');
  const written = call('apply', COMMAND, `touch ${tested}; sleep 2`);
  while (!existsSync(tested)) await new Promise((resolve) => setTimeout(resolve, 50));
  const recovered = call('recover', COMMAND);
  expect(await Promise.all([written, recovered])).toEqual(['outcome: written', 'outcome: undone']);
  expect(readFileSync(join(home, 'conf.d/b.conf'), 'utf8')).toContain('MaxRequestWorkers 5');
}, 120_000);

test('ansible-doc prints every option', () => {
  const text = controller.run('ansible-doc', '--json', 'httpd_codemod.fleet.httpd_codemod');
  const [{ doc }] = Object.values(
    JSON.parse(text) as Record<string, { doc: { options: object } }>,
  ) as [{ doc: { options: object } }]; // prettier-ignore
  const action = readFileSync(
    join(
      controller.directory,
      'collections/ansible_collections/httpd_codemod/fleet/plugins/action/httpd_codemod.py',
    ),
    'utf8',
  );
  const known = action.slice(
    action.indexOf('OPTIONS = {'),
    action.indexOf('\n}', action.indexOf('OPTIONS = {')),
  );
  const names = [...known.matchAll(/^ {4}'(\w+)':/gm)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(5);
  expect(Object.keys(doc.options).toSorted()).toEqual(names.toSorted());
});

test('the collection has the version of the program, and the same bytes each time; its script for hosts is one for every shell', () => {
  const again = buildCollection(join(scratch, 'again'));
  expect(readFileSync(again).equals(readFileSync(controller.file))).toBe(true);
  expect(controller.file).toMatch(
    new RegExp(`/httpd_codemod-fleet-${version.replaceAll('.', '\\.')}\\.tar\\.gz$`),
  );
  expect(
    execFileSync('shellcheck', [join(__dirname, '../../contrib/ansible/files/host.sh')], {
      encoding: 'utf8',
    }),
  ).toBe('');
});
