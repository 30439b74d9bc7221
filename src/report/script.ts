import type { Outcome, RunResult } from '../engine/types';
import { oneLine } from './encoding';
import { sortedOutcomes } from './content';

/** What commands for Debian use. Debian's own a2enmod knows the modules of the installed package alone, not those of a copy. */
const FUNCTIONS = `modules=\${MODULES:-/usr/lib/apache2/modules}

# Enables a module, and says how to load it where the files of 2.2 do not.
enable() {
    [ -e "mods-available/$1.load" ] ||
        printf 'LoadModule %s_module %s/mod_%s.so\\n' "$1" "$modules" "$1" > "mods-available/$1.load"
    ln -sf "../mods-available/$1.load" "mods-enabled/$1.load"
    [ ! -e "mods-available/$1.conf" ] || ln -sf "../mods-available/$1.conf" "mods-enabled/$1.conf"
}

# Disables a module.
disable() {
    rm -f "mods-enabled/$1.load" "mods-enabled/$1.conf"
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

/**
 * The findings that say what to do beside the changes of text, as a shell script: it is run in the directory of the server config, or
 * with that directory as its argument. Without any, a script that does nothing. A byte string.
 */
export function scriptReport(result: RunResult): string {
  const told = sortedOutcomes(result).filter(({ commands, status }) => commands !== undefined && status !== 'ignored'); // prettier-ignore
  const lines = [
    '#!/bin/sh',
    '# What the change from Apache httpd 2.2 to 2.4 asks for beside the changes of text. Write those first, then run this',
    '# as: sh SCRIPT DIRECTORY, with the directory of the server config, or in that directory.',
    'set -e',
    'cd "${1:-.}"',
  ];
  for (const text of functionsFor(told.flatMap(({ commands = [] }) => commands))) lines.push('', text);
  for (const { message, commands = [] } of told) lines.push('', `# ${oneLine(message)}`, ...commands);
  return `${lines.join('\n')}\n`;
}
