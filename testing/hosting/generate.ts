import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { cpanel } from './cpanel';
import { debian } from './debian';
import type { Files, Layout, Places } from './layout';
import { ACCOUNTS, GROUP } from './draw';
import { type Site, type Size, planSites } from './plan';
import { rhel } from './rhel';

export const LAYOUTS: readonly Layout[] = [cpanel, debian, rhel];

/** The paths of a real machine. */
export const AS_INSTALLED: Places = {
  top: '',
  port: 80,
  modules: undefined,
  account: undefined,
  run: undefined,
};

/** A hosting server: its configuration, its sites and their files. */
export interface HostingServer {
  readonly layout: Layout;
  readonly places: Places;
  readonly sites: readonly Site[];
  readonly files: Files;
}

export function hostingServer(
  layout: Layout,
  size: Size,
  seed: number,
  places: Places = AS_INSTALLED,
): HostingServer {
  const sites = planSites(size, seed, (user) => layout.passwords(places, user));
  const files = layout.configuration(places, sites);
  const accounts = ACCOUNTS.map((name) => `${name}:{SHA}${sha(name)}\n`).join('');
  for (const site of sites) {
    const root = layout.documentRoot(places, site);
    files.set(`${root}/index.html`, `${site.name}\n`);
    for (const [directory, text] of site.accessFiles)
      files.set(`${directory === '' ? root : `${root}/${directory}`}/.htaccess`, text);
    const passwords = layout.passwords(places, site.user);
    files.set(passwords, accounts);
    files.set(`${passwords}.groups`, `${GROUP.name}: ${GROUP.members.join(' ')}\n`);
  }
  return { layout, places, sites, files };
}

/** An account's password is its name. */
function sha(name: string): string {
  return createHash('sha1').update(name).digest('base64');
}

export function writeFiles(files: ReadonlyMap<string, string>): void {
  for (const [path, text] of files) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, 'latin1');
  }
}
