import { type ConfigFile, type Frame, isConditional } from '../../config';
import type { Node, Section } from '../../syntax';
import { type Scope, type ScopeLine, configTests } from '../policy';
import { EMPTY } from '../primitives';

/** The body that the new lines of a scope are laid in. */
export interface Home {
  readonly file: ConfigFile;
  readonly body: readonly Node[];
  readonly section: Section | undefined;
  /** The sections inside the scope that it stands in. */
  readonly around: ReadonlySet<Section>;
}

export const SCATTERED = 'its lines stand in several files or blocks';

/** A container of Require lines. */
export function isContainer(section: Section): boolean {
  return /^require(?:all|any|none)$/.test(section.key);
}

export function isLimit(section: Section): boolean {
  return section.key === 'limit' || section.key === 'limitexcept';
}

/** The innermost body that all lines stand in, Limits and what the rewrite tells apart looked through; undefined where there is none. */
export function homeOf(scope: Scope, lines: readonly ScopeLine[]): Home | undefined {
  const file = lines[0]?.file ?? scope.file;
  if (lines.some((line) => line.file !== file)) return undefined;
  // Most stand in their section and in nothing else.
  if (lines.every(({ inner }) => inner.length === 0)) return homeWithout(scope, file);
  const told = new Set(scope.settings?.flatMap(({ tests }) => tests.map(({ name }) => name)));
  const isTold = (section: Section): boolean =>
    isConditional(section) && told.has(configTests([section])[0]!.name);
  const chains = lines.map(({ inner }) =>
    inner.filter((frame) => frame.file === file && !isLimit(frame.section) && !isContainer(frame.section)),
  );
  const around = common(chains.map((chain) => upTo(chain, isTold)));
  // What -D decides is not decided for whoever starts the server without it: lines do not leave such a block.
  const leaves = chains.some((chain) =>
    chain.slice(around.length).some(({ section }) => section.key === 'ifdefine' && !isTold(section)),
  );
  if (leaves) return undefined;
  const last = around.at(-1);
  const section = last ?? (file === scope.file ? scope.section : undefined);
  return { file, body: section?.body ?? file.document.body, section, around: new Set(around) };
}

/** The home of lines that stand in the scope itself. */
export function homeWithout(scope: Scope, file: ConfigFile): Home {
  const section = file === scope.file ? scope.section : undefined;
  return { file, body: section?.body ?? file.document.body, section, around: EMPTY };
}

function upTo(chain: readonly Frame[], ends: (section: Section) => boolean): readonly Frame[] {
  const end = chain.findIndex(({ section }) => ends(section));
  return end < 0 ? chain : chain.slice(0, end);
}

/** The sections that all chains begin with. */
function common(chains: readonly (readonly Frame[])[]): Section[] {
  const [first = [], ...others] = chains;
  let length = first.length;
  for (const chain of others) {
    let same = 0;
    while (same < length && chain[same]?.section === first[same]!.section) same++;
    length = same;
  }
  return first.slice(0, length).map(({ section }) => section);
}
