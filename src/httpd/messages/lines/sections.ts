import { findDirective } from '../../directives';
import { findModule } from '../../modules';
import { type GivenLines, hostOf, isInDirectory } from './given-lines';
import { ALWAYS, type Finder } from './finder';

/** Whom a Require line keeps out, where none of its section lets anybody in. */
function negativeAlone({ all }: GivenLines): string | undefined {
  return all.some(
    ({ name, words, within }) =>
      name === 'require' &&
      /^not$/i.test(words[0] ?? '') &&
      words.length > 1 &&
      !within.some((section) => /^require(?:all|none)$/.test(section.name)),
  )
    ? 'put the `Require not` line with `Require all granted` into `<RequireAll>` and `</RequireAll>`: beside other Require lines, where one is enough, it could only refuse, and httpd refuses the line ("has no effect in <RequireAny>")'
    : undefined;
}

/** Words on and off of a directive that knows these alone. */
function neitherOnNorOff({ all }: GivenLines): string | undefined {
  for (const { text, name, words } of all) {
    const word = words[0] ?? '';
    if (words.length !== 1 || !/^(?:yes|no|true|false|1|0|enabled?|disabled?)$/i.test(word)) continue;
    if (findDirective(name)?.spec24?.startsWith('f') !== true) continue;
    const isYes = /^(?:yes|true|1|enabled?)$/i.test(word);
    return `write \`${text.split(' ', 1)[0]!} ${isYes ? 'On' : 'Off'}\`: httpd refuses any other word there`;
  }
  return undefined;
}

/** A line of the server in a .htaccess, by the sentence in front of the lines. */
function notInHtaccess({ all }: GivenLines, question: string): string | undefined {
  const [, first = ''] =
    /\.?ht-?access\b[^\n]{0,60}:\s*\n\s*(?:`{3}\w*\s*\n\s*)?([^\n]+)/i.exec(question) ?? [];
  const at = all.findIndex(({ text }) => text === first.trim().replace(/[ \t]+/g, ' '));
  if (at < 0) return undefined;
  for (const { name, text } of all.slice(at)) {
    const info = findDirective(name.replace('<', ''));
    const letters = /^!?[0-9vfijr]*?([sdLOFAIpx*]+)/.exec(info?.spec24 ?? '')?.[1];
    if (letters !== undefined && !/[LOFAI*]/.test(letters))
      return `take \`${text.split(' ', 1)[0]!.replace(/>$/, '')}\` out of the .htaccess, and write it into the configuration of the server${name === 'allowoverride' ? ', in the <Directory> of the documents' : ''}: httpd refuses it in a .htaccess ("not allowed here"), and answers 500`;
  }
  return undefined;
}

/** AllowOverride where no directory is. */
function overrideOfHost({ all }: GivenLines): string | undefined {
  return all.some(
    (line) => line.name === 'allowoverride' && hostOf(line) !== undefined && !isInDirectory(line),
  )
    ? 'put AllowOverride into the <Directory> of the documents: it counts for directories alone, and outside of a section httpd refuses it ("not allowed here")'
    : undefined;
}

/** A path of its own in a ProxyPass of a <Location>. */
function pathInLocation({ all }: GivenLines): string | undefined {
  return all.some(
    ({ name, words, within }) =>
      /^proxypass(?:reverse)?$/.test(name) &&
      words[0]?.startsWith('/') === true &&
      /^(?:https?|wss?|ajp|fcgi|balancer|unix):/i.test(words[1] ?? '') &&
      within.some((section) => section.name === 'location'),
  )
    ? 'write the URL alone (`ProxyPass http://localhost:8080/`) within <Location>, whose path it takes, or put the line with its path outside: httpd refuses both ("can not have a path when defined in a location")'
    : undefined;
}

/** Sections that are to ask for no password, and say nothing of who may. */
function askedByOuter({ all, isElided }: GivenLines): string | undefined {
  if (isElided || !all.some(({ name }) => name === 'require')) return undefined;
  const around = all
    .find(({ name, words }) => name === 'authtype' && /^none$/i.test(words[0] ?? ''))
    ?.within.at(-1);
  if (around?.isClosed !== true || !/^(?:location|directory)$/.test(around.name)) return undefined;
  // What else stands there may say by what another way somebody is known.
  return all.filter(({ within }) => within.includes(around)).length === 1
    ? `write \`Require all granted\` beside \`AuthType None\` into <${around.name === 'location' ? 'Location' : 'Directory'} ${around.argument}>: the Require lines of the outer section count there as well, as long as it has none of its own`
    : undefined;
}

/** Settings of mod_php beside a handler that hands the programs to PHP-FPM. */
function phpValueOfFpm({ text }: GivenLines): string | undefined {
  return /^php_(?:admin_)?(?:value|flag) /im.test(text) &&
    /^(?:SetHandler|ProxyPassMatch|AddHandler) .*(?:proxy:|\s)(?:fcgi|unix):/im.test(text)
    ? 'write what php_value and php_flag set into a .user.ini beside the programs (`upload_max_filesize = 20M`), or into the pool of PHP-FPM (`php_admin_value[upload_max_filesize] = 20M`): they are of mod_php alone. PHP-FPM does not see them, and without mod_php httpd refuses the line'
    : undefined;
}

/** Times that are not switched on. */
function expiresIsOff({ text, isElided }: GivenLines): string | undefined {
  return !isElided &&
    /^<IfModule mod_expires/im.test(text) &&
    /^Expires(?:ByType|Default) /im.test(text) &&
    !/^ExpiresActive on/im.test(text)
    ? 'write `ExpiresActive On` in front of the lines of mod_expires: it is off by default, and ExpiresByType and ExpiresDefault do nothing without it'
    : undefined;
}

/** What AuthMerging does where sections are merged. */
function mergedSections(_: GivenLines, question: string): string | undefined {
  return /\bAuthMerging\b(?![^]{0,20}\bnot allowed\b)/i.test(question)
    ? 'put the more specific section behind the other: <Location> sections are merged in the order in which they stand, after <Directory> and <Files>. `AuthMerging And` asks for what both say, `Or` for one of them; without it the Require lines of the later section count alone'
    : undefined;
}

/** An open proxy beside a reverse one. */
export function openProxy({ text }: GivenLines): string | undefined {
  return /^ProxyRequests on$/im.test(text) && /^ProxyPass\w* /im.test(text)
    ? 'write `ProxyRequests Off`, or take the line out: ProxyPass does not need it, and with On anybody may reach any host through this server'
    : undefined;
}

/** What to write for a name in <IfModule> that no module has, where one of the ways to write it is that of a module. */
export function misnamedModule(text: string): string | undefined {
  for (const [, name = ''] of text.matchAll(/<IfModule[ \t]+!?["']?([\w.-]{1,60})/gi)) {
    if (findModule(name) !== undefined) continue;
    if (name.endsWith('.so'))
      return `write the word of the LoadModule line in place of <IfModule ${name}>, or the name of the source (mod_NAME.c): it takes no name of a .so file, so that the block is never read (with ! always)`;
    const stem = name.toLowerCase().replace(/^mod_|(?:_module|\.c)$/g, '');
    const found = [`${stem}_module`, `mpm_${stem}_module`]
      .map(findModule)
      .find((module) => module !== undefined);
    if (found !== undefined)
      return `write <IfModule ${found.identifier}> or <IfModule ${found.file}> in place of <IfModule ${name}>: no module has that name, so that the block is never read (with ! always). It takes the word of the LoadModule line, or the name of the source`;
  }
  return undefined;
}

/** What to write where a section of lines that somebody gives says how users are known, and lets everybody in. */
export function openBesideUser(text: string): string | undefined {
  if (/\b(?:40\d|50\d|forbidden|error)\b|<RequireAll/i.test(text)) return undefined;
  const isOpen = text
    .split(/^[ \t]*<[^\n]*$/m)
    .some(
      (part) =>
        /^[ \t]*AuthType[ \t]+(?!none\b)\w/im.test(part) &&
        /^[ \t]*Require[ \t]+all[ \t]+granted\b/im.test(part),
    );
  return isOpen
    ? 'write `Require valid-user` (or user, group) in place of `Require all granted` beside AuthType: that lets everybody in, so that nobody is asked who they are, and of several Require lines one is enough'
    : undefined;
}

/**
 * What to write where lines that somebody gives ask who somebody is in one Location, and let everybody in by another that is
 * merged after it and is for the same URLs (server/request.c: ap_location_walk).
 */
export function openedLater(text: string): string | undefined {
  if (/\b(?:40\d|50\d|forbidden|error)\b/i.test(text)) return undefined;
  const asking: string[] = [];
  for (const [, word = '', body = ''] of text.matchAll(
    /^[ \t]*<Location[ \t]+["']?(\/[^"'> \t\n]{0,200})["']?>([^<]{0,2000})<\/Location>/gim,
  )) {
    const below = word.endsWith('/') ? word : `${word}/`;
    const before = asking.find((path) => `${path}/`.startsWith(below));
    if (before !== undefined && /^[ \t]*Require[ \t]+all[ \t]+granted\b/im.test(body))
      return `write <Location ${word}> before <Location ${before}>: the later of two that are for one URL counts, and there everybody is let in`;
    if (/^[ \t]*Require[ \t]+(?!all\b)\w/im.test(body)) asking.push(word);
  }
  return undefined;
}

/** A section whose .htaccess files are not read, where something is missed that such a file does. */
function overrideNone({ all }: GivenLines): string | undefined {
  const isNone = all.some(
    ({ text, within }) =>
      /^AllowOverride none$/i.test(text) &&
      within.some(({ name, argument }) => name === 'directory' && argument !== '/'),
  );
  return isNone
    ? 'write `AllowOverride All` (FileInfo for RewriteRule alone) into the <Directory> of the documents, if a .htaccess is to count there, and load mod_rewrite: with None its lines are not read, so that a URL behind which no file stands is a 404'
    : undefined;
}

/** What lines say by the sections in which they stand. */
export const SECTION_LINES: readonly Finder[] = [
  { finds: negativeAlone, about: ALWAYS },
  { finds: neitherOnNorOff, about: ALWAYS },
  { finds: overrideOfHost, about: ALWAYS },
  { finds: pathInLocation, about: ALWAYS },
  { finds: notInHtaccess, about: ALWAYS },
  { finds: askedByOuter, about: /\b(?:exclu\w*|except\w*|exempt\w*|without|public|open|skip\w*|bypass\w*|disabl\w*|40[13]|500|passwords?|auth\w*)\b/i },
  { finds: mergedSections, about: ALWAYS },
  { finds: phpValueOfFpm, about: ALWAYS },
  { finds: overrideNone, about: /\b404s?\b|\bnot found\b|\brewrit\w*|\bht-?access\b.{0,60}\b(?:ignor|not|n.t|no effect)/i },
  { finds: expiresIsOff, about: /\bexpir\w*|\bcach\w*/i },
  { finds: openProxy, about: /\b(?:open proxy|abus\w*|spam\w*|strange|foreign|other (?:hosts?|sites?)|bandwidth|slow|attack\w*|unknown)\b/i },
]; // prettier-ignore
