import type { Answer, ConfigTree } from '../../config';
import { collect } from '../collect';
import { type Scope, directoryOf, isWrittenFor24 } from '../policy';
import { memo } from '../primitives';

/** What a person may be asked about a section in which, or above which, lines of 2.2 and of 2.4 meet. */
export type MixedQuestion = 'old-lines' | 'half-converted';

/** The answer under which a section says what its author wrote; `as-today` is the other one, to both questions. */
export const AS_WRITTEN: Readonly<Record<MixedQuestion, string>> = {
  'old-lines': 'as-on-2.2',
  'half-converted': 'as-2.4-lines',
};

export const AS_TODAY = 'as-today';

/** @param scope under the reading of a 2.2, which tells its lines apart */
export function questionAbout(scope: Scope): MixedQuestion {
  return isWrittenFor24(scope) ? 'half-converted' : 'old-lines';
}

/** What a person has answered about a section: for its file, or for the directory on the server that it is for. */
export function answerAbout(scope: Scope, tree: ConfigTree): Answer | undefined {
  const directory = directoryOf(scope);
  const paths = directory === undefined ? [scope.file.path] : [scope.file.path, directory];
  return tree.chosen?.(questionAbout(scope), paths);
}

/** The sections, by their `order`, that are to say what their author wrote, whatever is answered there today. */
export const wantedAsWritten = memo((tree: ConfigTree): ReadonlySet<number> => {
  const wanted = collect(tree).scopes.filter(
    (scope) => answerAbout(scope, tree)?.choice === AS_WRITTEN[questionAbout(scope)],
  );
  return new Set(wanted.map(({ order }) => order));
});
