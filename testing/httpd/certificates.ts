import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireProgram } from './install';

/** A certificate with its key, as PEM. */
export interface ClientIdentity {
  readonly cert: string;
  readonly key: string;
}

/**
 * An authority of our own in a directory: `ca.pem`, the revocation list `crl.pem`, and for each name `NAME.pem` and `NAME.key`.
 * The subject of a certificate is /C=XX/O=Org/CN=NAME, and it says "member of staff" in the extension 1.3.6.1.4.1.18060.12.0.
 */
export class Authority {
  readonly dir: string;

  constructor(dir: string) {
    this.dir = dir;
    mkdirSync(dir);
    for (const [file, text] of Object.entries({ 'index.txt': '', serial: '01\n', crlnumber: '01\n' }))
      writeFileSync(join(dir, file), text);
    writeFileSync(join(dir, 'openssl.cnf'), CONFIG);
    this.openssl(
      'req',
      '-x509',
      ...KEY,
      '-keyout',
      'ca.key',
      '-out',
      'ca.pem',
      '-days',
      '30',
      '-subj',
      '/C=XX/O=Org/CN=CA',
    );
    this.openssl('ca', ...BATCH, '-gencrl', '-out', 'crl.pem');
  }

  issue(name: string): ClientIdentity {
    this.openssl(
      'req',
      ...KEY,
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.csr`,
      '-subj',
      `/C=XX/O=Org/CN=${name}`,
    );
    this.openssl('ca', ...BATCH, '-in', `${name}.csr`, '-out', `${name}.pem`, '-days', '30', '-notext');
    chmodSync(join(this.dir, `${name}.key`), 0o644);
    return { cert: this.read(`${name}.pem`), key: this.read(`${name}.key`) };
  }

  revoke(name: string): void {
    this.openssl('ca', ...BATCH, '-revoke', `${name}.pem`);
    this.openssl('ca', ...BATCH, '-gencrl', '-out', 'crl.pem');
  }

  read(file: string): string {
    return readFileSync(join(this.dir, file), 'latin1');
  }

  private openssl(...args: string[]): void {
    const done = spawnSync(requireOpenssl(), args, { cwd: this.dir, encoding: 'utf8' });
    if (done.status !== 0) throw new Error(`openssl ${args.join(' ')}: ${done.stderr}`);
  }
}

const KEY = ['-config', 'openssl.cnf', '-newkey', 'rsa:2048', '-nodes'];
const BATCH = ['-config', 'openssl.cnf', '-batch'];
const CONFIG = `
[ca]
default_ca = own
[own]
dir = .
database = index.txt
serial = serial
crlnumber = crlnumber
new_certs_dir = .
certificate = ca.pem
private_key = ca.key
default_md = sha256
default_crl_days = 30
unique_subject = no
policy = any
x509_extensions = leaf
[any]
countryName = optional
organizationName = optional
commonName = supplied
[leaf]
basicConstraints = CA:FALSE
1.3.6.1.4.1.18060.12.0 = ASN1:UTF8String:member of staff
[req]
distinguished_name = name
x509_extensions = root
[name]
[root]
basicConstraints = critical,CA:TRUE
subjectKeyIdentifier = hash
`;

let openssl: string | undefined;

function requireOpenssl(): string {
  openssl ??= requireProgram('openssl', 'openssl', 'to make certificates');
  return openssl;
}
