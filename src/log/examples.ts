import type { LoggedAccess } from '../access/replay';

/** Characters of a line that is shown. */
const MAX_SHOWN = 240;

/**
 * A line as it may be shown: without what tells who came, and without the values of queries, which may be passwords. The
 * network of an address is left, as the configuration may name it.
 * @param isFull the line as it stands
 */
export function shownExample(line: string, { client, user }: LoggedAccess, isFull: boolean): string {
  let text = line;
  if (!isFull) {
    if (client !== undefined && client.length > 1) text = text.replaceAll(client, shortened(client));
    if (user !== undefined && user.length > 0) text = replaceWord(text, user, '(user)');
    text = text.replace(/\?[^ "]*/g, '?...');
  }
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}...` : text;
}

/** `203.0.113.7` → `203.0.113.x`, `2001:db8:1:2::3` → `2001:db8:1:x`, `host.example.org` → `x.example.org`. */
function shortened(client: string): string {
  if (/^[0-9.]+$/.test(client)) return client.replace(/[0-9]+$/, 'x');
  if (client.includes(':')) return `${client.split(':').slice(0, 3).join(':')}:x`;
  return client.replace(/^[^.]*/, 'x');
}

/** Replaces a text where it is a whole word of a line. */
function replaceWord(line: string, word: string, by: string): string {
  return line
    .split(' ')
    .map((part) => (part === word || part === `"${word}"` ? by : part))
    .join(' ');
}
