import { execFileSync } from 'node:child_process';
import { closeSync, ftruncateSync, mkdirSync, openSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { DENY, HTACCESS, type HostileInput, address, put, times } from './hostile-input';

/** Another user's file, which each of these runs must convert all the same. */
const OTHER = `a/${HTACCESS}`;

/** What one user of a hosting server may put beside the files of another. */
function tenant(name: string, make: (home: string) => void): HostileInput {
  return {
    name: `tenant: ${name}`,
    make(top) {
      put(top, OTHER, DENY);
      mkdirSync(join(top, 'b'));
      make(join(top, 'b'));
    },
  };
}

const htaccess = (name: string, text: () => string): HostileInput =>
  tenant(name, (home) => put(home, HTACCESS, text()));

/** A file of zeros that takes no room on the disk. */
function sparse(path: string, megabytes: number): void {
  const handle = openSync(path, 'w');
  ftruncateSync(handle, megabytes * 1024 * 1024);
  closeSync(handle);
}

/** Rules that lead to many URLs, beside sections that each of these may meet, and a variable that decides about access. */
const urls = (count: number): string =>
  `RewriteEngine on\nSetEnvIf Request_URI x v\nDeny from env=v\n${times(count, (i) => `RewriteRule a${i} /zz${i}\n`)}${times(count, (i) => `<Files ~ "q${i}">\nForceType text/plain\n</Files>\n`)}`;

/** Variables of which each is set by the one below it. */
const variables = (count: number): string =>
  `Deny from env=v${count}\n${times(count, (i) => `SetEnvIf v${count - i - 1} 1 v${count - i}\n`)}SetEnvIf Request_URI x v0\nErrorDocument 404 /x\n`;

const patterns = (count: number): string => times(count, (i) => `<Files "*${i}*">\n${DENY}</Files>\n`);

/** Host lists and Require lines that may each be in force or not. */
const states = (count: number): string =>
  `AuthType Basic\nAuthName x\n${times(
    count,
    (i) =>
      `<Files "*${i}*">\nAllow from 10.0.0.${i & 255}\n</Files>\n<Files "*x${i}*">\nRequire user u${i}\n</Files>\n`,
  )}<Files "*z">\nSatisfy any\n</Files>\n`;

export const TENANTS: readonly HostileInput[] = [
  htaccess('20,000 Files sections', () => times(20_000, (i) => `<Files f${i}>\n${DENY}</Files>\n`)),
  htaccess('2,000 Files sections with patterns', () => patterns(2000)),
  htaccess('5,000 RewriteRule and 5,000 Files sections for what they lead to', () => urls(5000)),
  htaccess('6,000 variables, each set by another', () => variables(6000)),
  tenant('2,500 .htaccess files with SSLRequireSSL and Satisfy Any', (home) => {
    for (let i = 0; i < 2500; i++) put(home, `d${i}/${HTACCESS}`, `SSLRequireSSL\nSatisfy Any\n${DENY}`);
  }),
  htaccess('900 Files sections with patterns', () => patterns(900)),
  htaccess('2,000 FilesMatch sections', () =>
    times(2000, (i) => `<FilesMatch "a${i}$">\n${DENY}</FilesMatch>\n`),
  ),
  htaccess('2,000 sections for one file', () => `<Files f>\n${DENY}</Files>\n`.repeat(2000)),
  htaccess('6,400 states before one section', () => states(80)),
  htaccess('200,000 states before one section', () => states(450)),
  tenant('100 files with 300 patterns each', (home) => {
    for (let i = 0; i < 100; i++) put(home, `d${i}/${HTACCESS}`, patterns(300));
  }),
  tenant('a pattern in each of 300 directories in each other', (home) => {
    let path = '';
    for (let i = 0; i < 300; i++)
      put(
        home,
        `${(path += 'd/')}${HTACCESS}`,
        `<Files "*${i}*">\nRequire user u${i}\nSatisfy any\n</Files>\n`,
      );
  }),
  htaccess('500,000 lines of one letter', () => 'x\n'.repeat(500_000)),
  htaccess('20 million lines', () => 'x\n'.repeat(20_000_000)),
  tenant('30 files of 60 MB of zeros', (home) => {
    for (let i = 0; i < 30; i++) {
      mkdirSync(join(home, `d${i}`));
      sparse(join(home, `d${i}`, HTACCESS), 60);
    }
  }),
  tenant('300 files of 20 MB of zeros', (home) => {
    for (let i = 0; i < 300; i++) {
      mkdirSync(join(home, `d${i}`));
      sparse(join(home, `d${i}`, HTACCESS), 20);
    }
  }),
  tenant('20,000 files with 4,000 sections each', (home) => {
    for (let i = 0; i < 20_000; i++) put(home, `x${i}.conf`, `${'<'.repeat(4000)}\n`);
  }),
  tenant('10,000 empty files', (home) => {
    for (let i = 0; i < 10_000; i++) put(home, `d${i}/${HTACCESS}`, '');
  }),
  tenant('5,000 files called httpd.conf', (home) => {
    for (let i = 0; i < 2500; i++) put(home, `d${i}/httpd.conf`, 'Listen 80\nTimeout 10\n');
  }),
  tenant('a link to /dev/zero', (home) => symlinkSync('/dev/zero', join(home, HTACCESS))),
  tenant('a pipe', (home) => void execFileSync('mkfifo', [join(home, HTACCESS)])),
  tenant('2,000 links to one directory', (home) => {
    put(home, `here/${HTACCESS}`, DENY);
    for (let i = 0; i < 2000; i++) symlinkSync('here', join(home, `l${i}`));
  }),
  tenant('140,000 links to one directory', (home) => {
    put(home, `here/${HTACCESS}`, DENY);
    for (let i = 0; i < 140_000; i++) symlinkSync('here', join(home, `l${i}`));
  }),
  tenant('20 links to each other in each of 20 directories', (home) => {
    for (let i = 0; i < 20; i++) {
      put(home, `d${i}/${HTACCESS}`, DENY);
      for (let k = 0; k < 20; k++) symlinkSync(`../d${(i + k) % 20}`, join(home, `d${i}/l${k}`));
    }
  }),
  htaccess('1,000 blocks for modules around access', () =>
    times(
      1000,
      (i) =>
        `<IfModule mod_x${i}.c>\nOrder deny,allow\nDeny from all\nAllow from ${address(i)}\n</IfModule>\n`,
    ),
  ),
  htaccess('10,000 blocks for modules of their own, with access', () =>
    times(10_000, (i) => `<IfModule mod_x${i}.c>\nAllow from ${address(i)}\n</IfModule>\n`),
  ),
  htaccess('8,000 blocks for modules of their own, with all of an access rule', () =>
    times(
      8000,
      (i) =>
        `<IfModule mod_x${i}.c>\nOrder deny,allow\nDeny from all\nAllow from ${address(i)}\nRequire user u${i}\nSatisfy any\n</IfModule>\n`,
    ),
  ),
  htaccess(
    '4,000 RequireAlls in each other',
    () => `${'<RequireAll>\n'.repeat(4000)}${DENY}${'</RequireAll>\n'.repeat(4000)}`,
  ),
  htaccess('100,000 DefaultTypes', () => times(100_000, (i) => `DefaultType text/x${i}\n`)),
  htaccess(
    '2,500 blocks in each other around access',
    () => `${'<IfModule mod_x.c>\n'.repeat(2500)}${DENY}${'</IfModule>\n'.repeat(2500)}`,
  ),
  tenant('two files with placeholders', (home) =>
    ['x', 'y'].forEach((name) => put(home, `${name}/${HTACCESS}`, 'Deny from {{ x }}\n')),
  ),
  htaccess('2,000 names of a kilobyte', () => times(2000, (i) => `${'X'.repeat(1000)}${i} on\n`)),
  htaccess(
    'a Require expr of 2,000 alternatives',
    () => `Require expr ${times(2000, (i) => `%{REMOTE_ADDR} == '${address(i)}' || `)}false\n`,
  ),
  htaccess(
    'an SSLRequire in 4,000 parentheses',
    () => `SSLRequire ${'('.repeat(4000)}%{SSL_CIPHER_USEKEYSIZE} >= 128${')'.repeat(4000)}\n`,
  ),
  htaccess(
    'a Require expr in 4,000 parentheses',
    () => `Require expr ${'('.repeat(4000)}true${')'.repeat(4000)}\n`,
  ),
  htaccess('20,000 placeholders', () => `${DENY}${'Allow from {{ x }}\n'.repeat(20_000)}`),
  htaccess('10,000 Location sections', () => times(10_000, (i) => `<Location /x${i}>\n${DENY}</Location>\n`)),
  htaccess('10,000 LimitExcepts in each other', () => `${'<LimitExcept GET>\n'.repeat(10_000)}${DENY}`),
  htaccess('5,000 AllowOverrides in Files', () => '<Files x>\nAllowOverride All\n</Files>\n'.repeat(5000)),
  htaccess('host names of 200 KB', () => `${DENY}Allow from ${'a.'.repeat(100_000)}\n`),
];

/** What a branch may bring into a repository with the hook. */
function branch(name: string, make: (top: string) => void): HostileInput {
  return {
    name: `branch: ${name}`,
    args: ['hook', 'run'],
    make(top) {
      put(top, OTHER, DENY);
      execFileSync('git', ['init', '-q'], { cwd: top });
      make(top);
      execFileSync('git', ['add', '-A'], { cwd: top });
    },
  };
}

export const BRANCHES: readonly HostileInput[] = [
  branch('3,000 files', (top) => {
    for (let i = 0; i < 3000; i++) put(top, `d${i}/${HTACCESS}`, DENY);
  }),
  branch('a file of 60 MB of zeros', (top) => sparse(join(top, HTACCESS), 60)),
  branch('12 files of 60 MB of zeros', (top) => {
    for (let i = 0; i < 12; i++) sparse(join(top, `${i}.conf`), 60);
  }),
  branch('links in a circle', (top) => {
    symlinkSync('..', join(top, 'a/up'));
    symlinkSync('loop', join(top, 'loop'));
    symlinkSync('/dev/zero', join(top, `zero.conf`));
  }),
  branch('6,400 states before one section', (top) => put(top, HTACCESS, states(80))),
];
