import type { ConfigFile } from '../config';
import { type Edit, insertAfter } from '../edit';
import { allows, type Governor } from './governor';
import type { OverrideLine, Scope } from './scope';

/** A line of the server config that must be added before a rewritten `.htaccess` is let in by 2.4. */
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
 * (access-semantics C).
 * @param rewritten the scopes that change, with their new texts and their group
 */
export function overrideLists(
  rewritten: readonly { readonly scope: Scope; readonly edits: readonly Edit[]; readonly group: string }[],
  governor: Governor,
): OverrideList[] {
  const wanted = new Map<OverrideLine, { names: Set<string>; groups: Set<string> }>();
  for (const { scope, edits, group } of rewritten) {
    const line = governor.of(scope);
    if (line === undefined || allows(line, 'authconfig')) continue;
    const want = wanted.get(line) ?? { names: new Set(['Require']), groups: new Set() };
    wanted.set(line, want);
    want.groups.add(group);
    for (const { text } of edits)
      for (const [, name] of text.matchAll(/^[ \t]*<(Require\w+)>/gm)) want.names.add(`<${name}`);
  }
  return [...wanted].map(([{ line }, { names, groups }]) => {
    const words = [...names].join(' ');
    const edit = insertAfter(line.file.document, line.node, [`AllowOverrideList ${words}`]);
    return { file: line.file, at: line.node.from, words, edit, groups };
  });
}
