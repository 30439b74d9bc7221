import { findProgram } from './install';

/**
 * What to put before a command that must not outlive us: the kernel sends it the signal when we end, killed or not.
 * Nothing where there is no setpriv (util-linux): then an orderly exit has to do.
 */
export function tether(signal: 'TERM' | 'KILL'): readonly string[] {
  return findProgram('setpriv') === undefined ? [] : ['setpriv', '--pdeathsig', signal];
}
