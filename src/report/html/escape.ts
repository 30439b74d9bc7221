import { escapeMarkup, jsonEscape, safeJson, shownText } from '../encoding';

/** A byte string as HTML text on one line: no control character, and nothing that turns the writing direction, is left. */
export function htmlOf(bytes: string): string {
  return escapeMarkup(shownText(bytes));
}

/** A value as JSON that can stand in a script element: nothing in it ends the element or begins a comment. */
export function scriptJson(value: object): string {
  return safeJson(JSON.stringify(value)).replace(/[<>&]/g, jsonEscape);
}
