// The examples of a rule's page, as links that open them in the page that converts.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateRawSync } from 'node:zlib';

const cases = fileURLToPath(new URL('../../__fixtures__/transforms', import.meta.url));

/** Options of a case that the page has a switch for. */
const SWITCHES = new Set(['target', 'dual', 'exact', 'pinDefaults', 'rules']);

/**
 * @param {string} name of the page, for instance `rules/max-clients.md`
 * @param {string} html
 * @returns the page, with a link behind the heading of each case that the page can show
 */
export function withLinks(name, html) {
  const [, rule] = /^rules\/([a-z0-9-]+)\.md$/.exec(name) ?? [];
  if (rule === undefined) return html;
  return html.replace(/<h3 id="([a-z0-9-]+)">.*?<\/h3>\n/g, (heading, id) => {
    const fragment = fragmentFor(join(cases, rule, id));
    if (fragment === undefined) return heading;
    return `${heading}<p class="try"><a href="../convert/index.html${fragment}">Try this</a></p>\n`;
  });
}

/** The fragment of a link to a case; undefined where it has several files, options of other kinds, or other bytes than UTF-8. */
function fragmentFor(folder) {
  const input = join(folder, 'input.conf');
  if (!existsSync(input)) return undefined;
  const bytes = readFileSync(input);
  const text = bytes.toString('utf8');
  if (!Buffer.from(text).equals(bytes) || text.includes('\r') || text.startsWith('\ufeff')) return undefined;
  const file = join(folder, 'options.json');
  const options = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  if (Object.keys(options).some((key) => !SWITCHES.has(key))) return undefined;
  const { rules: _, ...wishes } = options;
  const json = JSON.stringify({ text, htaccess: false, ...wishes });
  return `#t=${deflateRawSync(json, { level: 9 }).toString('base64url')}`;
}
