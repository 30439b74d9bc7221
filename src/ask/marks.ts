/** What colours a line in a terminal. */
const COLOURS = /\x1b\[[0-9;]*[A-Za-z]/g;

/** An apostrophe as a web page has it in its source. */
const APOSTROPHE = /&(?:#0?39|#x27|apos);(?=(\w+)&(?:#0?39|#x27|apos);)/g;

/** A message without what a terminal, a word processor, a web page or an issue has put into it. @param text bytes */
export function withoutMarkup(text: string): string {
  return text
    .replace(COLOURS, '')
    .replace(/(?<=\.conf:|configuration|failed\.)\\n/g, '\n')
    .replace(/\xe2\x80[\x98-\x9b]/g, "'")
    .replace(/\xe2\x80[\x9c-\x9f]/g, '"')
    .replace(APOSTROPHE, "'")
    .replace(/'(\w+)&(?:#0?39|#x27|apos);/g, "'$1'")
    .replace(/\*\*(?=['"`\w])|(?<=['"`\w,.])\*\*/g, '');
}
