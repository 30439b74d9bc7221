import type { MessageShape } from './shape';

/** What to write for the words of FilterProvider in 2.2. */
export const NEW_FILTER_PROVIDER =
  'write `FilterProvider NAME PROVIDER "EXPRESSION"`: the three words of 2.2 become one expression, such as "%{CONTENT_TYPE} =~ m#^text/#"';

/** What to write where the flags of a rewrite rule are more than one word. */
export const NO_BLANK_IN_FLAGS =
  'take the blanks out of the flags (`[R=301,L]`, not `[R=301, L]`): the third word is read as the flags, and must be one word in brackets, with nothing behind it: a RewriteRule has one pattern, one target and flags. `!-d` is one word, too, not `! -d`. Where a blank belongs to the pattern or the target, put that into quotation marks, or a backslash before the blank. Both versions refuse the line: a .htaccess answers 500, and its error log names "bad flag delimiters"';

const WEB_PAGE =
  'get the file again: a web page lies in its place, as whoever fetches the page about a file (of GitHub and the like) and not the file itself gets one (its address for the raw text; `curl -fL`)';

/** What a 2.2 says of a LogLevel line for 2.4. */
export const LEVEL_ALONE =
  'write one level for all (`LogLevel debug`) where a 2.2 reads the line: `module:level` is of 2.4. For both put the line of 2.4 into `<IfVersion >= 2.4>` and that of 2.2 into `<IfVersion < 2.4>`';

/** Words that are unknown, whatever they are about. */
export const UNKNOWN_WORDS: readonly MessageShape[] = [
  {
    pattern: /Invalid command '<?(?:!doctype|html|head|body|title|script|meta|div|span)\b/i,
    remedy: WEB_PAGE,
  },
  {
    pattern: /Invalid command '<?&(?:lt|gt|amp|quot|nbsp|#\d+);?/,
    remedy:
      'write the characters themselves (< for &lt;, > for &gt;, & for &amp;, a quotation mark for &quot;): the text was copied from the source of a web page',
  },
  {
    pattern: /Invalid command '<?(?:[^'>]*[^\x00-\x7f]|\\x[89a-f])/,
    remedy:
      'type the line again: an invisible character stands in or before its first word, as a byte order mark at the begin of a file or a blank copied from a web page (`grep -nP "[^\\x00-\\x7F]" FILE` shows it)',
  },
  {
    pattern: /Invalid command '\[?(?:\.{2,}|\xe2\x80\xa6)\]?'/,
    remedy:
      'remove the line: the dots stand for what an example leaves out, and httpd takes them for the name of a directive',
  },
  {
    pattern: /Invalid command '(?:\.{0,2}\/|[^'<>\s]*\/)[^'\s]*\.(?:conf|load)'/,
    rule: 'debian-layout',
    remedy:
      'remove the file and make the link anew (Debian: `a2enconf NAME`, `a2ensite NAME`, `a2enmod NAME`): it holds the path that a link should lead to, as copying without links leaves it',
  },
  {
    pattern: /Invalid command '<?[^'>\s]+[ \t][^'>]*'/,
    remedy:
      'type the line again, without quotation marks around it as a whole: httpd takes it for one word, because of these or of no-break spaces copied from a web page between its words',
  },
  { pattern: /(?<!\berror: )Invalid command '<?(?<directive>>+|[^'>\s]*)[^'>]*(?:>?'|$)/, remedy: '' },
];

/** What the reader of configurations refuses: unknown words, wrong arguments, wrong places. The general ones come last. */
export const SYNTAX_MESSAGES: readonly MessageShape[] = [
  {
    pattern: /: <(?<section>\w+)> dir[>.\u2026]*$/,
    remedy:
      'look at the line of <$<section>: it lacks the `>` at its end, or its argument (`<IfModule mod_env.c>`). The message is cut off: "directive missing closing \'>\'", or "directive requires additional arguments"',
  },
  {
    pattern: /Expected <\/\w+> but saw <\/(?:html|head|body|title|script|style|div|span)\b/i,
    remedy: WEB_PAGE,
  },
  {
    pattern: /without matching <(?<section>\w+)|Expected <\/(?<expected>\w+)> but saw <\/(?<saw>\w+)/i,
    remedy:
      'open and close sections in pairs, innermost first: here a closing line has no opening one above, or that of another section. A tool that took single lines out often leaves one of a pair',
  },
  {
    pattern:
      /directive requires additional arguments|(?:missing|requires) (?:a )?(?:file ?name|argument)s?$/i,
    remedy: 'give the section its argument: `<Directory "/path">`, `<IfModule mod_x.c>`',
  },
  {
    pattern: /Failed to locate the unicode map file/,
    remedy:
      'copy unicode.mapping of mod_security (its package, or its sources) beside the file in which SecUnicodeMapFile stands, or write its whole path there, or remove the line',
  },
  {
    pattern: /Unknown action: \\/,
    rule: 'third-party-module',
    remedy:
      'update httpd to 2.4.11 or later (`httpd -v`): older ones, 2.2 too, read a rule of mod_security that goes on over many lines wrongly. Else join its lines, and take away a blank behind a backslash',
  },
  {
    pattern:
      /Error (?:parsing actions|creating rule): |\bUnknown (?:action|variable|operator|transformation function): /,
    rule: 'third-party-module',
    remedy:
      'take the file of the rules anew, from a set that is for this release of mod_security (CRS 3 and 4 need 2.9): mod_security refuses a rule in it, as it does not know a word of a newer release, or an edit by sed has left a quotation mark, a comma or a backslash in it that is one too many or too few',
  },
  {
    pattern: /\bRules error\. File: (?<path>[^\s]+)\. Line: (?<word>\d+)/,
    rule: 'third-party-module',
    remedy:
      'correct line $<word> of $<path>, not the line of httpd that includes it: mod_security refuses a rule there, mostly as the rules are of another release than the module (`SecRule` sets for 3 or 4 need mod_security 2.9), a file that the rule names is missing, or an id stands twice',
  },
  {
    pattern: /Illegal override option (?<word>\S+)/,
    rule: 'strict-argument',
    remedy: 'write words that AllowOverride has: All, None, AuthConfig, FileInfo, Indexes, Limit, Options',
  },
  {
    pattern: /Unknown directive (?<directive>\S{1,80}) perhaps misspelled/,
    owned: true,
    remedy: '',
  },
  {
    pattern: /\bAH02295\b|in \.htaccess forbidden by AllowOverride/,
    rule: 'allow-override-unset',
    remedy: 'set AllowOverride for this directory so that its .htaccess may have the line',
  },
  {
    pattern:
      /Discarding (?:unrecognized )?directive [`'](?<kind>All|None|AuthConfig|FileInfo|Indexes|Limit|Options)'/i,
    rule: 'allow-override-unset',
    remedy:
      'write `AllowOverride $<kind>`: AllowOverrideList takes names of directives (`AllowOverrideList Redirect RedirectMatch`), and drops what is none. httpd starts, and reads no line of a .htaccess that neither of the two lets in',
  },
  {
    pattern: /\bAH00116\b|\bAH02304\b|Discarding (?:unrecognized )?directive/,
    rule: 'allow-override-unset',
    remedy:
      'correct the name in AllowOverrideList, load the module that has it above this line, or take it out: the list drops what no module loaded so far has (AH00116), and what no .htaccess may have (AH02304)',
  },
  {
    pattern: /\bAH00(?:114|115)\b|Useless use of AllowOverride/,
    remedy:
      'move the line into a <Directory> without a pattern: elsewhere AllowOverride does nothing, in 2.2 as well',
  },
  {
    pattern: /\bAH00(?:521|545)\b|(?:MaxClients|MaxRequestsPerChild) is deprecated/,
    rule: 'max-clients',
    remedy: 'write MaxRequestWorkers and MaxConnectionsPerChild: these are new names for the same',
  },
  {
    pattern: /\bAH00665\b|NoCase option for non-regex pattern/,
    remedy:
      'take NC out of the RewriteCond, which has no effect there and is passed over: a test such as -f or -d knows no letter case',
  },
  {
    pattern: /\bAH00664\b|RewriteOptions: MaxRedirects option has been removed/,
    remedy:
      'remove the option, and write LimitInternalRecursion in the server configuration if the limit matters',
  },
  {
    pattern: /\bAH10142\b|they must be enclosed in quotation marks/,
    rule: 'require-expression',
    remedy: 'put the arguments in quotation marks: 2.4 takes only the first',
  },
  {
    pattern:
      /(?:(?<file>(?<!\/[^:\s]*?)\/[^:]{0,400}): )?\b(?<directive>RewriteRule|RewriteCond): cannot compile regular expression|(?:[Rr]egular expression|[Rr]egex|pattern)(?: for \w+)? could not be compiled|(?:Failed|could not|Unable) to compile regular expression|could not compile regex/,
    rule: 'regex-pcre2',
    remedy:
      'close each ( and [ of the pattern; put what is to be repeated before *, + and ? (`.*`, not * alone, which is of <Files> and <Directory>, and one of them, not `?*`); write \\- for a hyphen beside \\w or the like in brackets, and no backslash before a letter that has no meaning with one: since 2.4.53 httpd may be built with PCRE2, which refuses some of what PCRE 8 accepted',
  },
  {
    pattern:
      /invalid range in character class|range out of order in character class|unrecognized character follows \\|escape sequence is invalid in character class|reference to non-existent subpattern|\\K is not allowed in lookarounds/,
    rule: 'regex-pcre2',
    remedy:
      'write \\- for a hyphen beside \\w or the like in brackets, no backslash before a letter that has no meaning with one, and no \\K in an assertion',
  },
  {
    pattern: /Ignoring deprecated use of DefaultType/,
    rule: 'default-type',
    remedy: 'remove the line: name the types that matter with AddType, or with ForceType in a section',
  },
  {
    pattern: /Either all Options must start with/,
    rule: 'options',
    remedy:
      'give every word a sign, which changes what the directory inherits (`Options +FollowSymLinks -Indexes`), or none, which sets these options and no other (`Options FollowSymLinks`): with the path of the configuration, what 2.2 did stands below',
  },
  {
    pattern: /NameVirtualHost has no effect/,
    rule: 'name-virtual-host',
    remedy:
      'remove the line: virtual hosts that share an address are always told apart by name. It is a warning: what keeps httpd from starting is another line',
  },
  {
    pattern: /KeepAlive must be one of|KeepAlive must be On or Off/i,
    rule: 'keep-alive',
    remedy: 'write On or Off',
  },
  { pattern: /KeepAliveTimeout has wrong format/, rule: 'keep-alive-timeout', remedy: 'write whole seconds' },
  {
    pattern: /ServerTokens takes 1 argument/,
    rule: 'server-tokens',
    remedy: 'write one of its words, or Full',
  },
  {
    pattern: /Invalid ServerName/,
    rule: 'server-name-pattern',
    remedy: 'move the pattern to ServerAlias: ServerName names one host',
  },
  {
    pattern: /'(?<word>\w+)(?::[^']*)?' session cache not supported/,
    rule: 'load-module',
    remedy:
      'load mod_socache_$<word> before this line: each kind of cache is a module in 2.4 (Debian: a2enmod socache_$<word>)',
  },
  {
    pattern: /Unsupported HTTP response code|invalid HTTP response code '[^']*' for flag 'R'/,
    rule: 'status-code-refused',
    remedy:
      'remove the line, or write a status code that 2.4 knows: 2.2 accepted 306, 418, 420, 425 and 509 too',
  },
  {
    pattern: /SSLOptions: Illegal option '[+-]?(?<word>[^']*)'/,
    rule: 'strict-argument',
    remedy:
      'correct the word $<word>, or take it out: SSLOptions has StdEnvVars, ExportCertData, FakeBasicAuth, StrictRequire, OptRenegotiate and LegacyDNStringFormat',
  },
  {
    pattern: /Illegal option \S*,/,
    rule: 'options',
    remedy: 'write blanks between the words, not commas: `Options Indexes FollowSymLinks`',
  },
  {
    pattern: /Illegal option \S*(?:\\x[0-9a-f]{2}|[^\s\x21-\x7e])/i,
    remedy:
      'write the word again by hand (`Options -Indexes`): it has a long dash, a curly quote or a blank of a web page or a word processor in it, where - or nothing is meant',
  },
  {
    pattern: /Illegal option \S+/,
    rule: 'strict-argument',
    remedy:
      'correct the word, or remove it, which is no option: Options has All, None, Indexes, FollowSymLinks, SymLinksIfOwnerMatch, ExecCGI, Includes, IncludesNOEXEC and MultiViews. After AllowOverride Options= 2.2 ignored such a word and all behind it',
  },
  {
    pattern: /\bRewriteBase: (?:argument is not a valid URL|empty (?:URL|argument) not allowed)/,
    remedy:
      'write the path of the directory as URLs have it, with a slash at its front, and no name of a host: `RewriteBase /`, or `RewriteBase /cloud/`. Nextcloud and the like write the line from a setting of their own (htaccess.RewriteBase)',
  },
  {
    pattern: /Unknown keyword '(?<word>[^']*)' for FileETag/,
    rule: 'strict-argument',
    remedy:
      'correct the word $<word>: FileETag has None, All, INode, MTime and Size, newer releases Digest, too',
  },
  {
    pattern:
      /Invalid ForceLanguagePriority option|(?:^|\n|\.htaccess: |\bline \d+ of \S+ )Unrecognized option '\w+'(?=[,\s]|$)|ServerSignature: use one of/,
    rule: 'strict-argument',
    remedy:
      'correct the word: ForceLanguagePriority has None, Prefer and Fallback, MultiviewsMatch Any, NegotiatedOnly, Filters and Handlers, ServerSignature On, Off and EMail',
  },
  {
    pattern: /Invalid (?:CharsetOptions|ExtFilterOptions) option: DebugLevel/i,
    rule: 'debug-level',
    remedy:
      'take DebugLevel out of the line, which only 2.2 knows: `LogLevel charset_lite:debug` or `LogLevel ext_filter:debug` of 2.4 logs the same',
  },
  {
    pattern:
      /RewriteOptions: unknown option '(?<word>[^']*)'|Invalid (?:CharsetOptions|ExtFilterOptions) option|Invalid directory indexing option|Cannot combine (?:'|other IndexOptions )|(?:Name|Description)Width (?:with no )?value |AcceptPathInfo must be set to|parameter must be 'on' or 'off'|Invalid CookieStyle keyword|XBitHack must be set to/,
    rule: 'strict-argument',
    remedy:
      'correct the word, or take it out: neither version has it. AcceptPathInfo has On, Off and Default, EnableMMAP and EnableSendfile On and Off, XBitHack On, Off and Full, IndexOptions such words as FancyIndexing, FoldersFirst, NameWidth=* and -NameWidth',
  },
  {
    pattern:
      /Missing (?:(?:regular|envariable) expression|header-field name) for (?<word>\w+)|Rewrite(?:Rule|Cond): bad argument line/,
    rule: 'strict-argument',
    remedy:
      'write what the line lacks: `SetEnvIf HEADER REGEX NAME=VALUE`, `BrowserMatch REGEX NAME=VALUE`, `RewriteRule PATTERN TARGET`, `RewriteCond TEXT CONDITION`',
  },
  {
    pattern: /AddOutputFilterByType requires at least two arguments/,
    rule: 'strict-argument',
    remedy: 'write the types behind the filter: `AddOutputFilterByType DEFLATE text/html`',
  },
  {
    pattern: /Redirect to non-URL/,
    rule: 'strict-argument',
    remedy:
      'write where it leads as a whole URL (`https://www.example.com/`) or as a path that begins with a slash',
  },
  {
    pattern:
      /first argument must be 'add', 'set'|Header requires three arguments|Header edit requires a match|Header echo only valid on Header/,
    rule: 'strict-argument',
    remedy:
      'write what is to be done first (set, append, unset …), behind always or onsuccess in Header, then the header and its value',
  },
  {
    pattern: /LimitXMLRequestBody must not exceed/,
    rule: 'strict-argument',
    remedy: 'write 0: that is the largest limit that 2.4 has',
  },
  {
    pattern:
      /Log level keyword must be one of|Cannot find module (?:emerg|alert|crit|error|warn|notice|info|debug) /i,
    rule: 'strict-argument',
    remedy: 'write a level alone, or MODULE:LEVEL for one module: 2.2 read only the first word in the quotes',
  },
  {
    pattern: /Can't parse value expression/,
    rule: 'strict-argument',
    remedy: 'write expr= twice to send a value that begins with it: 2.4 reads what follows as an expression',
  },
  {
    pattern: /Cannot parse '[^']*' as port number/,
    rule: 'strict-argument',
    remedy:
      'write numbers with blanks between them, or first-last: 2.2 read the number that a word begins with',
  },
  {
    pattern: /CacheDisable must specify a path or an URL/,
    rule: 'cache-disable',
    remedy: 'remove the line: it had no effect in 2.2',
  },
  {
    pattern: /Unknown filter provider \S+|\bAH00082\b|unknown filter was not added/,
    rule: 'load-module',
    remedy:
      'load the module that has this filter (mod_deflate for DEFLATE, mod_include for INCLUDES, mod_substitute for SUBSTITUTE), before the line that names it',
  },
  {
    pattern: /Can(?:not|'t) parse (?:value )?expression/i,
    rule: 'expression-text',
    remedy: 'escape %{, $1 and backslashes in the text: 2.4 reads it as an expression',
  },
  {
    pattern:
      /\b(?:[Oo]ption (?<word>\S+)|(?<option>Indexes|FollowSymLinks|SymLinksIfOwnerMatch|ExecCGI|Includes(?:NoExec)?|MultiViews)) (?:is )?not allowed here/,
    rule: 'allow-override-unset',
    remedy:
      'add $<word>$<option> to `AllowOverride Options=` of this directory, or take the word out of the .htaccess: All asks for every option, and FollowSymLinks may be SymLinksIfOwnerMatch where only that is allowed',
  },
  {
    pattern: /<(?<section>\w+)>? cannot occur within <\k<section>/,
    remedy: 'close the section above (`</$<section>>`): this one begins inside of another of its kind',
  },
  {
    pattern: /(?<directive>\S{1,80}) cannot occur within <VirtualHost/,
    rule: 'misplaced-directive',
    owned: true,
    remedy: 'move the line out of the virtual host to the server level: it is for the whole server',
  },
  {
    pattern:
      /FilterProvider takes|FilterProvider.*[Ee]xpression parse error|Error parsing FilterProvider expression/,
    rule: 'filter-provider',
    remedy: NEW_FILTER_PROVIDER,
  },
  {
    pattern: /Unrecognized LogFormat directive %(?:\S*\}\^?)?[IOS]\b/,
    rule: 'load-module',
    remedy: 'load mod_logio: %I, %O and %S are its words',
  },
  {
    pattern: /Unrecognized LogFormat directive|Ran off end of LogFormat/,
    rule: 'strict-argument',
    remedy:
      'correct the letter behind the %: no module that is loaded has it. %{…}t, %{…}c and the like take the words of mod_log_config, %I, %O and %S need mod_logio',
  },
  {
    pattern: /'Options (?:None|All)' must be the first|You may not use 'Options [+-]/,
    rule: 'options',
    remedy:
      'write None or All alone and without a sign, or name the options: `Options +FollowSymLinks -Indexes`',
  },
  {
    pattern: /Argument for 'Require all' must be/,
    rule: 'order-allow-deny',
    remedy: 'write `Require all granted` or `Require all denied`, in small letters and nothing behind it',
  },
  {
    pattern: /allow and deny must be followed by 'from'/,
    rule: 'order-allow-deny',
    remedy:
      'write `Allow from …` or `Deny from …`; for 2.4 `Require all granted`, `Require all denied` or `Require ip ADDRESS`, which httpd-codemod does for the whole tree',
  },
  {
    pattern: /directive contains no authorization directives/,
    rule: 'order-allow-deny',
    remedy:
      'write a Require line into the block, or remove the block: an empty one decides nothing, and 2.4 may refuse the request',
  },
  {
    pattern: /Can't load driver file apr_dbd|No driver for \w+|You must load mod_dbd/,
    remedy:
      'load mod_dbd before this line (Debian: a2enmod dbd), and install the driver of the database for APR (Debian: libaprutil1-dbd-mysql and the like; RHEL: apr-util-mysql)',
  },
  {
    pattern: /\b(?<directive>\w+)(?: only used in <VirtualHost|: only valid in per-directory)/,
    rule: 'misplaced-directive',
    remedy:
      'move the line into the <VirtualHost>, or the <Directory> or .htaccess, that it is for: here it is for none',
  },
  {
    pattern: /You must load (?<word>mod_\w+) to enable/,
    rule: 'load-module',
    remedy: 'load $<word> as well: the module that says so works only with it',
  },
  {
    pattern: /Rewrite(?:Rule|Cond): unknown flag '(?:END|end)'/,
    rule: 'strict-argument',
    remedy:
      'write [L] in place of [END], or update httpd (`httpd -v`): this one is a 2.2, which has no END. In a .htaccess the rules run anew behind [L], so that what is rewritten already needs a RewriteCond (`%{ENV:REDIRECT_STATUS} ^$`)',
  },
  {
    pattern: /(?<section>Rewrite(?:Rule|Cond)): unknown flag '(?<word>[^']*)'/,
    rule: 'strict-argument',
    remedy:
      'correct the flag $<word>, or take it out: $<section> knows none of this name. Flags stand in one pair of brackets with commas between them (`[R=301,L]`, for RewriteCond `[NC,OR]`); some are of a newer release: END needs 2.4, UnsafeAllow3F 2.4.60, BCTLS 2.4.56 (`httpd -v`)',
  },
  {
    pattern: /bad flag delimiters/,
    rule: 'strict-argument',
    remedy: NO_BLANK_IN_FLAGS,
  },
  {
    pattern: /Multiple <?\w+>? arguments not (?:\(yet\) )?supported/,
    remedy:
      'put the name into quotation marks, or end the line behind it: the section takes one argument, and a blank ends it',
  },
  {
    pattern: /\baddress '(?:all|none)' appears to be invalid/i,
    rule: 'order-allow-deny',
    remedy:
      'write `Require all granted` for `Allow from all`, and `Require all denied` for `Deny from all` or `Allow from none`: Require ip takes addresses alone',
  },
  {
    pattern: /\b(?:ip )?address '[^']*' appears to be invalid|'require ip' requires/,
    rule: 'order-allow-deny',
    remedy:
      'write an address (10.1.2.3), the first part of one (10.1), a network (10.1.0.0/16) or addresses with blanks between them behind `Require ip`; names stand behind `Require host`',
  },
  {
    pattern:
      /Invalid address or port|Port must be specified|[Tt]he (?:address or port is invalid|port number "[^"]*" is outside)/,
    rule: 'strict-argument',
    remedy: 'write a port from 1 to 65535 at the end: `Listen 80`, `Listen 127.0.0.1:8080`',
  },
  {
    pattern: /Redirect URL not valid for this status|Redirect: invalid first argument/,
    rule: 'strict-argument',
    remedy:
      'remove the URL, or write a status of 300 to 399 (permanent, temp, seeother): with another status, such as gone or 404, Redirect leads nowhere, and takes none',
  },
];
