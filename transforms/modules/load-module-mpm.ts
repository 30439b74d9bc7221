import { isConditional } from '../../src/config';
import type { ResultContext } from '../../src/engine';
import { findModule, type Linkage } from '../../src/httpd/modules';
import { type LoadLines, plainName } from './load-module-lines';

export const MPMS = ['mpm_event', 'mpm_worker', 'mpm_prefork'] as const;

export interface Mpm {
  readonly name: (typeof MPMS)[number];
  /** Why this one, in the words of a message. */
  readonly why: string;
}

/** Directives that only some MPMs have. */
const EVIDENCE = {
  mpm_prefork: ['MaxSpareServers', 'MinSpareServers'],
  mpm_worker: ['ThreadsPerChild', 'ThreadLimit', 'MaxSpareThreads', 'MinSpareThreads'],
} as const;

/** PHP as a module is rarely built for threads. */
const PHP = /^php\d*$/;

/**
 * The MPM that the server is to load: 2.2 had one compiled in and did not name it.
 * @returns undefined where one is loaded, or compiled in at the target
 */
export function mpmFor(
  { index, tree }: Pick<ResultContext, 'index' | 'tree'>,
  lines: LoadLines,
  target: ReadonlyMap<string, Linkage> | undefined,
): Mpm | undefined {
  if (lines.all.some(({ name, read }) => name.startsWith('mpm_') && read !== false)) return undefined;
  for (const [name, linkage] of target ?? []) {
    const mpm = MPMS.find((each) => `${each}_module` === name);
    if (name.startsWith('mpm_') && linkage === 'static') return undefined;
    if (mpm !== undefined) return { name: mpm, why: 'the target has it' };
  }
  const built = /--with-mpm=["']?(worker|event|prefork)/.exec(tree.build?.document.text ?? '')?.[1];
  if (built !== undefined) return { name: `mpm_${built}` as Mpm['name'], why: 'config.nice says so' };
  if (lines.all.some(({ name }) => PHP.test(name)))
    return { name: 'mpm_prefork', why: 'PHP is loaded as a module' };
  for (const name of ['mpm_worker', 'mpm_prefork'] as const)
    for (const { node, place } of index.directives(EVIDENCE[name]))
      if (place.root.role === 'server' && !place.chain.some(({ section }) => isConditional(section)))
        return { name, why: `${node.name} stands outside of any block` };
  const words = new Set<string>();
  index.visitSections(['IfModule'], (node, { root }) => {
    if (root.role === 'server') words.add(node.args[0]?.value ?? '');
  });
  const asked = new Set([...words].map((word) => plainName(findModule(word)?.identifier ?? '')));
  for (const name of ['mpm_event', 'mpm_worker'] as const)
    if (asked.has(name) && !MPMS.some((other) => other !== name && asked.has(other)))
      return { name, why: 'there is a block for it alone' };
  return { name: 'mpm_prefork', why: "it was 2.2's default" };
}

/** Systems other than Unix have one MPM, and it is compiled in. */
export function isUnix({ index }: Pick<ResultContext, 'index'>): boolean {
  return !index.someDirective(['ServerRoot', 'DocumentRoot', 'LoadModule'], ({ args }) =>
    args.some(({ value }) => /^[A-Za-z]\w*:[\\/]/.test(value)),
  );
}
