/** The lines that nobody takes for a sentence: `Allow from` is followed by one word, or by words that look like addresses. */
const OLD_ACCESS_LINE =
  /^[ \t]*(?:order[ \t]+(?:allow,deny|deny,allow|mutual-failure)|satisfy[ \t]+(?:any|all)|(?:allow|deny)[ \t]+from[ \t]+(?:[^ \t]+|[^ \t.:\d=]*[.:\d=][^ \t]*(?:[ \t]+[^ \t.:\d=]*[.:\d=][^ \t]*)*))[ \t]*$/i;

/** Whether a text, such as that of a comment without its sign, is an access line of 2.2 and no sentence. */
export function isOldAccessLine(text: string): boolean {
  return OLD_ACCESS_LINE.test(text);
}
