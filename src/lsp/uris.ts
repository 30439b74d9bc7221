/** The path of a `file:` URI; of any other, a name without a slash in front. A byte string. */
export function pathOfUri(uri: string): string {
  const [, path] = /^file:\/\/(?:localhost)?(\/[^?#]*)/i.exec(uri) ?? [];
  // A text that no file has: its directory is none of ours.
  if (path === undefined) return bytesOf(decodePercent(uri)).replace(/^.*[/:]/, '') || 'unnamed';
  return bytesOf(path).replace(/%([0-9a-f]{2})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** The URI of a file. @param path a byte string */
export function uriOfPath(path: string): string {
  const escaped = path.replace(
    /[^A-Za-z0-9\-._~/]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
  return `file://${escaped}`;
}

/** The UTF-8 of a text, one character a byte. */
export function bytesOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** Bytes as text: what is no UTF-8 shows as U+FFFD. */
export function textOfBytes(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
