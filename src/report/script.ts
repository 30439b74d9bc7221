import type { Outcome, RunResult } from '../engine/types';
import { oneLine } from './encoding';
import { sortedOutcomes } from './content';

/** What commands for Debian use. Debian's own a2enmod knows the modules of the installed package alone, not those of a copy. */
const FUNCTIONS = `modules=\${MODULES:-/usr/lib/apache2/modules}

# Enables a module, and says how to load it where the files of 2.2 do not.
enable() {
    mkdir -p mods-available mods-enabled
    [ -e "mods-available/$1.load" ] ||
        printf 'LoadModule %s_module %s/mod_%s.so\\n' "$1" "$modules" "$1" > "mods-available/$1.load"
    ln -sf "../mods-available/$1.load" "mods-enabled/$1.load"
    # The settings of a module that 2.2 did not load have not been converted.
    if [ -e "mods-enabled/$1.conf" ] || [ ! -e "mods-available/$1.conf" ]; then return 0; fi
    if grep -i -q '^[[:blank:]]*\\(order\\|allow\\|deny\\|satisfy\\|sslmutex\\|lockfile\\)[[:blank:]]' "mods-available/$1.conf"; then
        echo "mods-available/$1.conf is not enabled: it is for 2.2, which did not read it" >&2
    else
        ln -sf "../mods-available/$1.conf" "mods-enabled/$1.conf"
    fi
}

# Disables a module.
disable() {
    keep_refusals "$1"
    rm -f "mods-enabled/$1.load" "mods-enabled/$1.conf"
}

# The settings of a module go with it. What they refuse, or ask a password for, does not become open by that.
keep_refusals() {
    [ -e "mods-enabled/$1.conf" ] || return 0
    kept="mods-enabled/kept-$1.conf"
    awk -v "module=$1" '
        { line = line $0 }
        /[\\\\]$/ { sub(/[\\\\]$/, "", line); next }
        {
            text = line
            line = ""
            word = tolower(text)
            sub(/^[ \\t]+/, "", word)
            if (word ~ /^<[/]/) {
                if (depth > 0 && shown[depth--]) print text
            } else if (word ~ /^</) {
                asked = "^<ifmodule[ \\t]+[\\"]?(mod_)?" module "([.]c|_module)"
                shown[++depth] = word !~ asked && word ~ /^<(directory|files|location|proxy|limit|virtualhost|if|else|require)/
                if (shown[depth]) print text
            } else if (word ~ /^(require|order|allow|deny|satisfy|authtype|authname|authuserfile|authgroupfile|authmerging|allowoverride|options|removehandler|removetype|forcetype)[ \\t]/ ||
                word ~ /^(sslrequiressl|redirect[ \\t]+(403|404|410|gone)|sethandler[ \\t]+["]?(none|default-handler))/) print text
        }' "mods-enabled/$1.conf" > "$kept"
    grep -q '^[[:blank:]]*[^<[:blank:]]' "$kept" || rm -f "$kept"
    [ ! -e "$kept" ] || ! grep -qi '^[[:blank:]]*redirect' "$kept" || enable alias
}

# Disables a module whose file is not there: 2.4 would not start. Nobody gets the text of programs that PHP does not run; names that are not
# there are not refused, since a listing would be refused with them.
disable_without() {
    rm -f "mods-enabled/no-$1.conf"
    [ ! -e "$2" ] || return 0
    disable "$1"
    echo "$1 is disabled: there is no $2" >&2
    case $1 in php*) ;; *) return 0 ;; esac
    enable alias
    cat > "mods-enabled/no-$1.conf" << 'END'
<If "-f %{REQUEST_FILENAME} && %{REQUEST_FILENAME} =~ m#[.]ph(?:p[0-9]?|ar|t|tml|ps)(?:[.][^/]*)?$#i">
    Redirect 403 /
</If>
END
}`;

/** The names of these functions: `enable authz_core` needs them, and what other systems ask for does not. */
const NAMES = new Set(['enable', 'disable', 'disable_without']);

/** The functions that commands need, as lines before them. */
function functionsFor(commands: readonly string[]): readonly string[] {
  return commands.some((command) => command.split(' ').some((word) => NAMES.has(word))) ? [FUNCTIONS] : [];
}

/** The commands of a finding as the arguments of a program to start in the directory of the server config. */
export function argumentLists({
  commands,
}: Pick<Outcome, 'commands'>): readonly (readonly string[])[] | undefined {
  return commands && [['sh', '-e', '-c', [...functionsFor(commands), ...commands].join('\n')]];
}

const HEAD = [
  '#!/bin/sh',
  '# What the change from Apache httpd 2.2 to 2.4 asks for beside the changes of text. Write those first, then run this',
  '# as: sh SCRIPT DIRECTORY, with the directory of the server config, or in that directory.',
];

/** Said where the configuration can be put into the place of a new server's. */
const USAGE = [
  '#   sh SCRIPT DIRECTORY NEW    also puts DIRECTORY into NEW, the configuration that the package of 2.4 has made (/etc/apache2,',
  '#                              /etc/httpd, /usr/local/etc/apache24), keeps NEW as it was beside it, and has httpd look at the result',
  '#   sh SCRIPT --undo NEW       puts NEW back as it was before the last such run',
];

/** What is done with the directory of the new server config, before and after the commands that write to it. */
const KEEP = `say() {
    printf '%s\\n' "$*" >&2
}

# Puts the files of the old server into NEW: those of conf, or of all directories beside it where conf.d is one of them. Links such as modules, logs
# and run, and the lists of modules of other packages, stay as they are there.
put_into_new() {
    from=. to=$new
    case $PWD,$new in
    */conf,*/conf) ;;
    */conf,*) if [ -d ../conf.d ]; then from=..; elif [ -d "$new/conf" ]; then to=$new/conf; fi ;;
    esac
    for file in "$from"/*; do
        [ ! -L "$file" ] || continue
        case \${file##*/} in conf.modules.d|modules|logs|run|state) continue ;; esac
        cp -RpP "$file" "$to/"
    done
}

# The number of the last of the copies NEW.before-1, NEW.before-2 and so on; 0 where there is none.
last_copy() {
    copy=0
    while [ -e "$1.before-$((copy + 1))" ]; do copy=$((copy + 1)); done
    echo "$copy"
}

directory() {
    (cd "$1" && pwd -P)
}

# Keeps a file that says how httpd is started with the last copy of NEW: --undo puts it back.
keep_start() {
    mkdir -p "$new.before-$(last_copy "$new")/.start\${1%/*}"
    cp -p "$1" "$new.before-$(last_copy "$new")/.start$1"
}

if [ "\${1-}" = --undo ]; then
    new=$(directory "$2")
    copy=$(last_copy "$new")
    if [ "$copy" = 0 ]; then
        say "there is no $new.before-1: nothing is taken back"
        exit 1
    fi
    rm -rf "$new.undone"
    mv "$new" "$new.undone"
    mv "$new.before-$copy" "$new"
    if [ -d "$new/.start" ]; then
        (cd "$new/.start" && find . -type f -print) | while IFS= read -r file; do
            cat "$new/.start/$file" > "/$file"
        done
        rm -rf "$new/.start"
    fi
    say "$new is as it was before the last run; what it was until now is $new.undone"
    exit 0
fi`;

const ENTER_NEW = `new=\${2:-}
if [ -n "$new" ]; then
    new=$(directory "$new")
    if [ "$new" = "$(directory "$1")" ]; then
        say "$new is both the old directory and the new one"
        exit 1
    fi
fi`;

/** A directory that a link of a copy leads to is that of the new server, whose files are none of the old one's. */
const BEFORE_INSTALL = `for link in * */*; do
    if [ -L "$link" ] && [ -d "$link" ]; then :; else continue; fi
    case $(directory "$link")/ in "$new"/*) ;; *) continue ;; esac
    say "nothing is done: $PWD/$link leads into $new: put what the old server had there in its place"
    exit 1
done
cp -RpP "$new" "$new.before-$(($(last_copy "$new") + 1))"`;

const AFTER_INSTALL = `say "$new was kept as $new.before-$(last_copy "$new"): sh $0 --undo $new puts it back"
export APACHE_CONFDIR="$new"
for control in apache2ctl apachectl httpd; do
    command -v "$control" > /dev/null || continue
    set -- configtest
    case $control:$new in
    # Debian's goes by APACHE_CONFDIR; these are where the others look by themselves.
    apache2ctl:* | apachectl:/etc/apache2 | apachectl:/etc/httpd | apachectl:/usr/local/etc/apache24) ;;
    *)
        control=httpd main=$new/httpd.conf
        command -v httpd > /dev/null || continue
        [ ! -e "$new/conf/httpd.conf" ] || main=$new/conf/httpd.conf
        set -- -t -d "\${new%/conf}" -f "$main"
        ;;
    esac
    "$control" "$@" && exit 0
    say "httpd refuses it: httpd-codemod why '<the message>' says what to do, then run this again"
    exit 1
done
say "httpd is not installed here: nothing has looked at the result"`;

const isShown = ({ status }: Outcome): boolean => status !== 'ignored';

/** Elsewhere the commands would make directories and links that nothing reads, and seem to have worked. */
function checkOf({ tree: { roots } }: RunResult): readonly string[] {
  const main = /(?:apache2|httpd)\.conf$/.exec(roots[0]?.path ?? '');
  return main === null
    ? []
    : [`[ -e ${main[0]} ] || { echo "no ${main[0]} in $PWD: give its directory" >&2; exit 1; }`];
}

/**
 * The findings that say what to do beside the changes of text, as a shell script: it is run in the directory of the server
 * config, or with that directory as its argument. That of a server also puts this directory into the place of a new server's, as
 * a finding says for its layout, and takes that back. Without anything to do, a script that does nothing. A byte string.
 */
export function scriptReport(result: RunResult): string {
  const told = sortedOutcomes(result).filter((outcome) => outcome.commands !== undefined && isShown(outcome));
  const layout = result.outcomes.filter(isShown).flatMap((outcome) => outcome.install ?? []);
  const install = layout.length > 0 || !result.tree.isServer ? layout : ['put_into_new'];
  const lines = [
    ...HEAD,
    ...(install.length > 0 ? USAGE : []),
    'set -e',
    ...(install.length > 0 ? ['', KEEP, '', ENTER_NEW] : []),
    'cd "${1:-.}"',
    ...(told.length > 0 ? checkOf(result) : []),
  ];
  for (const text of functionsFor(told.flatMap(({ commands = [] }) => commands))) lines.push('', text);
  for (const { message, commands = [] } of told) lines.push('', `# ${oneLine(message)}`, ...commands);
  if (install.length > 0)
    lines.push('', '[ -n "$new" ] || exit 0', '', BEFORE_INSTALL, '', ...install, '', AFTER_INSTALL);
  return `${lines.join('\n')}\n`;
}
