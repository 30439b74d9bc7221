/**
 * Shell commands that bring a configuration to where the packages of 2.4 have it. They are run in the directory of the server
 * config, and do the same when they are run once more.
 */

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

/** Like the merge of RHEL, where httpd.conf does not read all of conf.d. */
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
