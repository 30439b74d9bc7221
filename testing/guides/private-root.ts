import { spawn } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Httpd, requireHttpd } from '../httpd/binary';
import { tether } from '../httpd/tether';
import type { GuideServer } from './servers';

/** The checkout: the tests and the scripts of npm run there. */
const HOME = process.cwd();

/**
 * Mounts the programs of this machine into a directory, beside what is there already, and runs a script with that directory as its root,
 * in a network of its own: `$1` is the directory, `$2` the checkout. Of /usr, what the tree has itself stays the tree's.
 */
const ENTER = `
set -e
root=$1 home=$2
PATH=$PATH:/usr/sbin:/sbin
bind() { mkdir -p "$root$1"; mount --rbind "$1" "$root$1"; }
for dir in /bin /sbin /lib /lib32 /lib64 /libx32; do
    if [ -L $dir ]; then cp -P $dir "$root$dir"; elif [ -d $dir ]; then bind $dir; fi
done
for dir in /usr/* /usr/local/*; do
    [ $dir = /usr/local ] || [ -e "$root$dir" ] || [ ! -d $dir ] || bind $dir
done
[ ! -d "$root/usr/share" ] || for dir in /usr/share/*; do [ -e "$root$dir" ] || [ ! -d $dir ] || bind $dir; done
[ ! -d "$root/usr/lib" ] || for dir in /usr/lib/*; do [ -e "$root$dir" ] || [ ! -d $dir ] || bind $dir; done
bind /dev
bind /proc
for file in /etc/alternatives /etc/ld.so.cache /etc/ssl; do
    [ ! -e $file ] || cp -a $file "$root/etc/"
done
mkdir -p "$root/opt/checkout" "$root/var/lock"
mount --bind "$home" "$root/opt/checkout"
ip link set lo up
ip route add local 0.0.0.0/0 dev lo
exec chroot "$root" /bin/bash /walk.sh
`;

/** Modules that a stock httpd 2.4 loads, as far as they are there. */
const STOCK =
  'access_compat actions alias allowmethods auth_basic auth_digest authn_anon authn_core authn_dbm authn_file authz_core authz_dbm authz_groupfile authz_host authz_owner authz_user autoindex cache cgi deflate dir env expires ext_filter filter headers include info log_config logio mime mime_magic negotiation proxy proxy_http remoteip reqtimeout rewrite setenvif slotmem_shm socache_shmcb status substitute unixd userdir version vhost_alias'.split(
    ' ',
  );

export interface Walked {
  readonly status: number | null;
  /** stdout and stderr, in the order in which they came. */
  readonly output: string;
}

/**
 * Runs a script in bash, with a server's tree as the file system around it: the command of this checkout, httpd 2.4 and the programs of
 * this machine are there too. Needs root, or user namespaces.
 * @param root an empty directory, which becomes the root
 */
export function walkIn(root: string, server: GuideServer, script: string): Promise<Walked> {
  const httpd = requireHttpd();
  const { moduleDir, modules } = httpd;
  for (const directory of ['tmp', 'root', 'run', 'var/log/httpd', 'var/log/apache2', 'etc', 'opt/commands'])
    mkdirSync(join(root, directory), { recursive: true });
  chmodSync(root, 0o755);
  chmodSync(join(root, 'tmp'), 0o1777);
  symlinkSync('../run', join(root, 'var/run'));
  for (const name of ['root', 'www-data', 'apache', 'www', 'daemon']) {
    const id = name === 'root' ? 0 : 33;
    appendFileSync(join(root, 'etc/passwd'), `${name}:x:${id}:${id}::/:/bin/sh\n`);
    appendFileSync(join(root, 'etc/group'), `${name}:x:${id}:\n`);
  }
  appendFileSync(join(root, 'etc/hosts'), '127.0.0.1 localhost\n');
  for (const [path, text] of server.files) write(join(root, path), text);
  if (server.modules !== undefined) {
    mkdirSync(dirname(join(root, server.modules)), { recursive: true });
    symlinkSync(moduleDir, join(root, server.modules));
  }
  // What httpd has loaded where nobody has touched its configuration.
  const loads = ['mpm_prefork', ...STOCK].filter((name) => modules.has(name));
  const lines = loads.map((name) => `LoadModule ${name}_module ${moduleDir}/mod_${name}.so\n`);
  write(
    join(root, 'opt/stock.conf'),
    `ServerName localhost\nErrorLog /dev/null\nTypesConfig /dev/null\n${lines.join('')}`,
  );
  write(
    join(root, 'opt/commands/httpd-codemod'),
    '#!/bin/sh\nexec node /opt/checkout/bin/httpd-codemod.js "$@"\n',
  );
  for (const name of ['apachectl', 'httpd', 'apache2ctl'])
    write(join(root, 'opt/commands', name), httpdCommand(httpd, server));
  write(
    join(root, 'walk.sh'),
    `export PATH=/opt/commands:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C MODULES=${moduleDir}\n${script}`,
  );
  const flags = ['--net', '--mount', '--pid', '--fork', '--kill-child'];
  const user = process.getuid?.() === 0 ? [] : ['--map-root-user'];
  const commandLine: readonly string[] = [
    ...tether('KILL'),
    'unshare',
    ...user,
    ...flags,
    'sh',
    '-c',
    ENTER,
    'sh',
    root,
    HOME,
  ];
  return new Promise((resolve, reject) => {
    // The directory for temporary files is another there.
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => name !== 'TMPDIR' && !name.startsWith('NODE_')),
    );
    const [command = '', ...args] = commandLine;
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const add = (data: Buffer): void => void (output += data.toString('latin1'));
    child.stdout.on('data', add);
    child.stderr.on('data', add);
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, output }));
  });
}

/** httpd and its control program: asked for its release or modules, it answers as it was installed; else it has the server's configuration. */
function httpdCommand({ bin, moduleDir, statics }: Httpd, { main, drive }: GuideServer): string {
  // On Windows, these are compiled in, or there are none.
  const compiledIn = ['mpm_prefork', 'unixd']
    .filter((name) => drive !== undefined && !statics.has(name))
    .map((name) => ` -C "LoadModule ${name}_module ${moduleDir}/mod_${name}.so"`)
    .join('');
  const ofWindows = `# What stands for drive C: here.\nsed -i 's|C:/|${drive}/|g' $(find ${drive} -name '*.conf' -o -name .htaccess)\n`;
  return `#!/bin/sh
case \${1-} in -M|-l|-v|-V) exec ${bin} -f /opt/stock.conf "$@" ;; esac
${drive === undefined ? '' : ofWindows}case \${1-} in
configtest) set -- -t ;;
start) set -- -k start ;;
esac
exec ${bin}${main === undefined ? '' : ` -f ${main}`}${compiledIn} "$@"
`;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { encoding: 'latin1', mode: text.startsWith('#!') ? 0o755 : 0o644 });
}
