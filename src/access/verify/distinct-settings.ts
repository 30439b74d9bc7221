import { scopesRead } from '../models';
import { type Scope, isLineRead } from '../policy';
import type { Config } from '../primitives';
import { conditionalSettings } from './test-requests';

/** A section that conditionals keep from this 2.2 or from 2.4 alone: its author wrote it for both. */
export function isReadInOne({ aroundLines }: Scope, config: Config): boolean {
  return aroundLines.some(({ name, is, on24 }) => on24 !== undefined && (config(name) === is) !== on24);
}

/**
 * The settings of the conditionals in sections, of each reading one: of many blocks in each other, say, nothing is read unless
 * all of them hold.
 * @param others sections that are read by these settings, too
 */
export function distinctSettings(met: readonly Scope[], others: readonly Scope[]): Config[] {
  const all = [...new Set([...met, ...others])];
  const settings = conditionalSettings(met);
  if (settings.length < 2) return settings;
  const seen = new Set<string>();
  return settings.filter((config) => {
    const before = seen.size;
    return seen.add(all.map((scope) => readingOf(scope, config)).join('\n')).size > before;
  });
}

/** All that a setting decides of what a section says: equal where both versions read the same of it. */
function readingOf(scope: Scope, config: Config): string {
  const { policies = [], lines } = scope;
  const isRead = (['2.2', '2.4'] as const).map((version) => scopesRead([scope], config, version).length);
  const variant = policies.findIndex(({ tests }) => tests.every(({ name, is }) => config(name) === is));
  const areRead = [lines.requires24, lines.authTypesFor24, lines.merging].flatMap((list) =>
    list.map((line) => (isLineRead(line, { config }) ? 1 : 0)),
  );
  return [...isRead, isReadInOne(scope, config), variant, areRead.join('')].join(' ');
}
