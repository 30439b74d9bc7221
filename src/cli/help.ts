/** What `--help` says below the options. */
export const HELP_TAIL = `
Paths: a server config (its Includes are followed), a directory (its server config and the
.htaccess files below it), a fragment, a .htaccess file; - reads stdin and writes to stdout.
Several paths are read as one server. Without -w nothing is written.
A config file stands for its own directory (the one above if that is conf, conf.d or the like)
and the ServerRoot it lies in. Files elsewhere are read, and written only with --follow.
httpd-codemod undo takes the last write back.

In configuration: # httpd-codemod-ignore-next-line [rule...], # httpd-codemod-ignore-file [rule...],
# httpd-codemod-ignore-begin [rule...] to # httpd-codemod-ignore-end. Files named in
.httpdcodemodignore (the syntax of .gitignore) are read for what they mean and left alone.
httpd-codemod.config.json, here or in a directory above, may set paths, rules, skip, severities,
defines, dual, serverRoot and target (a release); the command line wins.

--explain 'PATH[?KEY=VALUE&...]' shows which sections decide a request, what each sets and what both
versions answer. PATH is a URL path, mapped by DocumentRoot and Alias, or else below the directory
given (that of the .htaccess given); a path inside a directory that the configuration or the command
line names is taken for a file's. Keys: method, from (the client's address), host (its name), user,
group, password (ok, none), env (a variable that is set), ssl (on, off), vhost (a ServerName; without
it the main server). Status 0: the answers agree; 1: they differ, or cannot be told.

Rule options follow after --, as --<rule>.<option>=<value>.

Exit status, the same in every mode:
  0  nothing left to do
  1  changes pending (dry run, --check), or findings at or above --fail-on
     that a person must resolve
  2  trouble: bad usage, an unreadable file, a refused write
The highest wins.
`;
