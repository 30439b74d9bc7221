import { Mapping } from './mapping';
import { SslLines } from './ssl';

/** Directives that set a part of the access state, or decide how one is read. */
const OF_INTEREST = [
  'order', 'allow', 'deny', 'satisfy', 'require', 'authtype', 'authmerging', 'allowoverride',
  'authgroupfile', 'authdbmgroupfile', 'authldapurl', 'authzgroupfileauthoritative', 'authzdbmauthoritative',
  'authzldapauthoritative', 'authzuserauthoritative', 'authzownerauthoritative',
]; // prettier-ignore

/** Each by itself: lines that share the very string are told apart without a look into it. */
export const LINE_KEYS: ReadonlyMap<string, string> = new Map(OF_INTEREST.map((key) => [key, key]));

/** What a directive is to the walk that files access lines. */
export type Role = 'line' | 'module' | 'slashes' | 'ssl' | 'mapping' | 'template' | 'none';

/** @param key the directive in lower case */
export function roleOf(key: string): Role {
  if (LINE_KEYS.has(key)) return 'line';
  if (key === 'loadmodule') return 'module';
  if (key === 'mergeslashes') return 'slashes';
  if (SslLines.concerns(key)) return 'ssl';
  return Mapping.concerns(key) ? 'mapping' : 'none';
}
