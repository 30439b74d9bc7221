import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Authority, type ClientIdentity } from '../httpd/certificates';

interface Pki {
  readonly authority: Authority;
  readonly names: ReadonlyMap<string, ClientIdentity>;
}

let made: Pki | undefined;

/** The authority of all trees, made when it is first asked for. */
function pki(): Pki {
  if (made !== undefined) return made;
  const home = mkdtempSync(join(tmpdir(), 'rest-pki-'));
  process.once('exit', () => rmSync(home, { recursive: true, force: true }));
  const authority = new Authority(join(home, 'pki'));
  const names = new Map(['localhost', 'alice'].map((name) => [name, authority.issue(name)] as const));
  made = { authority, names };
  return made;
}

/** The certificate of a client, with its key. */
export const identityOf = (name: string): ClientIdentity => pki().names.get(name)!;

/** Copies `ca.pem`, and `NAME.pem` and `NAME.key` of `localhost` and `alice`, into a directory. */
export function copyPki(directory: string): void {
  cpSync(pki().authority.dir, directory, { recursive: true });
}
