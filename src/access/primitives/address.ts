import { BoundedMap, getOrInsert, memo } from '../../maps';

/** An IP address or range as bytes: 4 for IPv4, 16 for IPv6. */
interface Range {
  readonly bytes: readonly number[];
  readonly mask: readonly number[];
}

/**
 * Whether a client address lies in what `Allow from`/`Require ip` names: a full address, a partial IPv4 one, or address/mask
 * (apr_ipsubnet_create, apr_ipsubnet_test). An IPv4 client never lies in an IPv6 range.
 */
export function addressMatches(spec: string, address: string): boolean {
  const range = rangeOf(spec);
  const bytes = addressOf(address);
  return range !== undefined && bytes !== undefined && liesIn(range, bytes);
}

function liesIn(range: Range, bytes: readonly number[]): boolean {
  if (bytes.length !== range.bytes.length) return false;
  for (let i = 0; i < bytes.length; i++)
    if (((bytes[i]! ^ range.bytes[i]!) & range.mask[i]!) !== 0) return false;
  return true;
}

/** Tells which of some ranges an address lies in, as `addressMatches` does: with the same answer they are all the same. */
export function rangesAround(specs: Iterable<string>): (address: string) => string {
  const byMask = new Map<
    string,
    { readonly mask: readonly number[]; readonly numbers: Map<string, number> }
  >();
  for (const spec of specs) {
    const range = parseRange(spec);
    if (range === undefined) continue;
    const { mask } = range;
    const { numbers } = getOrInsert(byMask, mask.join(' '), () => ({
      mask,
      numbers: new Map<string, number>(),
    }));
    const network = networkOf(range.bytes, mask);
    if (!numbers.has(network)) numbers.set(network, numbers.size);
  }
  const masks = [...byMask.values()];
  return (address) => {
    const bytes = parseAddress(address);
    if (bytes === undefined) return '';
    let found = '';
    for (const { mask, numbers } of masks)
      if (mask.length === bytes.length) found += ` ${numbers.get(networkOf(bytes, mask)) ?? '-'}`;
    return found;
  };
}

/** The part of an address that a mask leaves: one character a byte. */
function networkOf(bytes: readonly number[], mask: readonly number[]): string {
  return String.fromCharCode(...bytes.map((byte, i) => byte & mask[i]!));
}

/** Many requests are asked about by the words of one list. */
const MOST_REMEMBERED = 100_000;

const rangeOf = memo(parseRange, new BoundedMap(MOST_REMEMBERED));
const addressOf = memo(parseAddress, new BoundedMap(MOST_REMEMBERED));

/** Whether a text names an address or a range of them. */
export function isRange(spec: string): boolean {
  return rangeOf(spec) !== undefined;
}

/** The first address of a range, for asking whether it matters. */
export function addressIn(spec: string): string | undefined {
  return edgesOf(spec)?.[0];
}

/**
 * The addresses at the edges of a range: its first, its last, the one before and the one after. A mask that is narrower or wider
 * makes a difference to one of them. Undefined where the text names no range.
 */
export const edgesOf = memo((spec: string): readonly string[] | undefined => {
  const range = rangeOf(spec);
  if (range === undefined) return undefined;
  const first = range.bytes.map((byte, i) => byte & range.mask[i]!);
  const last = range.bytes.map((byte, i) => (byte & range.mask[i]!) | (~range.mask[i]! & 255));
  return [...new Set([first, last, moved(first, -1), moved(last, 1)].map(addressText))];
}, new BoundedMap(MOST_REMEMBERED));

/** The address next to another; beyond the last comes the first. */
function moved(bytes: readonly number[], by: 1 | -1): number[] {
  const result = [...bytes];
  for (let i = result.length - 1; i >= 0; i--) {
    result[i] = (result[i]! + by) & 255;
    if (result[i] !== (by === 1 ? 0 : 255)) break;
  }
  return result;
}

function addressText(bytes: readonly number[]): string {
  if (bytes.length === 4) return bytes.join('.');
  return Array.from({ length: 8 }, (_, i) => ((bytes[2 * i]! << 8) | bytes[2 * i + 1]!).toString(16)).join(
    ':',
  );
}

export function rangesMeet(a: string, b: string): boolean {
  const [first, second] = [addressIn(a), addressIn(b)];
  if (first === undefined || second === undefined) return false;
  return addressMatches(a, second) || addressMatches(b, first);
}

const ALL_OF_V4 = Array.from({ length: 4 }, () => 255);
const ALL_OF_V6 = Array.from({ length: 16 }, () => 255);

function parseRange(spec: string): Range | undefined {
  const slash = spec.indexOf('/');
  const text = slash < 0 ? spec : spec.slice(0, slash);
  const bytes = parseAddress(text);
  if (bytes === undefined) {
    const parts = (text.endsWith('.') ? text.slice(0, -1) : text).split('.').map(Number);
    if (parts.length > 4 || text.includes(':') || parts.some((part) => !(part >= 0 && part <= 255)))
      return undefined;
    const zeros = [0, 0, 0, 0];
    return {
      bytes: zeros.map((_, i) => parts[i] ?? 0),
      mask: zeros.map((_, i) => (i < parts.length ? 255 : 0)),
    };
  }
  if (slash < 0) return { bytes, mask: bytes.length === 4 ? ALL_OF_V4 : ALL_OF_V6 };
  const mask = spec.slice(slash + 1);
  if (mask.includes('.')) return { bytes, mask: mask.split('.').map(Number) };
  const bits = Number(mask);
  return { bytes, mask: bytes.map((_, i) => (0xff00 >> Math.max(0, Math.min(8, bits - 8 * i))) & 255) };
}

/** Bytes of a full IPv4 or IPv6 address; undefined for anything else. */
function parseAddress(text: string): number[] | undefined {
  if (!text.includes(':')) {
    const parts = text.split('.');
    const valid = parts.length === 4 && parts.every((part) => /^[0-9]+$/.test(part) && Number(part) <= 255);
    return valid ? parts.map(Number) : undefined;
  }
  const [head = '', tail] = text.split('::');
  const groups = (half: string): number[] =>
    half === ''
      ? []
      : half.split(':').flatMap((group) => {
          const v4 = group.includes('.') ? parseAddress(group) : undefined;
          if (v4 !== undefined) return v4;
          const value = parseInt(group, 16);
          return [value >> 8, value & 255];
        });
  const front = groups(head);
  const back = tail === undefined ? [] : groups(tail);
  const gap = 16 - front.length - back.length;
  if (gap < 0 || (tail === undefined && gap > 0)) return undefined;
  return [...front, ...Array.from({ length: gap }, () => 0), ...back];
}

/** Whether a host name lies in a domain (2.2 mod_authz_host.c and 2.4 mod_authz_host.c: in_domain). */
export function inDomain(domain: string, host: string): boolean {
  const [d, h] = [domain.toLowerCase(), host.toLowerCase()];
  if (!h.endsWith(d)) return false;
  return h.length === d.length || d.startsWith('.') || h.charAt(h.length - d.length - 1) === '.';
}
