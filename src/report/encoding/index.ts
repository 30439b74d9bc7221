export {
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
