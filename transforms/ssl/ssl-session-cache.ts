import { replaceArgument } from '../../src/edit';
import { type Finding, type TransformContext, defineTransform } from '../../src/engine';
import type { Argument, Directive } from '../../src/syntax';
import type { Place } from '../../src/config';
import { isCarriedOver, isUnknown } from '../shared/lines';

/** The smallest cache that either version takes, in bytes. */
const MIN_SIZE = 8192;
/** What 2.2 takes is smaller than this many bytes (APR_SHM_MAXSIZE); 2.4 takes more. */
const SIZE_LIMIT_22 = 64 * 1024 * 1024;
const SIZE_LIMIT_24 = 4_294_967_295;

export default defineTransform({
  id: 'ssl-session-cache',
  changes: ['S03'],
  title: 'SSLSessionCache shm: and shmht: are called shmcb:',
  why: '2.2 took shm: and shmht: for other names of shmcb:; 2.4 looks for a cache module of that name, letter by letter, finds none and does not start. It is also strict about the size in parentheses. Both want 8192 bytes at least.',
  docs: [
    'mod_ssl: SSLSessionCache',
    'modules/ssl/ssl_engine_config.c: ssl_cmd_SSLSessionCache',
    'modules/cache/mod_socache_shmcb.c: socache_shmcb_create',
  ],
  directives: ['SSLSessionCache'],
  run(context) {
    context.directives(['SSLSessionCache'], (node, place) => {
      const argument = node.args[0];
      if (argument === undefined || node.args.length > 1 || !isCarriedOver(place)) return;
      const refusal = isUnknown(argument.value) ? undefined : refusalFor(argument.value);
      if (refusal !== undefined) report(context, node, place, refusal);
      else rewriteValue(context, node, place, argument);
    });
  },
});

/** A cache in shared memory or in a file: its path, and of one in memory its size in bytes. */
interface SessionCache {
  readonly path: string;
  readonly size?: number | undefined;
}

function rewriteValue(context: TransformContext, node: Directive, place: Place, argument: Argument): void {
  const { value } = argument;
  const newValue = valueFor24(value);
  const [given, rewritten] = [read24(value), read24(newValue)];
  if (
    newValue === value ||
    (given !== undefined && given.path === rewritten?.path && given.size === rewritten.size)
  )
    return;
  const problem = given === undefined ? `2.4 does not take SSLSessionCache ${value}` : `2.4 reads SSLSessionCache ${value} otherwise`; // prettier-ignore
  report(context, node, place, `${problem}; what 2.2 made of it is ${newValue}`, [
    replaceArgument(place.file.document, argument, newValue),
  ]);
}

function report(
  context: TransformContext,
  node: Directive,
  { file }: Place,
  message: string,
  edits: Finding['edits'] = [],
): void {
  const safety = edits.length > 0 ? 'safe' : 'manual';
  context.report({ file, at: node.from, level: 'error', safety, message, edits });
}

/** What 2.2 reads: the first parenthesis opens the size, the next that closes ends it. Undefined where it is another kind of cache. */
function read22(value: string): (SessionCache & { readonly name: string }) | undefined {
  const parts = /^(shmht|shmcb|shm|dbm):([^]+)$/i.exec(value);
  if (parts === null) return undefined;
  const [, kind = '', rest = ''] = parts;
  const name = kind.toLowerCase() === 'dbm' ? 'dbm' : 'shmcb';
  const sized = name === 'dbm' ? null : /^([^(]*)\(([^)]*)\)/.exec(rest);
  return { name, path: sized?.[1] ?? rest, size: sized === null ? undefined : atoi32(sized[2]!) };
}

/** What 2.4 reads: the last parenthesis opens the size, a number and nothing else, and ends the argument. Undefined where it refuses. */
function read24(value: string): SessionCache | undefined {
  const rest = /^(?:shmcb|dbm):([^]*)$/.exec(value)?.[1];
  if (rest === undefined || value.startsWith('dbm:')) return rest === undefined ? undefined : { path: rest };
  const open = rest.lastIndexOf('(');
  if (open < 0) return rest.endsWith(')') ? undefined : { path: rest };
  const digits = /^[ \t\n\v\f\r]*\+?([0-9]+)\)$/.exec(rest.slice(open + 1))?.[1];
  const size = Number(digits);
  return digits === undefined || size < MIN_SIZE || size >= SIZE_LIMIT_24
    ? undefined
    : { path: rest.slice(0, open), size };
}

/** C's atoi where an int has 32 bits and a long has 64. */
function atoi32(text: string): number {
  const digits = /^[ \t\n\v\f\r]*([+-]?)([0-9]+)/.exec(text);
  if (digits === null) return 0;
  const LONG_MAX = 2n ** 63n - 1n;
  const value = BigInt(digits[2]!);
  const read = Number(BigInt.asIntN(32, value > LONG_MAX ? LONG_MAX : value));
  return digits[1] === '-' ? -read : read;
}

/** What is to be said of a value that 2.2 refused, or that is gone for good. */
function refusalFor(value: string): string | undefined {
  if (/^dc:/i.test(value))
    return 'distcache is gone from most builds of 2.4 (mod_socache_dc): use shmcb: on one machine, memcache: across machines';
  const bareName = /^(shm|shmht):?$/i.exec(value)?.[1];
  if (bareName !== undefined)
    return `2.4 has no session cache ${bareName}, nor did 2.2 take it: write shmcb:/path`;
  const cache = read22(value);
  // What only 2.4 takes was written for it.
  if (cache === undefined || cache.name === 'dbm' || read24(value) !== undefined) return undefined;
  if (cache.size === undefined)
    return cache.path.includes('(')
      ? '2.4 refuses a session cache without a closing parenthesis, as 2.2 did'
      : undefined;
  if (cache.size >= MIN_SIZE && cache.size < SIZE_LIMIT_22) return undefined;
  const advice =
    cache.size < MIN_SIZE && !/[(][^)]*[0-9]{10}/.test(value)
      ? `${MIN_SIZE} bytes are the least`
      : 'it is too large';
  return `2.4 refuses a session cache of this size, as 2.2 did: ${advice}`;
}

/** What 2.2 read in the argument, as 2.4 wants it written: the name in lower case, nothing but a number in the parentheses. */
function valueFor24(value: string): string {
  if (isUnknown(value)) return value.replace(/^(?:shmht|shmcb|shm):/i, 'shmcb:').replace(/^dbm:/i, 'dbm:');
  const cache = read22(value);
  if (cache === undefined) return value;
  const { name, path, size } = cache;
  if (name === 'dbm') return `dbm:${path}`;
  if (size !== undefined) return size < MIN_SIZE || size >= SIZE_LIMIT_22 ? value : `shmcb:${path}(${size})`;
  // The path names a file where a system has no shared memory without one; to 2.4, a parenthesis at its end would close a size.
  return `shmcb:${path.replace(/\)+$/, '')}`;
}
