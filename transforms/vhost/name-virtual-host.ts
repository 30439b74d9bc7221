import { removeLine } from '../../src/edit';
import { defineTransform } from '../../src/engine';
import type { Directive } from '../../src/syntax';
import { type Comparison, compare } from './name-virtual-host-compare';
import { type Group, type NameLine, readGroups } from './name-virtual-host-groups';
import { isFor22 } from './name-virtual-host-is22';
import { type Told, tellDifferences } from './name-virtual-host-tell';

export default defineTransform({
  id: 'name-virtual-host',
  seed: ['s2.3', 'R07', 'V01', 'V02', 'V03', 'V04', 'V05', 'V06', 'V07'],
  title: 'NameVirtualHost has no effect',
  why: '2.4 tells virtual hosts that share an address and port apart by name, always. 2.2 did so only where a NameVirtualHost line named that address and port; elsewhere the first virtual host got every request.',
  docs: ['core: NameVirtualHost', 'server/vhost.c: ap_fini_vhost_config'],
  directives: ['NameVirtualHost'],
  run(context) {
    const told: Told[] = [];
    const removals = new Map<Directive, Told>();
    const kept = new Set<Directive>();
    for (const group of readGroups(context)) {
      const result = compare(group.lines, group.whole);
      const found = tellDifferences(result.differences, group, () => isFor22(context));
      told.push(...found);
      for (const line of group.names) {
        const { node, file, questions } = line;
        // A block that only 2.2 reads stays as it is.
        if (questions.some(({ on24 }) => on24 === false)) continue;
        if (found.length === 0) {
          removals.set(node, removal(line, assumption(group, result)));
          continue;
        }
        // All lines of a server go or none: as long as one is left, a second run can tell what 2.2 made of the rest.
        kept.add(node);
        if (!found.some((one) => one.file === file && one.at === node.from)) told.push(keeping(line));
      }
    }
    for (const [node, finding] of removals) if (!kept.has(node)) told.push(finding);
    const order = new Map(context.tree.files.map((file, index) => [file, index]));
    told.sort((a, b) => (order.get(a.file) ?? 0) - (order.get(b.file) ?? 0) || a.at - b.at);
    for (const finding of told) context.report(finding);
  },
});

function removal({ node, file }: NameLine, assumed: string): Told {
  return {
    file,
    at: node.from,
    level: 'info',
    safety: assumed === '' ? 'safe' : 'review',
    message: `NameVirtualHost has no effect in 2.4, where virtual hosts that share an address are always told apart by name${assumed}`,
    edits: [removeLine(file.document, node)],
  };
}

function keeping({ node, file }: NameLine): Told {
  const message =
    'left in place until the virtual hosts that 2.4 chooses differently are settled; 2.4 itself takes no notice of this line';
  return { file, at: node.from, level: 'info', safety: 'manual', message, edits: [] };
}

function assumption({ whole }: Group, { assumed, complete }: Comparison): string {
  if (!whole)
    return '; this assumes that the virtual hosts it is for, here and in files outside of this run, are written with the same address and port';
  const hosts = [...new Set(assumed.map(({ host }) => host))];
  if (hosts.length > 0)
    return `; this assumes that ${hosts.join(' and ')} ${hosts.length > 1 ? 'are addresses of their' : 'is an address of its'} own`;
  return complete
    ? ''
    : '; this assumes that the conditionals around the virtual hosts hold all together or not at all';
}
