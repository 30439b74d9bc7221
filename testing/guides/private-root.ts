import { spawn } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Httpd, requireHttpd } from '../httpd/binary';
import { tether } from '../httpd/tether';
import type { Content } from './platform';
import type { Machine } from './machine';

/** The checkout: the tests and the scripts of npm run there. */
const HOME = process.cwd();

/**
 * Mounts the programs of this machine into a directory, beside what is there already, and runs a script with that directory as
 * its root, in a network of its own: `$1` is the directory, `$2` the checkout, `$3` the directory of all machines, if there are
 * several. Of /usr, what the tree has itself stays the tree's.
 */
const ENTER = `
set -e
root=$1 home=$2 machines=$3
PATH=$PATH:/usr/sbin:/sbin
bind() { mkdir -p "$root$1"; mount --rbind "$1" "$root$1"; }
# An empty directory is what an earlier visit has left.
has() { [ -d "$root$1" ] && [ -n "$(ls -A "$root$1")" ]; }
for dir in /bin /sbin /lib /lib32 /lib64 /libx32; do
    if [ -L $dir ]; then [ -L "$root$dir" ] || cp -P $dir "$root$dir"; elif [ -d $dir ]; then bind $dir; fi
done
for dir in /usr/* /usr/local/*; do
    [ $dir = /usr/local ] || has $dir || [ ! -d $dir ] || bind $dir
done
for part in /usr/share /usr/lib /usr/lib64; do
    [ ! -d "$root$part" ] || for path in $part/*; do
        if [ -d $path ]; then has $path || bind $path; else [ -e "$root$path" ] || cp -P $path "$root$part/"; fi
    done
done
bind /dev
bind /proc
for file in /etc/alternatives /etc/ld.so.cache /etc/ssl; do
    [ ! -e $file ] || [ -e "$root$file" ] || cp -a $file "$root/etc/"
done
mkdir -p "$root/opt/checkout" "$root/var/lock"
mount --bind "$home" "$root/opt/checkout"
[ -z "$machines" ] || { mkdir -p "$root/machines"; mount --bind "$machines" "$root/machines"; }
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

/** Runs a script in bash on a machine of its own. @param root an empty directory, which becomes the root */
export function walkIn(root: string, server: Machine, script: string): Promise<Walked> {
  prepareRoot(root, server);
  return enterRoot(root, script);
}

/**
 * Makes the files of a machine: those given, and what every system has.
 * @param root an empty directory, which becomes the root
 */
export function prepareRoot(root: string, server: Machine): void {
  const httpd = requireHttpd();
  const { moduleDir, modules } = httpd;
  for (const directory of ['tmp', 'root', 'run', 'var/log/httpd', 'var/log/apache2', 'etc', 'opt/commands'])
    mkdirSync(join(root, directory), { recursive: true });
  chmodSync(root, 0o755);
  chmodSync(join(root, 'tmp'), 0o1777);
  symlinkSync('../run', join(root, 'var/run'));
  for (const name of ['root', 'www-data', 'apache', 'www', 'wwwrun', 'daemon']) {
    const id = name === 'root' ? 0 : 33;
    appendFileSync(join(root, 'etc/passwd'), `${name}:x:${id}:${id}::/:/bin/sh\n`);
    appendFileSync(join(root, 'etc/group'), `${name}:x:${id}:\n`);
  }
  appendFileSync(join(root, 'etc/hosts'), '127.0.0.1 localhost\n');
  for (const [path, content] of server.files) write(join(root, path), content);
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
  const commands = join(root, 'opt/commands');
  if (server.lacksCommand !== true)
    write(join(commands, 'httpd-codemod'), '#!/bin/sh\nexec node /opt/checkout/bin/httpd-codemod.js "$@"\n');
  for (const name of ['apachectl', 'httpd', 'apache2ctl'])
    write(
      join(commands, name),
      server.runs22 === undefined ? httpdCommand(httpd, server) : httpd22(server.runs22),
    );
  for (const [name, text] of Object.entries(TRANSFERS)) write(join(commands, name), text);
}

/** Copies to and from other machines, which are directories below /machines here. */
const TRANSFERS = {
  scp: `#!/bin/bash
paths=()
for arg; do
    case $arg in
        -*) ;;
        *:/*) paths+=("/machines/\${arg%%:*}\${arg#*:}") ;;
        *:*) paths+=("/machines/\${arg%%:*}/root/\${arg#*:}") ;;
        *) paths+=("$arg") ;;
    esac
done
exec cp -Rp "\${paths[@]}"
`,
  // rsync -aR FROM... TO
  rsync: `#!/bin/bash
to=\${!#}
for arg in "\${@:1:$#-1}"; do
    case $arg in
        -*) ;;
        *:/*) (cd "/machines/\${arg%%:*}" && cp -a --parents ".\${arg#*:}" "$to") ;;
        *) exit 2 ;;
    esac
done
`,
  // ssh [OPTIONS] HOST COMMAND: with the programs of this machine, and the files of that one.
  ssh: `#!/bin/bash
while [ $# -gt 0 ]; do
    case $1 in
        -[oplFiESbcem]) shift 2 ;;
        -*) shift ;;
        *) break ;;
    esac
done
[ $# -gt 1 ] && [ -d "/machines/$1" ] || exit 255
exec unshare --mount --propagation unchanged sh -c '
root=$1
shift
for dir in /bin /sbin /lib /lib32 /lib64 /libx32; do
    if [ -L $dir ]; then [ -L "$root$dir" ] || cp -P $dir "$root$dir"; elif [ -d $dir ]; then mkdir -p "$root$dir"; mount --rbind $dir "$root$dir"; fi
done
for file in /etc/alternatives /etc/ld.so.cache; do [ ! -e $file ] || [ -e "$root$file" ] || cp -a $file "$root/etc/"; done
for dir in /usr /dev /proc /opt/checkout; do mkdir -p "$root$dir" && mount --rbind $dir "$root$dir" || exit 255; done
exec chroot "$root" /usr/bin/env -i PATH=/opt/commands:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root /bin/sh -c "cd; $*"
' sh "/machines/$1" "\${@:2}"
`,
  ...Object.fromEntries(
    ['ansible-galaxy', 'ansible-playbook'].map((name) => [
      name,
      `#!/bin/sh\nLC_ALL=C.UTF-8 ANSIBLE_SSH_TRANSFER_METHOD=piped exec /usr/bin/${name} "$@"\n`,
    ]),
  ),
};

/**
 * Runs a script in bash with a prepared directory as its root, once or more often.
 * @param machines the directory in which the roots of all machines are
 */
export function enterRoot(root: string, script: string, machines?: string): Promise<Walked> {
  const { moduleDir } = requireHttpd();
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
    machines ?? '',
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

/** What 2.2 says of itself. */
const httpd22 = (main: string): string => `#!/bin/sh
case \${1-} in
-v) echo 'Server version: Apache/2.2.22 (Debian)' ;;
-V) printf '%s\\n' 'Server version: Apache/2.2.22 (Debian)' 'Server MPM:     Prefork' ' -D HTTPD_ROOT="${main.replace(/(?:\/conf)?\/[^/]*$/, '')}"' ' -D SERVER_CONFIG_FILE="${main}"' ;;
-l) printf '%s\\n' 'Compiled in modules:' '  core.c' '  mod_log_config.c' '  mod_logio.c' '  prefork.c' '  http_core.c' '  mod_so.c' ;;
-M) echo 'Loaded Modules:'; find -L ${main.replace(/\/[^/]*$/, '')} ! -path '*-available/*' -type f -exec sed -n 's/^LoadModule *\\([a-z0-9_]*\\) .*/ \\1 (shared)/p' {} + ;;
esac
`;

/** httpd and its control program: with the server's configuration, if it has one, or as it was installed. */
function httpdCommand({ bin, moduleDir, statics }: Httpd, { main, drive, control }: Machine): string {
  // On Windows, these are compiled in, or there are none.
  const compiledIn = ['mpm_prefork', 'unixd']
    .filter((name) => drive !== undefined && !statics.has(name))
    .map((name) => ` -C "LoadModule ${name}_module ${moduleDir}/mod_${name}.so"`)
    .join('');
  const ofWindows = `# What stands for drive C: here.\nsed -i 's|[Cc]:/|${drive}/|g' $(find ${drive} -name '*.conf' -o -name .htaccess)\n`;
  return `#!/bin/sh
case \${1-} in -l|-v|-V) exec ${bin} -f /opt/stock.conf "$@" ;; esac
${drive === undefined ? '' : `case \${1-} in -M) exec ${bin} -f /opt/stock.conf "$@" ;; esac\n${ofWindows}`}case \${1-} in
configtest) set -- -t ;;
start) set -- -k start ;;
esac
options=
${control ?? ''}
# httpd returns before it has stopped.
case "$*" in *'-k stop')
    for wait in 1 2 3 4 5 6 7 8 9; do
        ${bin} -f ${main ?? '/opt/stock.conf'}${compiledIn} $options "$@" 2>&1 | grep -q 'not running' && exit 0
        sleep 1
    done
    exit 1 ;;
esac
exec ${bin} -f ${main ?? '/opt/stock.conf'}${compiledIn} $options "$@"
`;
}

function write(path: string, content: Content): void {
  mkdirSync(dirname(path), { recursive: true });
  if (typeof content === 'string')
    writeFileSync(path, content, { encoding: 'latin1', mode: content.startsWith('#!') ? 0o755 : 0o644 });
  else symlinkSync(content.link, path);
}
