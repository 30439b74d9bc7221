import { type FactName, holds } from '../../src/httpd/facts';
import { NEWEST, type Release, nameOf } from '../../src/httpd/release';
import { requireHttpd } from './binary';

/** The release of the httpd that judges. What an expectation hangs on a release for, it asks the facts with this. */
export function judgingRelease(): Release {
  return requireHttpd().release;
}

/** Whether a fact is claimed of the httpd that judges. */
export function heldByJudge(name: FactName): boolean {
  return holds(name, judgingRelease());
}

/** How many of a hundred may go wrong on a release that nobody here has seen, before more than its news must be wrong. */
const FEW = 5;

/**
 * What went wrong, as a test is to count it. All of it, on a release that the facts know. A newer one may refuse or answer what
 * none did before: that is told, and does not fail the test, as long as it is little.
 * @param asked how many were asked
 */
export function faults<T>(wrong: readonly T[], asked: number): readonly T[] {
  const release = judgingRelease();
  if (release <= NEWEST || wrong.length * 100 > asked * FEW) return wrong;
  if (wrong.length > 0)
    process.stderr.write(
      `${nameOf(release)} is newer than all that the facts know (${nameOf(NEWEST)}), and is not as they say:\n${wrong.map((fault) => `  ${JSON.stringify(fault)}\n`).join('')}`,
    );
  return [];
}
