/** What `--help` and the manual page say below the options: a section has paragraphs, its lines as they are shown. */
export interface HelpSection {
  /** The heading in the manual page. */
  readonly title: string;
  /** Lines that begin with blanks are kept as they are; the others are one text. */
  readonly text: string;
}

export const HELP_SECTIONS: readonly HelpSection[] = [
  {
    title: 'Paths',
    text: `Paths: a server config, a directory (its server config and the .htaccess files below it), a
fragment, a .htaccess file; - reads stdin and writes to stdout. Of a server, all that it reads is
read: what its Includes lead to, and the .htaccess files below the directories that it serves; of a
copy, what was copied with it. Several paths are read as one server. Without -w nothing is written.
Without any path: the server below the working directory, or else that of this machine.
A tar (.tar.gz, .tgz, .tar) that the script of httpd-codemod collect has made on a server stands for
that server: nothing of this machine is read, and -w --output converted.tar.gz makes the tar for the
new server, with an install.sh that puts it there.
Giving a config file gives its directory, too (and the one above if that is called conf, conf.d or
the like), and the ServerRoot around it. Files elsewhere are shown in the diff, but written only with
--follow, or if you agree when -w asks. What a server does not load (disabled sites and modules, spare
copies) is named and left as it is, unless --unused is given.
httpd-codemod undo undoes the last write to the working directory, after it has shown which files.
httpd-codemod debug tree|access|findings <path...> prints how a configuration is read, which
sections can meet and what each inherits, or what the rules find before any of it is applied
(--format json).`,
  },
  {
    title: 'In configuration',
    text: `In configuration: # httpd-codemod-ignore-next-line [rule...], # httpd-codemod-ignore-file [rule...],
# httpd-codemod-ignore-begin [rule...] to # httpd-codemod-ignore-end. Files named in
.httpdcodemodignore (the syntax of .gitignore) are read but not changed.
httpd-codemod.config.json, here or in a directory above, may set paths, rules, skip, severities,
defines, dual, serverRoot, target (a release), answers and accepted; the command line takes
precedence.`,
  },
  {
    title: 'Explaining a request',
    text: `--explain 'PATH[?KEY=VALUE&...]' shows which sections decide a request, what each sets, what both
versions answer, and the lines that decide. PATH is a URL path, mapped by DocumentRoot and Alias, or
else to the directory given (that of the .htaccess given). A path inside a directory that the
configuration or the command line names is the path of a file. Keys: method, from (the client's
address), host (its name), user, group, password (ok, none), env (a variable that is set), referer
and agent (headers that SetEnvIf looks at), ssl (on, off), vhost (a ServerName, or name:port; the
default is the main server).
--explain 'URL [KEY=VALUE ...]' finds the virtual host by the URL; --explain 'LINE' takes the client,
the file or URL and the referer from a line of an access log or an error log.
Status 0: the answers agree; 1: they differ or are unknown.`,
  },
  {
    title: 'Asking a log',
    text: `--log FILE... puts each request of access logs to both versions: 2.2 with the text as it is, 2.4 with
the result. The report says how many are answered alike, which sections would refuse somebody, and
which strictest forms refuse none of them: --answer log=enough accepts these. The formats are those
of the configuration, common and combined; .gz is unpacked; - reads stdin; Ctrl-C ends the reading
and tells what was read. Behind --log, a directory, a tar of collect and a name that ends in .conf
or .htaccess are paths to convert still. Nothing of a log is kept but counts and a few lines,
without addresses, users and queries unless --full is given.
httpd-codemod compare --log FILE --old URL --new URL asks an old and a new server the requests of a
log that change nothing, and tells where they answer differently.`,
  },
  {
    title: 'Options of rules',
    text: `After -- follow rule options, as --<rule>.<option>=<value>, and paths that begin with a dash
(give a path that looks like a rule option as ./--name).`,
  },
  {
    title: 'Exit status',
    text: `Exit status, the same in every mode:
  0  nothing left to do
  1  changes pending (dry run, --check), a blocker, or findings at or above
     --fail-on that a person must resolve (--fail-on never: changes alone)
  2  trouble: bad usage, a path given that cannot be read, a refused write
If several apply, the highest is returned.`,
  },
];

const WIDEST = 100;
const NARROWEST = 55;

/** Columns that help is laid out for. @param columns of the terminal; undefined where it is none */
export function helpWidth(columns: number | undefined): number {
  return Math.min(WIDEST, Math.max(NARROWEST, columns ?? WIDEST));
}

/** What stands below the options. @param width in columns */
export function helpTail(width: number): string {
  return `${HELP_SECTIONS.map(({ text }) => (width < WIDEST ? wrapped(text, width) : text)).join('\n\n')}\n`;
}

/** Breaks lines between words: those that begin with blanks each for itself, the others as one text. */
function wrapped(text: string, width: number): string {
  const paragraphs = text
    .replace(/\n(?! )/g, '\0')
    .replace(/(^|\n)( [^\0\n]*)\0/g, '$1$2\n')
    .split('\n');
  return paragraphs.map((paragraph) => wrappedLine(paragraph.replaceAll('\0', ' '), width)).join('\n');
}

function wrappedLine(line: string, width: number): string {
  const [, indent = '', words = ''] = /^( *)(.*)$/.exec(line) ?? [];
  const lines: string[] = [];
  let current = indent;
  for (const word of words.split(/(?<=[^ ]) (?=[^ ])/)) {
    if (current !== indent && current.length + 1 + word.length > width) {
      lines.push(current);
      current = indent;
    }
    current += current === indent ? word : ` ${word}`;
  }
  return [...lines, current].join('\n');
}

export const HOOK_HELP = `It takes the options of a run too, except those that say what is read or written: the commit says what is
read, and --fix what is written. It lets a commit pass, or not, as a whole: --only is not taken, for what
it leaves out would pass unseen. --rule and --skip choose rules, --exclude leaves files alone.
`;
