import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireProgram } from '../httpd/install';

const HOME = process.cwd();

/** The checkout's command, as an inventory names it. */
export const COMMAND = join(HOME, 'bin/httpd-codemod.js');

/** What came of a task on a host: what the module has returned. */
export interface HostResult {
  readonly changed: boolean;
  /** Why it has failed; absent where it has not. */
  readonly msg?: string;
  readonly outcome?: string;
  readonly via?: string;
  readonly fingerprint?: string;
  readonly verdict?: readonly string[];
  readonly warnings?: readonly string[];
  readonly log?: readonly string[];
  readonly blockers?: readonly { readonly text: string; readonly places: readonly string[] }[];
  readonly assumptions?: readonly { readonly key: string; readonly answer?: string }[];
  readonly ansible_facts?: { readonly httpd_codemod: Readonly<Record<string, unknown>> };
}

/** Builds the collection of the checkout into a directory, as for a release, and gives the path of the file. */
export const buildCollection = (output: string): string =>
  execFileSync(
    process.execPath,
    [join(HOME, 'scripts/release/packages.mjs'), '--output', output, 'collection'],
    { encoding: 'utf8', env: { ...process.env, SOURCE_DATE_EPOCH: '1700000000' } },
  ).trim();

/** A controller: Ansible with the collection of the checkout, built and installed as anybody would, below a directory. */
export class Controller {
  /** What Ansible is started with. */
  readonly env: NodeJS.ProcessEnv;
  /** The file of the collection. */
  readonly file: string;

  constructor(readonly directory: string) {
    requireProgram('ansible-playbook', 'ansible-core', 'to try the collection');
    this.env = {
      ...process.env,
      ANSIBLE_HOME: join(directory, 'ansible'),
      ANSIBLE_LOCAL_TEMP: join(directory, 'ansible/tmp'),
      ANSIBLE_COLLECTIONS_PATH: join(directory, 'collections'),
      ANSIBLE_NOCOLOR: '1',
      ANSIBLE_NOCOWS: '1',
      ANSIBLE_CALLBACKS_ENABLED: 'tree',
      ANSIBLE_CALLBACK_TREE_DIR: join(directory, 'results'),
      LC_ALL: 'C.UTF-8',
    };
    mkdirSync(directory, { recursive: true });
    this.file = buildCollection(directory);
    this.run(
      'ansible-galaxy',
      'collection',
      'install',
      this.file,
      '--collections-path',
      join(directory, 'collections'),
    );
  }

  /** Runs one of Ansible's programs, and gives what it prints. @throws where it fails */
  run(program: string, ...args: readonly string[]): string {
    return execFileSync(program, args, {
      cwd: this.directory,
      env: this.env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  /**
   * Runs a playbook, and gives what became of its last task on each host.
   * @param inventory and `playbook`: as YAML or JSON
   */
  play(
    inventory: object,
    playbook: readonly object[],
    ...args: readonly string[]
  ): { readonly output: string; readonly results: Readonly<Record<string, HostResult>> } {
    const results = join(this.directory, 'results');
    execFileSync('rm', ['-rf', results]);
    const [hosts, play] = ['inventory.json', 'play.json'].map((name) => join(this.directory, name)) as [
      string,
      string,
    ];
    writeFileSync(hosts, JSON.stringify(inventory));
    writeFileSync(play, JSON.stringify(playbook));
    const { stdout, stderr } = spawnSync('ansible-playbook', ['-i', hosts, play, ...args], {
      cwd: this.directory,
      env: this.env,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    if (!existsSync(results)) throw new Error(`${stdout}${stderr}`);
    return {
      output: `${stdout}${stderr}`,
      results: Object.fromEntries(
        readdirSync(results).map((name) => [
          name,
          JSON.parse(readFileSync(join(results, name), 'utf8')) as HostResult,
        ]),
      ),
    };
  }
}

/**
 * A script for `NODE_OPTIONS=--require` that kills the command, with SIGKILL, at its nth file to be put in place, and the shell
 * that has started it where `withParent` is given: as where a machine loses its power.
 */
export const killedAt = (renames: number, withParent: boolean): string => `
const fs = require('node:fs');
let left = ${renames};
const { renameSync } = fs;
fs.renameSync = (from, to) => {
  if (/\\.(conf|htaccess)$/.test(to) && --left < 0) {
    ${withParent ? 'process.kill(process.ppid, "SIGKILL");' : ''}
    process.kill(process.pid, 'SIGKILL');
  }
  return renameSync(from, to);
};
`;
