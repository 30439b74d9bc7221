/**
 * Bytes as text for people, and as JSON.
 *
 * - `display`: names and messages on one line, without control characters
 * - `json-pieces`: JSON that is too large for one string
 * - `text-place`: line and column as editors count them
 */
export {
  codeLine,
  decode,
  encode,
  escapeMarkup,
  jsonBytes,
  jsonEscape,
  jsonOfBytes,
  manyLines,
  oneLine,
  plural,
  safeJson,
  shownLine,
  shownText,
} from './display';
export { eachAs, InPieces, jsonPieces } from './json-pieces';
export { type Decoding, decodingOf } from './text-place';
