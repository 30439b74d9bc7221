/** Decodes `%XX` byte by byte: a byte string stays one. */
export function decode(text: string): string {
  return text.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}

/** The reverse, for the words of a request. */
export function encode(text: string): string {
  return text.replace(
    /[^A-Za-z0-9_./:@,~+*-]/g,
    (char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}
