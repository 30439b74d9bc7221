import { isConditional, type Place } from '../../src/config';
import { type Edit, eolOf, indentOf, indentUnit, insertAfter } from '../../src/edit';
import { defineTransform, type TransformContext } from '../../src/engine';
import { findDirective } from '../../src/httpd/directives';
import { findModule } from '../../src/httpd/modules';
import type { Directive, Document } from '../../src/syntax';
import { isCarriedOver } from '../common/lines';
import { debianInclude, LoadLines, MPMS } from './module-lines';

/**
 * Directives of an MPM that another one does not have, and the MPM of 2.2 that they were for. A block asks for that one by name:
 * it may stand above the lines that load modules.
 */
const BLOCKS: Readonly<Record<string, string>> = {
  __proto__: null!,
  minspareservers: 'mpm_prefork_module',
  maxspareservers: 'mpm_prefork_module',
  threadsperchild: 'mpm_worker_module',
  threadlimit: 'mpm_worker_module',
  minsparethreads: 'mpm_worker_module',
  maxsparethreads: 'mpm_worker_module',
};

export default defineTransform({
  id: 'mpm-directive',
  changes: ['M09'],
  title: 'Directives of an MPM that 2.4 may not load',
  why: '2.2 had its MPM compiled in, so that its directives could stand anywhere. In 2.4 the MPM is a module, by default another one, and 2.4 does not start with a directive of an MPM that it does not load.',
  docs: ['mpm', 'prefork: MinSpareServers', 'event', 'Debian: apache2.postinst'],
  directives: Object.keys(BLOCKS),
  run(context) {
    if (!context.tree.isServer) return;
    const mpms = mpmsOf(context);
    if (mpms === undefined) return;
    const done = new Set<Directive>();
    context.directives(Object.keys(BLOCKS), (node, place) => {
      if (done.has(node) || !isLeftOpen(node, place, mpms.names)) return;
      const { document } = place.file;
      const run = runOf(node, place.chain.at(-1)?.section.body ?? document.body);
      for (const line of run) done.add(line);
      const names = [...new Set(run.map(({ name }) => name))].join(', ');
      context.report({
        file: place.file,
        at: node.from,
        level: 'error',
        safety: 'safe',
        message: `${mpms.reason}, and does not start with ${names} then: ${run.length > 1 ? 'the lines go' : 'the line goes'} into <IfModule ${BLOCKS[node.key]!}>`,
        edits: blockAround(document, run, BLOCKS[node.key]!),
      });
    });
  },
});

export interface KnownMpms {
  readonly names: readonly string[];
  readonly reason: string;
}

/** The MPMs that 2.4 may have; undefined where load-module has it load the one that the directives ask for. */
export function mpmsOf({ index, targetModules }: TransformContext): KnownMpms | undefined {
  const inTarget = MPMS.filter((name) => targetModules?.has(`${name}_module`) === true);
  if (inTarget.length > 0)
    return { names: inTarget, reason: `the target has mod_${inTarget.join(', mod_')}` };
  const lines = new LoadLines(index);
  const loaded = MPMS.filter((name) => lines.loads(name));
  if (loaded.length > 0) return { names: loaded, reason: `2.4 loads mod_${loaded.join(' or mod_')}` };
  if (debianInclude(index) === undefined) return undefined;
  return { names: ['mpm_event'], reason: "Debian's 2.4 has mpm_event unless somebody enables another MPM" };
}

/** Whether a line stands where one of the MPMs that does not know it would read it. */
function isLeftOpen({ key }: Directive, place: Place, mpms: readonly string[]): boolean {
  if (place.root.role !== 'server' || !isCarriedOver(place)) return false;
  const owners = findDirective(key)?.owners24 ?? [];
  if (mpms.every((name) => owners.includes(name))) return false;
  // A block that asks for any MPM says what its author wanted.
  return !place.chain.some(({ section }) => {
    const word = (section.args[0]?.value ?? '').replace(/^!/, '');
    return isConditional(section) && findModule(word)?.identifier.startsWith('mpm_') === true;
  });
}

/** The lines for the same block that follow each other from `first` on. */
function runOf(first: Directive, body: Document['body']): readonly [Directive, ...Directive[]] {
  const run: [Directive, ...Directive[]] = [first];
  for (let at = body.indexOf(first) + 1; at < body.length; at++) {
    const node = body[at]!;
    if (node.kind !== 'directive' || BLOCKS[node.key] !== BLOCKS[first.key]) break;
    run.push(node);
  }
  return run;
}

function blockAround(document: Document, run: readonly [Directive, ...Directive[]], word: string): Edit[] {
  const [first] = run;
  const unit = indentUnit(document, indentOf(document, first), undefined);
  const opening = `${indentOf(document, first)}<IfModule ${word}>${eolOf(document, first)}`;
  return [
    { start: first.start, end: first.start, text: opening + unit },
    ...run.slice(1).map(({ start }) => ({ start, end: start, text: unit })),
    insertAfter(document, run.at(-1)!, ['</IfModule>']),
  ];
}
