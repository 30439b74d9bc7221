/**
 * Shell commands that bring the files of Debian's 2.2 to where its 2.4 reads them. They are run in the directory of apache2.conf,
 * and do the same when they are run once more. A link in a copy may lead to the place that it was copied from.
 */

/** Names that neither version of Debian's httpd reads: backups, and what dpkg leaves. */
const NOT_READ = `*~|*.dpkg-*|*.ucf-*|'*'`;

/** Ends the new name of X where X.conf is there, too, which 2.2 read as another file: it sorts before that, as X did. */
const TWIN = '-2.2';

/** conf.d becomes conf-available, with all of it enabled, and apache2.conf reads conf-enabled. */
export const MOVE_CONF_D = [
  'mkdir -p conf-available conf-enabled',
  'for file in conf.d/*; do',
  '    name=${file#conf.d/}',
  `    case $name in ${NOT_READ}) continue ;; esac`,
  `    [ ! -e "$file.conf" ] || name=$name${TWIN}`,
  '    name=${name%.conf}',
  '    mv "$file" "conf-available/$name.conf"',
  '    ln -sf "../conf-available/$name.conf" "conf-enabled/$name.conf"',
  'done',
  readInstead('conf\\.d', 'conf-enabled'),
];

/** Sites get names that end in .conf, and so do the links to them. */
export const RENAME_SITES = [
  'for file in sites-available/*; do',
  `    case \${file#sites-available/} in *.conf|${NOT_READ}) continue ;; esac`,
  `    [ ! -e "$file.conf" ] || mv "$file" "$file${TWIN}.conf"`,
  '    [ ! -e "$file" ] || mv "$file" "$file.conf"',
  'done',
  'for file in sites-enabled/*; do',
  `    case \${file#sites-enabled/} in ${NOT_READ}) continue ;; esac`,
  '    name=${file%.conf}',
  `    if [ -e "$file.conf" ] || [ -L "$file.conf" ]; then name=$file${TWIN}; fi`,
  '    if [ -L "$file" ]; then',
  '        target=$(readlink "$file")',
  '        site=${target##*/}',
  `        [ ! -e "sites-available/$site${TWIN}.conf" ] || site=$site${TWIN}`,
  '        site=${site%.conf}.conf',
  '        [ ! -e "sites-available/$site" ] || target=../sites-available/$site',
  '        rm "$file"',
  '        ln -s "$target" "$name.conf"',
  '    elif [ "$name.conf" != "$file" ]; then',
  '        mv "$file" "$name.conf"',
  '    fi',
  'done',
  readInstead('sites-enabled', 'sites-enabled'),
];

/** Has apache2.conf read the files of a directory whose names end in .conf, where it read all of another. */
function readInstead(old: string, directory: string): string {
  return `sed 's|^\\([[:blank:]]*\\)Include\\(Optional\\)\\{0,1\\}[[:blank:]]\\{1,\\}\\(/etc/apache2/\\)\\{0,1\\}${old}/\\(\\*\\|\\[^.#\\]\\*\\)\\{0,1\\}[[:blank:]]*$|\\1IncludeOptional ${directory}/*.conf|' apache2.conf > apache2.conf.new && cat apache2.conf.new > apache2.conf && rm apache2.conf.new`;
}
