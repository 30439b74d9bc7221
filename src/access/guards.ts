import type { ConfigFile, Frame } from '../config';
import { type Edit, unwrap } from '../edit';
import { findModule } from '../httpd/modules';
import type { Section } from '../syntax';
import type { Findings } from './findings';
import { NONE, plus } from './lists';
import type { Scope } from './scope';

/** Modules of a 2.2 as it is built by default that 2.4 has too, and the words after `Require` that they answer in 2.4. */
const STOCK: Readonly<Record<string, readonly string[]>> = {
  authz_host_module: ['ip', 'host', 'local', 'forward-dns'],
  authz_user_module: ['user', 'valid-user'],
  authz_groupfile_module: ['group'],
  auth_basic_module: [],
  authn_file_module: [],
};

/** `<IfModule>` around access lines that asks for a stock module: where 2.2 reads them it had that module. */
interface Guard {
  readonly identifier: string;
  readonly negated: boolean;
}

/** What the conditionals that have been asked about ask; null for one that is no guard. */
const guards = new WeakMap<Section, Guard | null>();

/** What a conditional asks, if it is a guard. */
export function guardOf(section: Section): Guard | undefined {
  if (section.key !== 'ifmodule') return undefined;
  let guard = guards.get(section);
  if (guard === undefined) guards.set(section, (guard = readGuard(section) ?? null));
  return guard ?? undefined;
}

function readGuard(section: Section): Guard | undefined {
  // 2.2 takes one bare word.
  if (section.open.rest !== section.args[0]?.value) return undefined;
  const [, not = '', name = ''] = /^(!?)(.*)$/.exec(section.args[0].value) ?? [];
  const identifier = findModule(name)?.identifier;
  return identifier !== undefined && identifier in STOCK ? { identifier, negated: not !== '' } : undefined;
}

/**
 * The module that a guard asks for, where the LoadModule lines read before it load others of the stock ones and not this: then nothing
 * is built in, and whether 2.2 had it cannot be told.
 */
export function lackedBy(section: Section, loadModules: readonly string[]): string | undefined {
  const guard = guardOf(section);
  if (guard === undefined || loadModules.includes(guard.identifier)) return undefined;
  return loadsStock(loadModules) ? guard.identifier : undefined;
}

/** Whether LoadModule lines load modules that a 2.2 has built in where it has any: then what they do not load is not there. */
export function loadsStock(loadModules: readonly string[]): boolean {
  return loadModules.some((one) => one in STOCK);
}

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
