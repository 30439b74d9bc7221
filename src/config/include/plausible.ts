import { findDirective } from '../../httpd/directives';

/** How much of a file is looked at, in characters. */
const PROBE = 64 * 1024;
const BINARY_PROBE = 8 * 1024;

const SECTION =
  /^[ \t]*<(?:AuthnProviderAlias|AuthzProviderAlias|Directory|DirectoryMatch|Files|FilesMatch|If|IfDefine|IfModule|IfVersion|Limit|LimitExcept|Location|LocationMatch|Macro|Perl|Proxy|ProxyMatch|RequireA(?:ll|ny)|RequireNone|VirtualHost)(?:[ \t][^\r\n]*)?>/im;

/** Directives of well known modules that httpd does not ship. */
const THIRD_PARTY =
  /^(?:php_(?:admin_)?(?:flag|value)|(?:fastcgi|fcgid|jk|modsec|nss|passenger|perl|python|wsgi)[a-z]+|sec(?:audit|filter|rule)[a-z]*)$/i;

/** Names that are plain words: other programs have them too, so that they count only with their capital letter. */
const PLAIN = /^(?:[A-Z][a-z]*|KeepAlive|TimeOut)$/;
const TOO_PLAIN = new Set(['Error', 'Example', 'Port', 'Protocol', 'Session']);

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
    if (isDirective(name) && !/^[ \t]*=|;[ \t]*$/.test(rest)) return true;
  }
  return false;
}

function isDirective(word: string): boolean {
  const known = findDirective(word)?.name;
  if (known === undefined) return THIRD_PARTY.test(word);
  return !PLAIN.test(known) || (/^[A-Z]/.test(word) && !TOO_PLAIN.has(known));
}
