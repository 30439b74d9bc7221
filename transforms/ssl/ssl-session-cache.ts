import { replaceArgument } from '../../src/edit';
import { type Finding, type TransformContext, defineTransform } from '../../src/engine';
import type { Argument, Directive } from '../../src/syntax';
import type { Place } from '../../src/config';
import { isCarriedOver, isUnknown } from '../common/lines';

/** The smallest cache that either version accepts, in bytes. */
const MIN_SIZE = 8192;
/** 2.2 accepts caches below this size in bytes (APR_SHM_MAXSIZE); 2.4 accepts larger ones. */
const SIZE_LIMIT_22 = 64 * 1024 * 1024;
const SIZE_LIMIT_24 = 4_294_967_295;

export default defineTransform({
  id: 'ssl-session-cache',
  changes: ['S03'],
  title: 'SSLSessionCache shm: and shmht: are called shmcb:',
  why: '2.2 reads shm: and shmht: as other names of shmcb:. 2.4 looks for a cache module of exactly that name, finds none and does not start. It is also stricter about the size in parentheses. Both versions require at least 8192 bytes.',
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

/** A cache in shared memory or in a file: its path and, in memory, its size in bytes. */
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
  const problem =
    given === undefined
      ? `2.4 refuses SSLSessionCache ${value}`
      : `2.4 reads SSLSessionCache ${value} differently`;
  report(context, node, place, `${problem}; 2.2 read it as ${newValue}`, [
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

/** What 2.2 reads: the size is between the first opening and the next closing parenthesis. Undefined for other kinds of cache. */
function read22(value: string): (SessionCache & { readonly name: string }) | undefined {
  const parts = /^(shmht|shmcb|shm|dbm):([^]+)$/i.exec(value);
  if (parts === null) return undefined;
  const [, kind = '', rest = ''] = parts;
  const name = kind.toLowerCase() === 'dbm' ? 'dbm' : 'shmcb';
  const sized = name === 'dbm' ? null : /^([^(]*)\(([^)]*)\)/.exec(rest);
  return { name, path: sized?.[1] ?? rest, size: sized === null ? undefined : atoi32(sized[2]!) };
}

/** What 2.4 reads: the size follows the last opening parenthesis and ends the argument. Undefined if refused. */
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

/** C's atoi with an int of 32 bits and a long of 64. */
function atoi32(text: string): number {
  const digits = /^[ \t\n\v\f\r]*([+-]?)([0-9]+)/.exec(text);
  if (digits === null) return 0;
  const LONG_MAX = 2n ** 63n - 1n;
  const value = BigInt(digits[2]!);
  const read = Number(BigInt.asIntN(32, value > LONG_MAX ? LONG_MAX : value));
  return digits[1] === '-' ? -read : read;
}

/** The message for a value that 2.2 refused too, or that 2.4 does not support in another form; undefined for others. */
function refusalFor(value: string): string | undefined {
  if (/^dc:/i.test(value))
    return 'most builds of 2.4 do not have distcache (mod_socache_dc): use shmcb: on one machine, memcache: across machines';
  const bareName = /^(shm|shmht):?$/i.exec(value)?.[1];
  if (bareName !== undefined)
    return `2.4 refuses the session cache ${bareName}, as 2.2 did: write shmcb:/path`;
  const cache = read22(value);
  // A value that only 2.4 accepts was written for 2.4.
  if (cache === undefined || cache.name === 'dbm' || read24(value) !== undefined) return undefined;
  if (cache.size === undefined)
    return cache.path.includes('(')
      ? '2.4 refuses a size without a closing parenthesis, as 2.2 did: add the parenthesis'
      : undefined;
  if (cache.size >= MIN_SIZE && cache.size < SIZE_LIMIT_22) return undefined;
  const advice =
    cache.size < MIN_SIZE && !/[(][^)]*[0-9]{10}/.test(value)
      ? `make it at least ${MIN_SIZE} bytes`
      : 'make it smaller';
  return `2.4 refuses a session cache of this size, as 2.2 did: ${advice}`;
}

/** What 2.2 read in the argument, written for 2.4: the name in lower case, only a number in the parentheses. */
function valueFor24(value: string): string {
  if (isUnknown(value)) return value.replace(/^(?:shmht|shmcb|shm):/i, 'shmcb:').replace(/^dbm:/i, 'dbm:');
  const cache = read22(value);
  if (cache === undefined) return value;
  const { name, path, size } = cache;
  if (name === 'dbm') return `dbm:${path}`;
  if (size !== undefined) return size < MIN_SIZE || size >= SIZE_LIMIT_22 ? value : `shmcb:${path}(${size})`;
  // The path names a file on systems whose shared memory needs one. 2.4 would read a parenthesis at its end as the end of a size.
  return `shmcb:${path.replace(/\)+$/, '')}`;
}
