/** What colours a line in a terminal. */
const COLOURS = /\x1b\[[0-9;]*[A-Za-z]/g;

/** An apostrophe as a web page has it in its source. */
const APOSTROPHE = /&(?:#0?39|#x27|apos);(?=(\w+)&(?:#0?39|#x27|apos);)/g;

/** Lines that somebody quotes from a web page, a mail or a listing, as they stand in the file. @param text bytes */
export function unquoted(text: string): string {
  return text
    .replace(/^([ \t]*)&lt;(\/?[A-Z]\w{1,40}[^\n]*)&gt;[ \t\r]*$/gim, '$1<$2>')
    .replace(/^(?:>[ \t]?){1,4}(?=[ \t]*[<A-Za-z#])/gm, '')
    .replace(/^\[\d{1,6}\][ \t]/gm, '')
    .replace(/^[ \t]*\d{1,5}[ \t]*[:|][ \t]?(?=[ \t]*[<A-Z#])/gm, '');
}

/** A message without what a terminal, a word processor, a web page or an issue has put into it. @param text bytes */
export function withoutMarkup(text: string): string {
  return (
    text
      .replace(COLOURS, '')
      .replace(/^`([^`\n]*)`$/gm, '$1')
      .replace(/(?<=\.conf:|configuration|failed\.)\\n/g, '\n')
      .replace(/\xe2\x80[\x98-\x9b]/g, "'")
      .replace(/\xe2\x80[\x9c-\x9f]/g, '"')
      // What every httpd knows came into the file like this; what only some know is a message that a tracker has escaped.
      .replace(/(?<=Invalid command ')&lt;(?=IfVersion|IfFile|Proxy|Require|Authn|Authz|Macro|Perl)/g, '<')
      // Who tells the message leaves the colon out, or puts the word between quotes.
      .replace(/\b(Unknown Auth[nz] provider):? ["'`]?(?=\w)/gi, '$1: ')
      .replace(APOSTROPHE, "'")
      .replace(/'(\w+)&(?:#0?39|#x27|apos);/g, "'$1'")
      .replace(/\*\*(?=['"`\w])|(?<=['"`\w,.])\*\*/g, '')
  );
}
