import { Mapping } from './mapping';
import { SslLines } from './ssl';

/** Directives that set a part of the access state, or decide how one is read. */
const OF_INTEREST = new Set([
  'order', 'allow', 'deny', 'satisfy', 'require', 'authtype', 'authmerging', 'allowoverride',
  'authgroupfile', 'authdbmgroupfile', 'authldapurl', 'authzgroupfileauthoritative', 'authzdbmauthoritative',
  'authzldapauthoritative', 'authzuserauthoritative', 'authzownerauthoritative',
]); // prettier-ignore

/** What a directive is to the walk that files access lines. */
export type Role = 'line' | 'module' | 'slashes' | 'ssl' | 'mapping' | 'template' | 'none';

/** @param key the directive in lower case */
export function roleOf(key: string): Role {
  if (OF_INTEREST.has(key)) return 'line';
  if (key === 'loadmodule') return 'module';
  if (key === 'mergeslashes') return 'slashes';
  if (SslLines.concerns(key)) return 'ssl';
  return Mapping.concerns(key) ? 'mapping' : 'none';
}
