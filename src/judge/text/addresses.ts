/** Whether an address lies in `10.1`, `10.1.0.0/16`, `10.1.0.0/255.255.0.0`, `2001:db8::/32`. */
export function inRange(range: string, address: string): boolean {
  const [base = '', width] = range.split('/');
  if (address.includes(':') || range.includes(':')) return inRange6(base, width, address);
  if (!/^[\d.]+$/.test(base)) return false;
  const given = base.replace(/\.$/, '').split('.').map(Number);
  const asked = address.split('.').map(Number);
  if (width === undefined) return given.every((part, i) => part === asked[i]);
  const mask = maskOf(width);
  return asked.every((part, i) => (part & mask[i]!) === ((given[i] ?? 0) & mask[i]!));
}

function maskOf(width: string): number[] {
  return width.includes('.')
    ? width.split('.').map(Number)
    : [0, 8, 16, 24].map((from) => 256 - 2 ** (8 - Math.min(8, Math.max(0, Number(width) - from))));
}

function inRange6(base: string, width: string | undefined, address: string): boolean {
  if (!base.includes(':') || !address.includes(':')) return false;
  const length = Number(width ?? 128);
  return bitsOf(base).slice(0, length) === bitsOf(address).slice(0, length);
}

function bitsOf(text: string): string {
  const [left = '', right] = text.split('::');
  const groups = (part: string): string[] => (part === '' ? [] : part.split(':'));
  const [head, tail] = [groups(left), groups(right ?? '')];
  const zeros = Array.from(
    { length: right === undefined ? 0 : Math.max(0, 8 - head.length - tail.length) },
    () => '0',
  );
  return [...head, ...zeros, ...tail]
    .map((part) => Number.parseInt(part, 16).toString(2).padStart(16, '0'))
    .join('');
}

/** Addresses in a range and right beside it: where a reader that has the width wrong goes wrong. */
export function addressesAround(range: string): string[] {
  const [base = '', width] = range.split('/');
  if (range.includes(':')) return /^[\da-f:]+$/i.test(base) ? [base.replace(/::$/, '::7')] : [];
  if (!/^\d+(?:\.\d+)*\.?$/.test(base)) return [];
  const given = base.replace(/\.$/, '').split('.').map(Number);
  const mask = width === undefined ? given.map(() => 255) : maskOf(width);
  const first = [0, 1, 2, 3].map((i) => (given[i] ?? 0) & (mask[i] ?? 0));
  const last = first.map((part, i) => part | (255 - (mask[i] ?? 0)));
  const found = [first, last, moved(last, 1), moved(first, -1)];
  return found.flatMap((parts) => (parts === undefined ? [] : parts.join('.')));
}

/** The next address, or the one before. */
function moved(parts: readonly number[], by: number): number[] | undefined {
  const result = [...parts];
  for (let i = 3; i >= 0; i--) {
    const part = result[i]! + by;
    if (part >= 0 && part <= 255) {
      result[i] = part;
      return result;
    }
    result[i] = by > 0 ? 0 : 255;
  }
  return undefined;
}
