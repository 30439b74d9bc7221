/**
 * A file's name as a URI reference: absolute names as `file:` URIs, others relative. Every byte that a path segment may not hold is
 * written %XX, so that any file name can be named.
 */
export function uriOf(name: string): string {
  const path = name.replace(/[^A-Za-z0-9._~!$&'()*+,;=@/-]/g, escapeByte);
  if (path.startsWith('/')) return `file://${path}`;
  return path;
}

function escapeByte(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}
