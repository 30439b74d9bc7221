/** How much of a file is looked at, in characters. */
const PROBE = 64 * 1024;
const BINARY_PROBE = 8 * 1024;

const SECTION =
  /^[ \t]*<(?:AuthnProviderAlias|AuthzProviderAlias|Directory|DirectoryMatch|Files|FilesMatch|If|IfDefine|IfModule|IfVersion|Limit|LimitExcept|Location|LocationMatch|Macro|Perl|Proxy|ProxyMatch|RequireA(?:ll|ny)|RequireNone|VirtualHost)(?:[ \t][^\r\n]*)?>/im;

/** Names, and beginnings of names, that no other program's configuration is known to use. */
const DIRECTIVE = new RegExp(
  `^(?:${`
    accept(?:filter|mutex|pathinfo) accessfilename add(?:alt|charset|default|desc|enc|handler|icon|input|lang|module|output|type)\\w*
    aliasmatch allow(?:connect|encoded|methods|override)\\w* anonymous_\\w+ auth(?:basic|db|digest|form|group|ldap|name|type|user|n|z)\\w*
    balancer\\w+ browsermatch\\w* bufferedlogs cache(?:def|dir|dis|enable|ignore|last|lock|max|min|neg|root|so|store)\\w* cgi\\w+
    charset(?:def|opt|source)\\w* checkspelling cookie(?:domain|exp|log|name|style|track)\\w* coredumpdirectory customlog
    dav(?:depth|lock|min)\\w* dbd\\w+ default(?:icon|language|type) deflate\\w+ directory(?:index|slash) documentroot
    enable(?:mmap|sendfile) error(?:document|log) expires(?:active|bytype|default) extendedstatus extfilter\\w+ fallbackresource
    fancyindexing fastcgi\\w+ fcgid\\w+ fileetag filter(?:chain|declare|protocol|provider|trace) force(?:lang|type)\\w*
    gracefulshutdowntimeout headername hostnamelookups identitycheck\\w* imap(?:base|default|menu) includeoptional index(?:head|ign|opt|order|style)\\w*
    isapi\\w+ jk\\w+ keepalive(?:timeout)? languagepriority ldap(?:cache|op|shared|trusted|verify)\\w+ limit(?:internal|request|xml)\\w+
    listenbacklog load(?:file|module) lockfile log(?:format|level) max(?:clients|keepalive|memfree|range|request|spare)\\w* mcache\\w+
    meta(?:dir|files|suffix) mimemagicfile min(?:spare)\\w+ mmapfile modsec\\w+ multiviewsmatch namevirtualhost nss\\w+ passenger\\w+ passenv
    perl[a-z]+ php_(?:admin_)?(?:flag|value) pidfile proxy[a-z]+ python[a-z]+ readmename redirect(?:match|permanent|temp) remoteip\\w+
    remove(?:charset|enc|handler|input|lang|output|type)\\w* requestheader requestreadtimeout rewrite\\w+ rlimit\\w+ scoreboardfile
    script(?:alias|log|sock|interp)\\w* sec(?:audit|filter|rule)\\w* sendbuffersize server(?:admin|alias|limit|name|path|root|signature|tokens)
    set(?:env|handler|input|output)\\w* ssi\\w+ ssl[a-z]+ start(?:servers|threads) substitute suexecusergroup thread(?:limit|sperchild|stack)\\w*
    traceenable transferlog typesconfig unsetenv usecanonical\\w+ userdir virtual(?:document|script)\\w+ wsgi\\w+ xbithack
  `
    .trim()
    .split(/[ \n]+/)
    .join('|')})$`,
  'i',
);

/** Plain words, which count as directives only when written the way httpd's manual does. */
const PLAIN =
  /^(?:Action|Alias|Allow|Dav|Define|Deny|Group|Header|Include|Listen|Options|Order|Redirect|Require|Satisfy|Script|Time[oO]ut|Use|User)$/;

/** Blocks in braces, ini sections, XML: no httpd configuration. */
const FOREIGN = /^[ \t]*(?:[^#\r\n]*\{[ \t]*(?:#[^\r\n]*)?|\[[^\]\r\n]*\][ \t]*)\r?$/m;
/** ProFTPD's configuration is httpd's in all but these. */
const FTP = /^[ \t]*(?:<Anonymous[ \t]|(?:AuthPAM|DefaultRoot|MaxInstances|PassivePorts|ServerType)[ \t])/im;

export function isBinary(text: string): boolean {
  return text.slice(0, BINARY_PROBE).includes('\0');
}

/** A cheap guess, for files that nothing but their name or place points to. Comments alone are no configuration. */
export function looksLikeConfig(text: string): boolean {
  const probe = text.slice(0, PROBE);
  if (isBinary(text) || /^(?:\xEF\xBB\xBF)?[ \t\r\n]*<[?!]/.test(probe) || FTP.test(probe)) return false;
  return SECTION.test(probe) || (!FOREIGN.test(probe) && hasDirective(probe));
}

/** True where some line begins as a directive of httpd or of a well known module does. */
export function hasDirective(text: string): boolean {
  for (const [, name = '', rest = ''] of text
    .slice(0, PROBE)
    .matchAll(/^[ \t]*([A-Za-z]\w*)([ \t][^\r\n]*)?\r?$/gm)) {
    if (!DIRECTIVE.test(name) && !PLAIN.test(name)) continue;
    if (!/^[ \t]*=|;[ \t]*$/.test(rest)) return true;
  }
  return false;
}
