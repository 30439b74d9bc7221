import { isConditional, type Place } from '../../src/config';
import { defineTransform } from '../../src/engine';
import { findModule } from '../../src/httpd/modules';
import type { Directive } from '../../src/syntax';
import { isCarriedOver } from '../common/lines';
import { debianInclude } from './module-lines';
import { mpmsOf } from './mpm-directive';

/** What an MPM with threads takes at most where nothing is set: `DEFAULT_SERVER_LIMIT` (16) times `DEFAULT_THREADS_PER_CHILD`. */
const REQUESTS = 400;
const THREADS = 25;
const SERVERS = 16;

export default defineTransform({
  id: 'mpm-block-unread',
  changes: ['M09'],
  title: 'Sizes in the block of an MPM that 2.4 does not load',
  why: 'The sizes that 2.2 had stand in a block for its MPM. A 2.4 with another MPM skips the block, and takes as many requests at a time as its own default says.',
  docs: ['mpm_common: MaxRequestWorkers', 'server/mpm/event/event.c: DEFAULT_SERVER_LIMIT'],
  advisory: true,
  onlyWhenUpgrading: true,
  run(context) {
    const mpms = context.tree.isServer ? mpmsOf(context) : undefined;
    const [mpm] = mpms?.names ?? [];
    // The package of Debian has sizes of its own for each MPM.
    if (
      mpm === undefined ||
      mpm === 'mpm_prefork' ||
      mpms?.names.length !== 1 ||
      debianInclude(context.index) !== undefined
    )
      return;
    const sizes: { readonly node: Directive; readonly place: Place; readonly of: string }[] = [];
    const threads = new Map<string, number>();
    let isSet = false;
    context.directives(['MaxClients', 'MaxRequestWorkers', 'ThreadsPerChild'], (node, place) => {
      if (!isCarriedOver(place)) return;
      const of = mpmAsked(place);
      if (node.key === 'threadsperchild') threads.set(of ?? mpm, Number(node.args[0]?.value));
      else if (of === undefined || of === mpm) isSet = true;
      else sizes.push({ node, place, of });
    });
    // The numbers of the MPM with threads fit one with threads better than those of one with processes.
    const size = sizes.find(({ of }) => of === 'mpm_worker') ?? sizes[0];
    const requests = Number(size?.node.args[0]?.value);
    if (isSet || size === undefined || !Number.isInteger(requests) || requests < 1) return;
    const each = threads.get(mpm) ?? threads.get(size.of) ?? THREADS;
    const servers = Math.ceil(requests / each);
    const lines = [
      ...(servers > SERVERS ? [`ServerLimit ${servers}`] : []),
      ...(each === THREADS ? [] : [`ThreadsPerChild ${each}`]),
      `MaxRequestWorkers ${servers * each}`,
    ];
    const {
      node,
      place: { file, chain },
    } = size;
    context.report({
      file,
      at: node.from,
      level: 'warning',
      message: `2.4 has mod_${mpm}, and skips ${chain.at(-1) === undefined ? 'this block' : `<IfModule ${chain.at(-1)!.section.open.rest}>`}: it takes ${REQUESTS} requests at a time, not ${requests}: write these sizes for it, too`,
      remedy: `<IfModule ${mpm}_module> with ${lines.join(', ')}`,
    });
  },
});

/** The MPM that the blocks around a place ask for; undefined where they ask for none. */
function mpmAsked({ chain }: Place): string | undefined {
  for (const { section } of chain) {
    const word = section.args[0]?.value ?? '';
    if (!isConditional(section) || word.startsWith('!')) continue;
    const identifier = findModule(word)?.identifier;
    if (identifier?.startsWith('mpm_') === true) return identifier.replace(/_module$/, '');
  }
  return undefined;
}
