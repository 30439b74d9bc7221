import type { ConfigFile } from '../../src/config';
import type { ResultContext } from '../../src/engine';
import { findModule, reasonModuleGone, successorOf } from '../../src/httpd/modules';
import { type LoadLines, plainName } from './load-module-lines';
import { whatOf } from './load-module-missing';
import { mpmFor } from './load-module-mpm';
import { Needs, OFTEN_STATIC } from './load-module-needs';

/** A file of Debian's that one line in mods-enabled switches on: the package's own, not to be edited. */
export function isDebianLink({ path }: ConfigFile): boolean {
  return /\/mods-(?:available|enabled)\/[^/]+\.load$/.test(path);
}

/**
 * Where modules are switched on with Debian's a2enmod, says what to run there.
 * @returns false where they are not
 */
export function reportDebian(context: ResultContext, lines: LoadLines): boolean {
  const linked = lines.all.filter(({ place }) => isDebianLink(place.file));
  const include = context.index
    .directives(['Include', 'IncludeOptional'])
    .find(({ node }) => /(?:^|\/)mods-enabled(?:\/|$)/.test(node.args[0]?.value ?? ''));
  const at = linked[0] ?? include;
  if (at === undefined) return false;
  for (const { identifier, node, place } of linked) {
    const name = plainName(identifier);
    const now = successorOf(identifier);
    const why = reasonModuleGone(identifier) ?? (now && `it is ${now} there`);
    if (why === undefined) continue;
    const enable = now === undefined ? '' : ` and a2enmod ${plainName(now)}`;
    const message = `2.4 has no ${identifier}: ${why}; run a2dismod ${name}${enable}`;
    context.report({ file: place.file, at: node.from, level: 'error', safety: 'manual', message, edits: [] });
  }
  const needs = [...new Needs(context, lines).found.values()].filter(
    ({ name }) =>
      !lines.loads(name) &&
      !OFTEN_STATIC.has(name) &&
      !context.targetModules?.has(`${name}_module`) &&
      (linked.length > 0 || findModule(`${name}_module`)?.versions === '2.4'),
  );
  const mpm = context.targetModules === undefined ? mpmFor(context, lines, undefined) : undefined;
  const report = (message: string, level: 'error' | 'info'): void =>
    context.report({ file: at.place.file, at: at.node.from, level, safety: 'manual', message, edits: [] });
  if (needs.length > 0) {
    const names = needs.map(({ name }) => name).toSorted();
    const reasons = needs
      .map((need) => `${need.name} for ${whatOf(context, need, at.place.file)}`)
      .join(', ');
    report(`run a2enmod ${names.join(' ')} where it is not enabled yet: ${reasons}`, 'error');
  }
  if (mpm !== undefined && mpm.why !== "it was 2.2's default")
    report(`2.4 loads its MPM as a module: run a2enmod ${mpm.name}, because ${mpm.why}`, 'info');
  return true;
}
