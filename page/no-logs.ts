/** Stands in the page for what counts the requests of logs (`scripts/site/page.mjs`): the page has no place for a log. */
export function LogCounter(): never {
  throw new Error('the page reads no logs');
}
