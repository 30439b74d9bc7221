/** Stands in the page for what counts the requests of logs (`scripts/site/page.mjs`): the page has no place for a log. */
export class LogCounter {
  constructor() {
    throw new Error('the page reads no logs');
  }
}
