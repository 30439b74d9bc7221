import { Mapping } from '../mapping';
import { LINE_KEYS } from './saying';
import { SslLines } from './ssl';

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
