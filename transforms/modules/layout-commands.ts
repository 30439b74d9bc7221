import { allModules } from '../../src/httpd/modules';
import { plainName } from './module-lines';

// Shell commands that bring a configuration to where the packages of 2.4 have it, one system after the other. They are run in the
// directory of the old server config, and do the same when they are run once more.

/** The copy for 2.4 goes into the directory that the package has made (`$new`), beside the samples there. */
export const MERGE_FREEBSD = [
  'from=$PWD',
  'case $from in */apache22) from=${from%22}24 ;; esac',
  '[ "$from" = "$new" ] || cp -RpP "$from/." "$new/"',
];

/**
 * The files of conf, conf.d and what else stands beside them go into the /etc/httpd that the packages have made (`$new`): links
 * such as modules, logs and run, and conf.modules.d, stay as they are there. Settings that the package of httpd has in conf.d and
 * that the old server did not have there are emptied, as an update would bring back a file that is missing.
 */
export const MERGE_RHEL = [
  'for name in autoindex userdir welcome; do',
  '    [ ! -e "$new/conf.d/$name.conf" ] || [ -e "../conf.d/$name.conf" ] || {',
  '        echo "# The settings of the old server are in its own files." > "$new/conf.d/$name.conf"',
  '        say "emptied: conf.d/$name.conf, which the old server did not have"',
  '    }',
  'done',
  'put_into_new',
];

/** What FreeBSD's packages have in a directory for each version, and what comes with httpd there. */
const FREEBSD_PATHS = [
  'libexec/apache22',
  'etc/apache22',
  'www/apache22/icons',
  'www/apache22/error',
  'www/apache22/manual',
  'share/doc/apache22',
];

/** The lines that name files which no tar of a configuration holds: those are copied to where they were. */
const NAMES_SECRETS =
  '^[[:blank:]]*\\([Aa][Uu][Tt][Hh]\\|[Ss][Ss][Ll]\\|[Ll][Dd][Aa][Pp]\\|[Rr][Ee][Ww][Rr][Ii][Tt][Ee][Mm][Aa][Pp]\\)';

const FREEBSD_SED = FREEBSD_PATHS.map(
  (path) => `-e '/${NAMES_SECRETS}/!s|${path}|${path.replace('22', '24')}|g'`,
).join(' ');

/** etc/apache22 is copied to etc/apache24, unless somebody has a configuration there, and the copy has the paths of 2.4. */
export const COPY_TO_APACHE24 = [
  '(',
  '    case $PWD in */apache22) new=${PWD%22}24 ;; *) new=$PWD ;; esac',
  '    if [ "$new" != "$PWD" ]; then',
  '        if [ -e "$new/httpd.conf" ] && ! cmp -s "$new/httpd.conf" "$new/httpd.conf.sample"; then',
  '            echo "$new is left as it is: it has a configuration" >&2',
  '            exit 0',
  '        fi',
  '        mkdir -p "$new"',
  '        cp -Rp . "$new"',
  '    fi',
  '    find "$new" -type f -name "*.conf" | while IFS= read -r file; do',
  '        grep -q apache22 "$file" || continue',
  `        sed ${FREEBSD_SED} "$file" > "$file.new"`,
  '        cat "$file.new" > "$file"',
  '        rm "$file.new"',
  '    done',
  ')',
];

/** What the httpd.conf of RHEL 7 and later reads from conf.modules.d: mod_systemd, and the modules of other packages. */
export const READ_CONF_MODULES = [
  'mkdir -p ../conf.d',
  '{',
  '    [ -d "${new:-..}/modules" ] && [ ! -e "${new:-..}/modules/mod_systemd.so" ] ||',
  '        echo LoadModule systemd_module modules/mod_systemd.so',
  "    echo 'IncludeOptional conf.modules.d/[1-9]*.conf'",
  '} > ../conf.d/00-modules.conf',
];

/** What {@link READ_CONF_MODULES} brings about, where httpd.conf does not read all of conf.d. */
export const INCLUDE_CONF_MODULES = [
  "grep -q '^[[:blank:]]*Include.*[[:blank:]]conf[.]modules[.]d/' httpd.conf ||",
  "    printf '%s\\n' '' 'IncludeOptional conf.modules.d/00-systemd.conf' 'IncludeOptional conf.modules.d/[1-9]*.conf' >> httpd.conf",
];

/**
 * Steps for Windows, which has no such shell, as comments.
 * @param root the ServerRoot of 2.2
 */
export function stepsOnWindows(root: string): readonly string[] {
  const quoted = root.replaceAll("'", "''").replaceAll('\n', ' ');
  return [
    '# In PowerShell, in the directory of httpd.conf, with the directory of your 2.4 for C:/Apache24:',
    `#   Get-ChildItem -Recurse -Filter *.conf | ForEach-Object { (Get-Content -Raw $_.FullName).Replace('${quoted}', 'C:/Apache24') | Set-Content -NoNewline $_.FullName }`,
    '#   C:/Apache24/bin/httpd.exe -t',
    '#   C:/Apache24/bin/httpd.exe -k install -n Apache2.4',
    ':',
  ];
}

/**
 * Shell commands that put a Debian configuration, once its files are where 2.4 reads them, into the /etc/apache2 that the package
 * of 2.4 has made (`$new`). They are run in the directory of the old apache2.conf. What answers as 2.2 did comes from the old
 * server: its own texts, and which sites, settings and modules are enabled. What 2.4 alone has stays as the package has it: its
 * other modules, how each is loaded, and the variables of envvars.
 */
export const MERGE_DEBIAN = [
  '# The texts of the old server, apart from those of modules. Editors and dpkg leave the names that are passed over.',
  'for file in *; do',
  '    case $file in mods-*|sites-enabled|conf-enabled|conf.d|envvars|magic|*~|*.dpkg-*|*.ucf-*) continue ;; esac',
  '    cp -RpP "$file" "$new/"',
  'done',
  '',
  '# What was enabled, and nothing else.',
  'for part in sites conf; do',
  '    [ -d "$part-enabled" ] || continue',
  '    for link in "$new/$part-enabled"/*; do',
  '        [ -L "$link" ] || [ -e "$link" ] || continue',
  '        [ -L "$part-enabled/${link##*/}" ] || [ -e "$part-enabled/${link##*/}" ] || {',
  '            rm -f "$link"',
  '            say "disabled: $part-enabled/${link##*/}, which the old server did not have"',
  '        }',
  '    done',
  '    for link in "$part-enabled"/*; do',
  '        [ -L "$link" ] || [ -e "$link" ] || continue',
  '        rm -f "$new/$link"',
  '        cp -RpP "$link" "$new/$link"',
  '    done',
  'done',
  '',
  '# Loads a module, and those that its file says it depends on, with the settings that the old server had for it.',
  'enable_new() {',
  '    if [ ! -e "$new/mods-available/$1.load" ]; then',
  '        library=$(sed -n "s/^[[:blank:]]*LoadModule[[:blank:]]*[^[:blank:]]*[[:blank:]]*//p" "mods-available/$1.load" 2> /dev/null | head -n 1)',
  '        if [ ! -e "$library" ]; then',
  '            say "not enabled: $1, for which there is no ${library:-file}: install its package, then run a2enmod $1"',
  '            return 0',
  '        fi',
  '        cp -p "mods-available/$1.load" "$new/mods-available/"',
  '    fi',
  '    [ ! -L "$new/mods-enabled/$1.load" ] || [ -e "$new/mods-enabled/$1.load" ] || rm "$new/mods-enabled/$1.load"',
  '    [ ! -e "mods-enabled/$1.conf" ] || cp -p "mods-enabled/$1.conf" "$new/mods-available/$1.conf"',
  '    ln -sf "../mods-available/$1.load" "$new/mods-enabled/$1.load"',
  '    [ ! -e "$new/mods-available/$1.conf" ] || ln -sf "../mods-available/$1.conf" "$new/mods-enabled/$1.conf"',
  '    for needed in $(sed -n "s/^# Depends://p" "$new/mods-available/$1.load"); do',
  '        [ -e "$new/mods-enabled/$needed.load" ] || enable_new "$needed"',
  '    done',
  '}',
  '',
  '# A module that 2.2 had too and that was not enabled is not enabled either; one MPM is. mod_access_compat would read again what is left of 2.2.',
  'for load in "$new"/mods-enabled/*.load; do',
  '    name=${load##*/}',
  '    name=${name%.load}',
  '    [ ! -e "mods-enabled/$name.load" ] || continue',
  '    case $name in',
  '        access_compat|mpm_*) ;;',
  '        *) [ -e "mods-available/$name.load" ] || continue ;;',
  '    esac',
  '    rm -f "$load" "${load%.load}.conf"',
  'done',
  'for load in mods-enabled/*.load; do',
  '    [ -e "$load" ] || continue',
  '    name=${load##*/}',
  '    enable_new "${name%.load}"',
  'done',
  'for file in mods-enabled/*.conf; do',
  '    [ ! -e "$file" ] || [ -e "${file%.conf}.load" ] || cp -pL "$file" "$new/mods-enabled/"',
  'done',
  '',
  '# A variable that the texts may use is not lost; those that 2.4 sets itself stay as they are there.',
  'if [ -e envvars ] && [ -e "$new/envvars" ]; then',
  '    sed -n "s/^[[:blank:]]*export[[:blank:]]*\\([A-Za-z_][A-Za-z_0-9]*\\)=.*/\\1/p" envvars | while IFS= read -r name; do',
  '        grep -q "^[[:blank:]#]*export[[:blank:]]*$name\\(=\\|$\\)" "$new/envvars" ||',
  '            sed -n "s/^[[:blank:]]*\\(export[[:blank:]]*$name=.*\\)/\\1/p" envvars >> "$new/envvars"',
  '    done',
  '    cmp -s envvars "$new/envvars" || say "envvars: the settings of the old server are in $PWD/envvars, those of the new one are in use"',
  'fi',
];

/**
 * Shell commands that put the files of a converted /etc/apache2 of Gentoo or SUSE into the one that the package of 2.4 has made
 * (`$new`), where both have the same layout. They are run in the directory of the old httpd.conf. What the old server has comes
 * from there; what the new one alone has stays.
 */
function merge(stays: string): readonly string[] {
  return [
    'for folder in conf.d modules.d vhosts.d; do',
    '    for file in "$new/$folder"/*.conf; do',
    '        [ ! -e "$file" ] || [ -e "$folder/${file##*/}" ] || say "look at $file: the old server did not have it, and it is read"',
    '    done',
    'done',
    'for file in *; do',
    `    case $file in ${stays}*~|*.rpmnew|*.rpmsave|._cfg*) continue ;; esac`,
    '    cp -RpP "$file" "$new/"',
    'done',
  ];
}

/** A module of 2.2 that was not loaded stays unloaded. mod_access_compat would read again what is left of 2.2. */
const KNOWN_TO_22 = allModules()
  .filter(({ versions, identifier }) => versions === 'both' || identifier === 'access_compat_module')
  .map(({ identifier }) => plainName(identifier));

/**
 * SUSE makes the files in sysconfig.d from /etc/sysconfig/apache2, which its own commands change; its later packages hand them to
 * httpd beside httpd.conf.
 */
export const MERGE_SUSE = [
  'wanted=',
  '[ ! -e sysconfig.d/loadmodule.conf ] || wanted=$(sed -n "s/^[[:blank:]]*LoadModule[[:blank:]]*\\([[:alnum:]_]*\\)_module[[:blank:]].*/\\1/p" sysconfig.d/loadmodule.conf)',
  'if [ "$new" = /etc/apache2 ]; then',
  "    # SUSE passes over a module that is not there, and httpd would send PHP's sources without mod_proxy_fcgi.",
  '    missing=',
  '    for name in $wanted; do',
  '        case $name in mpm_*) continue ;; esac',
  '        ls /usr/lib*/apache2*/mod_"$name".so > /dev/null 2>&1 || apachectl -l 2> /dev/null | grep -q "mod_$name[.]c" || missing="$missing $name"',
  '    done',
  '    [ -z "$missing" ] || {',
  '        say "nothing is done: these modules are not here:$missing: install their packages, and run this again"',
  '        exit 1',
  '    }',
  'fi',
  '',
  ...merge('sysconfig.d|'),
  '',
  '# Where httpd is given what sysconfig says (-D SYSCONFIG), httpd.conf does not read that again.',
  "sed 's|^[[:blank:]]*Include[[:alpha:]]*[[:blank:]]\\{1,\\}\\(/etc/apache2/\\)\\{0,1\\}sysconfig\\.d/.*$|<IfDefine !SYSCONFIG>\\",
  '&\\',
  '</IfDefine>|\' httpd.conf > "$new/httpd.conf"',
  '',
  'if [ "$new" = /etc/apache2 ] && [ -e sysconfig.d/loadmodule.conf ] && command -v a2dismod > /dev/null; then',
  '    keep_start /etc/sysconfig/apache2',
  '    for name in $(a2enmod -l); do',
  '        case " $(echo $wanted) " in *" $name "*) continue ;; esac',
  `        case $name in ${KNOWN_TO_22.join('|')}) ;; *) continue ;; esac`,
  '        a2dismod "$name" > /dev/null',
  '        say "disabled: $name, which the old server did not load"',
  '    done',
  '    for name in $wanted; do',
  '        case $name in mpm_*) ;; *) a2enmod "$name" > /dev/null ;; esac',
  '    done',
  'fi',
];

/** What has httpd started with the names that the old server was started with. @param names that a shell reads as they are */
export function flagsOfSuse(names: readonly string[]): readonly string[] {
  return [
    'if [ "$new" = /etc/apache2 ] && command -v a2enflag > /dev/null; then',
    `    for name in ${names.join(' ')}; do a2enflag "$name" > /dev/null; done`,
    'fi',
  ];
}

/** Gentoo's httpd.conf loads what is built; most of its other files ask for a name in APACHE2_OPTS. */
export const MERGE_GENTOO = merge('');

/** Has httpd started with the names of the old server, on Gentoo. @param names that a shell reads as they are */
export function optionsOfGentoo(names: readonly string[]): readonly string[] {
  const line = `APACHE2_OPTS="${names.map((name) => `-D ${name}`).join(' ')}" # as on the old server`;
  return [
    'if [ "$new" = /etc/apache2 ] && [ -e /etc/conf.d/apache2 ]; then',
    '    keep_start /etc/conf.d/apache2',
    `    grep -q '^${line}$' /etc/conf.d/apache2 || echo '${line}' >> /etc/conf.d/apache2`,
    `    say '/etc/conf.d/apache2 has ${line}'`,
    'fi',
  ];
}
