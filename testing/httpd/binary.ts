import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { aptInstall, findProgram } from './install';
import { type Release, parseRelease } from '../../src/httpd/release';

/** An installed httpd 2.4. */
export interface Httpd {
  /** Full path of the server program. */
  readonly bin: string;
  /** `2.4.62` */
  readonly version: string;
  /** The release as the facts have it: 62. */
  readonly release: Release;
  /** Where the `mod_*.so` files are; empty when every module is compiled in. */
  readonly moduleDir: string;
  /** Names of the loadable modules, without `mod_` and `.so`: `authz_core`. */
  readonly modules: ReadonlySet<string>;
  /** Names of the compiled-in modules, written in the same way: `log_config`, `http_core`. */
  readonly statics: ReadonlySet<string>;
}

let found: Httpd | undefined;

/** The httpd that judges our output. Installs it where it can and throws one clear line where it cannot. */
export function requireHttpd(): Httpd {
  found ??= inspect(locate());
  // scripts/jest-environment.cjs names it in the messages of tests that fail.
  Object.assign(globalThis, { httpdJudge: found.version });
  return found;
}

function locate(): string {
  const asked = process.env['HTTPD'];
  if (asked) return asked;
  const find = (): string | undefined => findProgram('apache2') ?? findProgram('httpd');
  const present = find();
  if (present !== undefined) return present;
  // apache2-bin is the program and its modules without the service, so there is nothing to start.
  const why = aptInstall('apache2-bin');
  const bin = find();
  if (bin === undefined)
    throw new Error(`These tests need Apache httpd 2.4 (apache2 or httpd): ${why ?? 'not on PATH'}`);
  return bin;
}

function inspect(bin: string): Httpd {
  const version = /Apache\/(\d+\.\d+\.\d+)/.exec(output(bin, '-v'))?.[1];
  if (version === undefined) throw new Error(`${bin} does not say that it is Apache httpd`);
  const release = parseRelease(version);
  if (typeof release !== 'number') throw new Error(`${bin} is httpd ${version}; these tests need 2.4`);
  const statics = new Set(
    output(bin, '-l')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line.endsWith('.c'))
      .map((line) => line.slice(0, -2).replace(/^mod_/, '')),
  );
  const moduleDir = moduleDirectories(bin).find((directory) => modulesIn(directory).length > 0) ?? '';
  const httpd: Httpd = { bin, version, release, moduleDir, modules: new Set(modulesIn(moduleDir)), statics };
  if (!httpd.modules.has('authz_core') && !statics.has('authz_core')) {
    throw new Error(`${bin}: its modules were not found; set HTTPD_MODULES to their directory`);
  }
  return httpd;
}

function moduleDirectories(bin: string): string[] {
  const root = /HTTPD_ROOT="([^"]*)"/.exec(output(bin, '-V'))?.[1] ?? '';
  const prefix = dirname(dirname(bin));
  return [
    process.env['HTTPD_MODULES'] ?? '',
    `${root}/modules`,
    `${prefix}/modules`,
    ...['lib/apache2/modules', 'lib64/httpd/modules', 'lib/httpd/modules', 'libexec/apache2'].map(
      (at) => `${prefix}/${at}`,
    ),
    '/usr/lib/apache2/modules',
    '/usr/lib64/httpd/modules',
  ];
}

function modulesIn(directory: string): string[] {
  if (directory === '') return [];
  try {
    return readdirSync(directory).flatMap((file) => /^mod_(.*)\.so$/.exec(file)?.[1] ?? []);
  } catch {
    return [];
  }
}

function output(bin: string, flag: string): string {
  const done = spawnSync(bin, [flag], { encoding: 'utf8' });
  if (done.error) throw new Error(`${bin} ${flag}: ${done.error.message}`);
  return done.stdout;
}
