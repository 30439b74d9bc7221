import { allModules } from '../../src/httpd/modules';
import { plainName } from './module-lines';

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

/**
 * A module that 2.2 had too, and that was not loaded, is not loaded either. mod_access_compat would read again what is left of
 * 2.2.
 */
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

/** Like {@link flagsOfSuse}, for Gentoo. */
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
