import type { HostWord } from './policy';

const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;

export function classifyHostWord(word: string): HostWord {
  const first = word.charCodeAt(0);
  return first >= ZERO && first <= NINE ? classifyAddress(word) : classifyWord(word);
}

function classifyWord(word: string): HostWord {
  const lower = word.toLowerCase();
  // No variable has the empty name: `env=` never matches, `env=!` always does.
  if (lower === 'env=!') return { kind: 'all' };
  if (lower === 'env=') return { kind: 'never', text: word, why: 'it names no variable' };
  if (lower.startsWith('env=!')) return { kind: 'env', name: word.slice(5), negated: true };
  if (lower.startsWith('env=')) return { kind: 'env', name: word.slice(4), negated: false };
  return lower === 'all' ? { kind: 'all' } : classifyAddress(word);
}

function classifyAddress(word: string): HostWord {
  const slash = word.indexOf('/');
  if (slash >= 0) {
    const valid = isSubnet(word.slice(0, slash), word.slice(slash + 1));
    return valid ? { kind: 'ip', text: word } : { kind: 'invalid', text: word };
  }
  if (word.includes(':') || (word !== '' && /^[0-9.]*$/.test(word))) {
    const valid = isAddress(word) || isPartialV4(word);
    return valid ? { kind: 'ip', text: word } : { kind: 'invalid', text: word };
  }
  const why = neverMatches(word);
  return why === undefined ? { kind: 'host', text: word } : { kind: 'never', text: word, why };
}

function neverMatches(word: string): string | undefined {
  if (word.includes(',')) return 'a comma does not separate addresses';
  if (word.includes('#')) return 'httpd has no comments at the end of a line';
  if (word.includes('*')) return 'httpd has no wildcards here';
  if (word.toLowerCase() === 'none') return '"none" is read as a host name';
  return /^[A-Za-z0-9._-]+$/.test(word) ? undefined : 'no host can have this name';
}

/** Reads numbers from 0 to 255 with a dot between each; 0 where the text is something else. @returns how many there are */
function octets(text: string): number {
  let count = 1;
  let digits = 0;
  let value = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === DOT && digits > 0) {
      count++;
      digits = value = 0;
    } else if (code >= ZERO && code <= NINE && digits < 3) {
      digits++;
      value = value * 10 + code - ZERO;
      if (value > 255) return 0;
    } else return 0;
  }
  return digits > 0 ? count : 0;
}

function isV4(text: string): boolean {
  return octets(text) === 4;
}

/** `10`, `10.`, `10.1`, `10.1.2.` … (apr_ipsubnet_create without mask). */
function isPartialV4(text: string): boolean {
  const count = octets(text.endsWith('.') ? text.slice(0, -1) : text);
  return count > 0 && count <= 3;
}

function isV6(text: string): boolean {
  const halves = text.split('::');
  if (halves.length > 2) return false;
  const groups = halves.map((half) => (half === '' ? [] : half.split(':')));
  const flat = groups.flat();
  let count = flat.length;
  const last = flat[flat.length - 1];
  if (last?.includes('.')) {
    if (!isV4(last) || groups[groups.length - 1]?.length === 0) return false;
    flat.pop();
    count++;
  }
  if (!flat.every((group) => /^[0-9A-Fa-f]{1,4}$/.test(group))) return false;
  return halves.length === 2 ? count <= 7 : count === 8;
}

/** A full IPv4 or IPv6 address, as a client has. */
export function isAddress(text: string): boolean {
  return text.includes(':') ? isV6(text) : isV4(text);
}

function isSubnet(address: string, mask: string): boolean {
  if (!isAddress(address)) return false;
  const v6 = address.includes(':');
  // apr_ipsubnet_create takes 1 to 32 (128) bits; a dotted mask for IPv4 alone.
  if (/^[0-9]+$/.test(mask)) return Number(mask) >= 1 && Number(mask) <= (v6 ? 128 : 32);
  return !v6 && isV4(mask);
}
