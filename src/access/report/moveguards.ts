import type { ConfigFile, Frame } from '../../config';
import { type Edit, unwrap } from '../../edit';
import type { Section } from '../../syntax';
import { type Guard, STOCK, type Scope, guardOf } from '../policy';
import { NONE, plus } from '../primitives';
import type { Findings } from './findings';

/**
 * Moves the guards of what has been rewritten to mod_authz_core, which answers the new lines and which every 2.4 has. A guard whose own
 * module answers all that stands in it stays as it is.
 * @param drop they go instead: where blocks for one version each are written or collapsed, one that asks for mod_authz_core would be such
 * a block, and nothing else
 */
export function moveGuards(findings: Findings, drop: boolean): void {
  const moved = new Map<Section, { file: ConfigFile; groups: Set<string> }>();
  for (const { scope, file, edits, group } of findings.rewritten)
    for (const { section, file: home } of guardsAround(scope)) {
      const guard = guardOf(section)!;
      const inside =
        home === file
          ? edits.filter((edit) => section.open.end <= edit.start && edit.end <= section.end)
          : edits;
      const gone = edits.some(
        (edit) => home === file && edit.start <= section.open.start && section.open.end <= edit.end,
      );
      if (gone || !inside.some(({ text }) => needsMore(text, guard))) continue;
      const known = moved.get(section) ?? { file: home, groups: new Set() };
      moved.set(section, known);
      known.groups.add(group);
    }
  for (const [section, { file, groups }] of moved) {
    const { start, end } = section.args[0]!;
    const group = findings.join(groups);
    const name = `<IfModule ${section.args[0]!.value}>`;
    const goes = drop && section.close !== undefined;
    findings.list.push({
      file,
      at: section.open.from,
      level: 'error',
      safety: 'safe',
      message: goes
        ? `${name} guards lines that mod_authz_core answers in 2.4, which every 2.4 has: its lines stay, without the block`
        : `${name} guards lines that mod_authz_core answers in 2.4: it asks for mod_authz_core.c`,
      edits: goes ? unwrap(file.document, section) : [{ start, end, text: 'mod_authz_core.c' }],
      group,
    });
  }
}

/** Whether a text has lines that the guard's module does not answer. */
function needsMore(text: Edit['text'], { identifier }: Guard): boolean {
  const own = STOCK[identifier]!;
  return [...text.matchAll(/^[ \t]*(?:<Require\w+|Require (?:not )?([a-z-]+))/gm)].some(
    ([, provider]) => provider === undefined || !own.includes(provider),
  );
}

/** The guards around a scope, and those inside it around its lines. */
function guardsAround({ place, old, requires }: Scope): readonly Frame[] {
  let found: readonly Frame[] = NONE;
  const look = (frames: readonly Frame[]): void => {
    for (const frame of frames)
      if (
        guardOf(frame.section)?.negated === false &&
        !found.some(({ section }) => section === frame.section)
      )
        found = plus(found, frame);
  };
  look(place.chain);
  for (const { inner } of old) if (inner.length > 0) look(inner);
  for (const { inner } of requires) if (inner.length > 0) look(inner);
  return found;
}
