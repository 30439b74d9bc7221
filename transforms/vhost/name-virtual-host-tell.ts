import type { Finding } from '../../src/engine';
import type { Difference } from './name-virtual-host-compare';
import type { Group } from './name-virtual-host-groups';
import type { VirtualHost } from './name-virtual-host-read';
import { tellDifference } from './name-virtual-host-words';

export type Told = Omit<Finding, 'rule'>;

/**
 * Reports differences where they come from: at the NameVirtualHost lines that speak of the address (V02, V03), else at the virtual
 * hosts that 2.4 uses and 2.2 did not (V01, V04, V05).
 * @param isFor22 asked only where no NameVirtualHost line tells that the configuration is one for 2.2
 */
export function tellDifferences(
  differences: readonly Difference[],
  group: Group,
  isFor22: () => boolean,
): Told[] {
  const told: Told[] = [];
  const hosts = new Set<VirtualHost>();
  for (const difference of differences) {
    const { by, opens } = difference;
    for (const { node, file } of group.names.filter((line) => by.includes(line.node))) {
      if (told.some((one) => one.file === file && one.at === node.from)) continue;
      const message = `NameVirtualHost ${node.rest} does not fit the virtual hosts, and 2.4 chooses others: ${tellDifference(difference, file)}`;
      told.push(manual(file, node.from, group.whole && opens, message));
    }
    // Elsewhere there may be a NameVirtualHost line for it.
    if (by.length > 0 || !group.whole || (group.names.length === 0 && !isFor22())) continue;
    for (const host of concerned(difference)) {
      if (hosts.has(host)) continue;
      hosts.add(host);
      const { file, section } = host;
      const message = `${headline(difference, host)}: ${tellDifference(difference, file)}`;
      const hedge =
        group.names.length > 0 ? '' : '; if its NameVirtualHost line was removed before, all is well';
      told.push(manual(file, section.open.from, opens, message + hedge));
    }
  }
  return told;
}

/** The virtual hosts that are new to these requests; where there is none, the one that 2.4 prefers. */
function concerned({ on22, on24, fresh }: Difference): VirtualHost[] {
  return (fresh.size > 0 ? [...fresh] : [on24.host ?? on22.host]).filter((one) => one !== undefined);
}

function headline({ dead, on22 }: Difference, host: VirtualHost): string {
  if (dead.has(host))
    return '2.2 never used this virtual host and 2.4 does, so remove it if it is not wanted';
  return host === on22.host ? '2.4 uses this virtual host less' : '2.4 uses this virtual host more';
}

function manual(file: Told['file'], at: number, opens: boolean, message: string): Told {
  return { file, at, level: opens ? 'error' : 'warning', safety: 'manual', message, edits: [] };
}
