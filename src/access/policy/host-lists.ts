import { type Directive, hasPlaceholder, quoteWord } from '../../syntax';
import {
  type Expr,
  type MethodClass,
  TRUE,
  and,
  atom,
  covers,
  getOrInsert,
  memoOfFew,
  not,
  or,
} from '../primitives';
import { type HostPolicy, type HostSpec, orderFor } from './policy';
import type { HostProblem } from './problems';

const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;

export function parseHostSpec(word: string): HostSpec {
  const first = word.charCodeAt(0);
  return first >= ZERO && first <= NINE ? classifyAddress(word) : classifyWord(word);
}

/**
 * Whether a word of an access line, which is no name that httpd or a client could have, may be one to be filled in: what it
 * stands for is not known then. Parameters of macros (`$net`, `%net`, `@net`) are among them.
 */
export function mayBeFilledIn(word: string): boolean {
  return hasPlaceholder(word) || (/[<>{}[\]$%@]|^##?[A-Za-z_]+##?$/.test(word) && !word.includes(':'));
}

function classifyWord(word: string): HostSpec {
  const lower = word.toLowerCase();
  // No variable has the empty name: `env=` never matches, `env=!` always does.
  if (lower === 'env=!') return { kind: 'all' };
  if (lower === 'env=') return { kind: 'never', text: word, why: 'no-variable' };
  if (lower.startsWith('env=!')) return { kind: 'env', name: word.slice(5), negated: true };
  if (lower.startsWith('env=')) return { kind: 'env', name: word.slice(4), negated: false };
  return lower === 'all' ? { kind: 'all' } : classifyAddress(word);
}

function classifyAddress(word: string): HostSpec {
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

function neverMatches(word: string): HostProblem | undefined {
  if (word.includes(',')) return 'comma';
  if (word.includes('#')) return 'hash';
  if (word.includes('*')) return 'wildcard';
  return /^[A-Za-z0-9._-]+$/.test(word) ? undefined : 'no-host-name';
}

/** Reads numbers from 0 to 255, with any zeros before, and a dot between each. @returns how many; 0 for any other text */
function octets(text: string): number {
  let count = 1;
  let digits = 0;
  let value = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === DOT && digits > 0) {
      count++;
      digits = value = 0;
    } else if (code >= ZERO && code <= NINE) {
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

/** The longest text that apr_ipsubnet.c (parse_network) reads: that of 255.255.255.255. */
const LONGEST_PARTIAL = 15;

/** `10`, `10.`, `10.1`, `10.1.2.`, and `10.1.2.3.`, too (apr_ipsubnet_create without mask). */
function isPartialV4(text: string): boolean {
  const count = text.length > LONGEST_PARTIAL ? 0 : octets(text.endsWith('.') ? text.slice(0, -1) : text);
  return count > 0 && count <= 4;
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

/** The host lists' decision for a method class; without any, everybody (docs/facts/access-2.2.md: the host lists' answer). */
export function hostsExpr(policy: HostPolicy | undefined, method: MethodClass): Expr {
  return policy === undefined ? TRUE : getOrInsert(exprsOf(policy), method, () => exprOf(policy, method));
}

/** What lists say by method: every state in which they are in force asks, and those of one file are asked about together. */
const exprsOf = memoOfFew<HostPolicy, Map<MethodClass, Expr>>(1000, () => new Map());

function exprOf(policy: HostPolicy, method: MethodClass): Expr {
  const allowed: Expr[] = [];
  const denied: Expr[] = [];
  for (const line of policy.lines) {
    if (covers(line.mask, method)) addLine(line.words, line.origin, line.allow ? allowed : denied);
  }
  const { order, origin } = orderFor(policy, method);
  const allow = or(allowed);
  const deny = or(denied);
  const base: Expr = { kind: 'true', origin };
  if (order === 'allow,deny') {
    if (deny.kind === 'true') return { kind: 'false', origin };
    if (allow.kind === 'false') return { kind: 'false', origin: origin ?? allow.origin };
    return withBase(and([allow, not(deny)]), allow);
  }
  if (allow.kind === 'true' || deny.kind === 'false') return allow.kind === 'true' ? allow : base;
  if (deny.kind === 'true')
    return allow.kind === 'false' ? { kind: 'false', origin: deny.origin ?? origin } : allow;
  return or([allow, withBase(not(deny), base)]);
}

/** A conjunction of negatives alone needs a `Require all granted` before it; that line stands where its source stood. */
function withBase(expr: Expr, base: Expr): Expr {
  if (base.kind !== 'true') return expr;
  if (expr.kind === 'not') return { kind: 'and', of: [base, expr] };
  if (expr.kind === 'and' && expr.of.every((part) => part.kind === 'not'))
    return { kind: 'and', of: [base, ...expr.of] };
  return expr;
}

/** Words of one line and one provider share a `Require` line; `env=!X` words cannot. Adds what stands for a line to `to`. */
function addLine(words: readonly HostSpec[], origin: Directive, to: Expr[]): void {
  const plain = new Map<'env' | 'ip' | 'host', string>();
  const negated: string[] = [];
  for (const word of words) {
    if (word.kind === 'all') {
      to.push({ kind: 'true', origin });
      return;
    }
    if (word.kind === 'env' && word.negated) negated.push(quoteWord(word.name));
    else if (word.kind !== 'never' && word.kind !== 'invalid') {
      const text = word.kind === 'env' ? quoteWord(word.name) : word.text;
      const before = plain.get(word.kind);
      plain.set(word.kind, before === undefined ? text : `${before} ${text}`);
    }
  }
  for (const [provider, args] of plain) to.push(atom(provider, args, origin));
  for (const name of negated) to.push(not(atom('env', name, origin)));
}
