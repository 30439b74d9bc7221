import type { ConfigFile } from '../../config';
import { type Edit, insertAfter } from '../../edit';
import type { OverrideLine, Scope } from '../policy';
import { type Governor, allows, silences } from './governor';

/** Takes back a list that is handed down. */
export const NOTHING = 'None';

/** A line of the server config that must be added before a rewritten `.htaccess` is let in by 2.4; `None` keeps others out as before. */
export interface OverrideList {
  readonly file: ConfigFile;
  readonly at: number;
  readonly words: string;
  readonly edit: Edit;
  /** The groups of rewrites that need it. */
  readonly groups: ReadonlySet<string>;
}

/**
 * 2.4 counts Require to AuthConfig, where Order, Allow and Deny were of the class Limit: a `.htaccess` that may say only these would
 * become a 500. `AllowOverrideList` lets in what the rewrite uses and nothing else; containers are named with their `<`
 * (access-semantics C). The list is handed down to the directories below whatever their own AllowOverride says (2.4 server/core.c:
 * merge_core_dir_configs): there it is taken back.
 * @param rewritten the scopes that change, with their new texts and their group
 */
export function overrideLists(
  rewritten: readonly { readonly scope: Scope; readonly edits: readonly Edit[]; readonly group: string }[],
  governor: Governor,
): OverrideList[] {
  const wanted = new Map<OverrideLine, { names: Set<string>; groups: Set<string> }>();
  for (const { scope, edits, group } of rewritten) {
    const line = governor.of(scope);
    if (line === undefined || silences(line) || allows(line, 'authconfig')) continue;
    const want = wanted.get(line) ?? { names: new Set(['Require']), groups: new Set() };
    wanted.set(line, want);
    want.groups.add(group);
    for (const { text } of edits)
      for (const [, name] of text.matchAll(/^[ \t]*<(Require\w+)>/gm)) want.names.add(`<${name}`);
  }
  const kept = new Map<OverrideLine, Set<string>>();
  for (const [line, { groups }] of wanted)
    for (const heir of governor.heirsOf(line)) {
      if (allows(heir, 'authconfig') || wanted.has(heir)) continue;
      const known = kept.get(heir) ?? new Set();
      kept.set(heir, known);
      for (const group of groups) known.add(group);
    }
  return [
    ...[...wanted].map(([line, { names, groups }]) => listed(line, [...names].join(' '), groups)),
    ...[...kept].map(([line, groups]) => listed(line, NOTHING, groups)),
  ];
}

function listed({ line }: OverrideLine, words: string, groups: ReadonlySet<string>): OverrideList {
  const edit = insertAfter(line.file.document, line.node, [`AllowOverrideList ${words}`]);
  return { file: line.file, at: line.node.from, words, edit, groups };
}
