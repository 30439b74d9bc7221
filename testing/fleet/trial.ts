// npm run trial:fleet [-- --hosts N --forks N]: Debian's Ansible and fifty hosts on this machine, each with a root and an sshd of
// its own, five of them broken in different ways. Looks, converts, converts again, and holds every host to this: all of its files
// are as they were, or all are converted. Needs root, and ansible-core and openssh-server, which it installs on Debian. Nothing
// leaves the network namespace that it makes. Its last line is "N passed, N failed".
import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { requireHttpd } from '../httpd/binary';
import { requireProgram } from '../httpd/install';
import { inNamespace, runInNamespace } from '../httpd/netns';
import { COMMAND, Controller, type HostResult } from './ansible';
import { filesOf, makeHost, startHost, type TrialHost, type Trouble } from './hosts';

const TROUBLES: readonly Trouble[] = [
  'full disk',
  'failing configtest',
  'killed in the middle',
  'no Python, no command',
  'drifted',
];

/** One run of the play over all hosts. */
interface Round {
  readonly seconds: number;
  readonly results: Readonly<Record<string, HostResult>>;
  /** What became of a host's files: none is changed, all that were to be, or some of them. */
  readonly files: Readonly<Record<string, 'as before' | 'converted' | 'half'>>;
}

class Trial {
  readonly controller: Controller;
  readonly hosts: readonly TrialHost[];
  private before = new Map<string, ReadonlyMap<string, string>>();
  private planned = new Map<string, readonly string[]>();

  constructor(
    private readonly scratch: string,
    count: number,
    private readonly forks: number,
  ) {
    this.controller = new Controller(join(scratch, 'controller'));
    const keys = join(scratch, 'keys');
    mkdirSync(keys);
    for (const name of ['user', 'host'])
      execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(keys, name)]);
    const first = count - TROUBLES.length;
    this.hosts = Array.from({ length: count }, (_, i) => makeHost(scratch, i + 1, TROUBLES[i - first]));
    for (const host of this.hosts) startHost(host, keys);
    const { bin, moduleDir } = requireHttpd();
    for (const host of this.hosts)
      for (const path of ['etc/httpd', 'usr/local/apache'])
        execFileSync('sh', [
          '-c',
          '[ ! -d "$1" ] || ln -sfn "$2" "$1/modules"',
          'sh',
          join(host.root, path),
          moduleDir,
        ]);
    // The host, and the controller, have it at the same path.
    const loads = spawnSync(bin, ['-l'], { encoding: 'utf8' }).stdout;
    const statics = [...loads.matchAll(/^ +(?:mod_)?(\w+)\.c$/gm)].map(
      ([, name]) => ` ${name}_module (static)\n`,
    );
    const shared = execFileSync('ls', [moduleDir], { encoding: 'utf8' });
    writeFileSync(
      join(scratch, 'modules.txt'),
      `Loaded Modules:\n${statics.join('')} mpm_prefork_module (shared)\n${shared}`,
    );
    for (const host of this.hosts) this.before.set(host.name, filesOf(host));
  }

  /** Has somebody change a host, so that what was looked at is not what is there. */
  drift(): void {
    for (const host of this.hosts.filter(({ trouble }) => trouble === 'drifted')) {
      appendFileSync(
        join(host.root, host.paths[0]!, '../conf.d/welcome.conf'),
        '<Location /new>\n    Order allow,deny\n    Deny from all\n</Location>\n',
      );
      this.before.set(host.name, filesOf(host));
    }
  }

  run(options: { readonly check?: boolean; readonly kill?: boolean }): Round {
    const { scratch } = this;
    const inventory = {
      all: {
        vars: {
          ansible_user: 'root',
          ansible_ssh_private_key_file: join(scratch, 'keys/user'),
          ansible_ssh_common_args:
            '-o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR',
          httpd_codemod_options: ['--pin-defaults', '--follow', '--modules', join(scratch, 'modules.txt')],
          httpd_codemod_answers: { 'served-as': true },
          httpd_codemod_controller_command: COMMAND,
          httpd_codemod_reports: join(scratch, 'reports'),
          httpd_codemod_report_group: '{{ layout }}',
          httpd_codemod_review: true,
        },
        hosts: Object.fromEntries(
          this.hosts.map(({ name, address, paths, layout, trouble }) => [
            name,
            {
              ansible_host: address,
              layout,
              httpd_codemod_paths: paths,
              extra:
                trouble === 'killed in the middle' && options.kill
                  ? { NODE_OPTIONS: '--require /opt/killed.cjs' }
                  : {},
            },
          ]),
        ),
      },
    };
    const playbook = [
      {
        hosts: 'all',
        gather_facts: false,
        environment: '{{ extra }}',
        tasks: [{ import_role: { name: 'httpd_codemod.fleet.convert' } }],
      },
    ];
    const started = Date.now();
    const { results, output } = this.controller.play(
      inventory,
      playbook,
      '--forks',
      String(this.forks),
      ...(options.check ? ['--check', '--diff'] : []),
    );
    const seconds = (Date.now() - started) / 1000;
    writeFileSync(join(scratch, 'output.txt'), output);
    if (options.check)
      for (const [name, { files = [] }] of Object.entries(this.lookedAt())) this.planned.set(name, files);
    return {
      seconds,
      results,
      files: Object.fromEntries(this.hosts.map((host) => [host.name, this.stateOf(host)])),
    };
  }

  /** The reports that the role has kept, by host. */
  lookedAt(): Readonly<Record<string, { readonly files: readonly string[] }>> {
    return Object.fromEntries(
      this.hosts.map(({ name, layout }) => {
        const report = JSON.parse(
          readFileSync(join(this.scratch, 'reports', layout, `${name}.json`), 'utf8'),
        ) as { files: { path: string; changed: boolean }[] };
        return [name, { files: report.files.filter(({ changed }) => changed).map(({ path }) => path) }];
      }),
    );
  }

  private stateOf(host: TrialHost): 'as before' | 'converted' | 'half' {
    const before = this.before.get(host.name)!;
    const now = filesOf(host);
    const changed = [...now].filter(([path, text]) => before.get(path) !== text).map(([path]) => path);
    if (changed.length === 0 && now.size === before.size) return 'as before';
    return changed.length === this.planned.get(host.name)?.length ? 'converted' : 'half';
  }

  merged(): string {
    const reports = this.hosts.map(({ name, layout }) =>
      join(this.scratch, 'reports', layout, `${name}.json`),
    );
    return spawnSync(process.execPath, [COMMAND, 'report', 'merge', ...reports], { encoding: 'utf8' }).stdout;
  }
}

/** What must have become of a host, in the second and in the third run. */
const EXPECTED: Readonly<Record<Trouble | 'none', readonly [written: string, again: string]>> = {
  none: ['written converted', 'nothing converted'],
  'full disk': ['refused as before', 'refused as before'],
  'failing configtest': ['undone as before', 'undone as before'],
  'killed in the middle': ['undone as before', 'written converted'],
  'no Python, no command': ['written converted', 'nothing converted'],
  drifted: ['refused as before', 'refused as before'],
};

function tableOf(trial: Trial, rounds: readonly Round[], forks: number): string {
  const [looked, written, again] = rounds as [Round, Round, Round];
  const outcome = (round: Round, name: string): string =>
    `${round.results[name]?.outcome ?? (round === looked && round.results[name] ? 'looked' : 'unreachable')} ${round.files[name]}`;
  let failed = 0;
  const lines: string[] = [
    '| host | trouble | way | looked | converted | again | what it says |',
    '| --- | --- | --- | --- | --- | --- | --- |',
  ];
  const well: string[] = [];
  for (const { name, trouble } of trial.hosts) {
    const is = [outcome(looked, name), outcome(written, name), outcome(again, name)];
    const isRight =
      is[0] === 'looked as before' &&
      is[1] === EXPECTED[trouble ?? 'none'][0] &&
      is[2] === EXPECTED[trouble ?? 'none'][1];
    if (!isRight) failed++;
    if (trouble === undefined && isRight) well.push(name);
    else
      lines.push(
        `| ${name} | ${trouble ?? ''}${isRight ? '' : ' **unexpected**'} | ${looked.results[name]?.via ?? ''} | ${is.join(' | ')} | ${((is[0]!.startsWith('looked') ? written : looked).results[name]?.msg ?? '').slice(0, 160)} |`,
      );
  }
  lines.splice(
    2,
    0,
    `| ${well.length} hosts | | host | looked as before | written converted | nothing converted | |`,
  );
  const each = (round: Round): number =>
    (round.seconds * Math.min(forks, trial.hosts.length)) / trial.hosts.length;
  const onPaper = (round: Round, with_: number): string =>
    `${Math.ceil((Math.ceil(500 / with_) * each(round)) / 60)} min`;
  return [
    ...lines,
    '',
    `${trial.hosts.length} hosts, ${forks} forks: looked in ${looked.seconds.toFixed(0)} s, converted in ${written.seconds.toFixed(0)} s, again in ${again.seconds.toFixed(0)} s.`,
    `A host has a fork for ${each(looked).toFixed(1)} s, ${each(written).toFixed(1)} s and ${each(again).toFixed(1)} s; all of them, and the controller, share this machine's processors.`,
    `500 hosts on paper, as long each: ${[5, 10, 25, 50].map((number) => `${number} forks ${onPaper(looked, number)} and ${onPaper(written, number)}`).join('; ')}.`,
    '',
    trial.merged(),
    `${trial.hosts.length - failed} passed, ${failed} failed`,
  ].join('\n');
}

async function main(argv: string[]): Promise<void> {
  const { values } = parseArgs({
    args: argv,
    options: {
      hosts: { type: 'string', default: '50' },
      forks: { type: 'string', default: '10' },
      keep: { type: 'boolean', default: false },
      scratch: { type: 'string' },
    },
  });
  const [hosts, forks] = [Number(values.hosts), Number(values.forks)];
  if (!(hosts > TROUBLES.length && hosts < 255 && forks > 0))
    throw new Error(`--hosts must be more than ${TROUBLES.length}, and less than 255`);
  if (inNamespace()) {
    const trial = new Trial(values.scratch!, hosts, forks);
    await new Promise((resolve) => setTimeout(resolve, 2000));
    const looked = trial.run({ check: true });
    trial.drift();
    const written = trial.run({ kill: true });
    const again = trial.run({});
    writeSync(1, tableOf(trial, [looked, written, again], forks));
    // The daemons end with the namespace.
    process.exit(0);
  }
  if (process.getuid?.() !== 0)
    throw new Error('this gives hosts a root and a network of their own: run it as root');
  requireProgram('sshd', 'openssh-server', 'to reach the hosts');
  requireProgram('ssh', 'openssh-client', 'to reach the hosts');
  requireProgram('ansible-playbook', 'ansible-core', 'to try the collection');
  const scratch = mkdtempSync(join(tmpdir(), 'fleet-'));
  chmodSync(scratch, 0o755);
  try {
    const text = await runInNamespace(process.argv[1]!, [...argv, '--scratch', scratch], {});
    console.log(text);
    process.exitCode = text.endsWith(' 0 failed') ? 0 : 1;
  } finally {
    // Outside of the namespace nothing is mounted below it.
    if (!values.keep) rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
});
