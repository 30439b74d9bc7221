import type { ConfigFile } from '../../../config/types';
import { applyEdits, type Edit } from '../../../edit';
import { subjectIn } from '../../../engine';
import type { Change, Finding, Outcome, RunResult } from '../../../engine/types';
import { EditorLines } from '../../../lsp/positions';
import type { EditorEdit, Fix, FixScope } from '../../../lsp/types';
import { decode, encode, plural } from '../../../report';
import { type ChangeUnit, unitsOf } from '../../parts';
import { changeBetween } from './likely';

/** What can be changed at some lines of a file, from 0: the nearest first. */
export function fixesAt(result: RunResult, file: ConfigFile, first: number, last: number): readonly Fix[] {
  const units = unitsOf(result, () => false);
  const here = units.filter((unit) => unit.outcomes.some((outcome) => isAt(outcome, file, first, last)));
  const rules = [
    ...new Set(
      here.flatMap(({ outcomes }) =>
        outcomes.filter((outcome) => isAt(outcome, file, first, last)).map(({ rule }) => rule),
      ),
    ),
  ];
  const applied = result.outcomes.filter(({ status }) => status === 'applied');
  const ofRules = rules.flatMap((rule): Fix[] => {
    const all = applied.filter((outcome) => outcome.rule === rule);
    if (all.length < 2) return [];
    const count = plural(new Set(all.map((outcome) => outcome.file)).size, 'file');
    return [
      {
        title: `Convert ${rule} everywhere (${plural(all.length, 'finding')} in ${count})`,
        scope: { kind: 'rule', rule },
        rules: [rule],
      },
    ];
  });
  const inFile = applied.filter((outcome) => outcome.file === file);
  const ofFile: readonly Fix[] =
    inFile.length === 0
      ? []
      : [
          {
            title: `Convert this file (${plural(inFile.length, 'finding')})`,
            scope: { kind: 'file', path: file.path },
            rules: [...new Set(inFile.map(({ rule }) => rule))],
          },
        ];
  return [...here.map(fixOf), ...ofFile, ...ofRules];
}

function fixOf({ outcomes, subjects, changes }: ChangeUnit): Fix {
  const rules = [...new Set(outcomes.map(({ rule }) => rule))];
  const where = changes.size > 1 ? `, in ${plural(changes.size, 'file')}` : '';
  return {
    title: `Convert this: ${rules.join(', ')}${where}`,
    scope: { kind: 'section', subjects: [...subjects] },
    rules,
  };
}

/** Whether a finding, or what it changes, stands in some lines of a file, from 0. */
export function isAt(outcome: Outcome, file: ConfigFile, first: number, last: number): boolean {
  if (outcome.file !== file) return false;
  const lineOf = (at: number): number => file.document.positionAt(at).line - 1;
  const touches = (start: number, end: number): boolean => lineOf(start) <= last && lineOf(end) >= first;
  return (
    touches(outcome.at, outcome.at) ||
    outcome.edits.some(({ start, end }) => touches(start, Math.max(start, end - 1)))
  );
}

/** Keeps a run to what a fix is about: what goes together with it is changed too, or nothing is. */
export function declinesFor(scope: FixScope): (finding: Finding) => string | undefined {
  const wanted = wantedBy(scope);
  return (finding) => (wanted(finding) ? undefined : 'not part of the fix');
}

function wantedBy(scope: FixScope): (finding: Finding) => boolean {
  switch (scope.kind) {
    case 'section': {
      const subjects = new Set(scope.subjects);
      return (finding) => subjects.has(subjectIn(finding));
    }
    case 'file':
      return ({ file }) => file.path === scope.path;
    case 'rule':
      return ({ rule }) => rule === scope.rule;
  }
}

/** The edits of a change as an editor makes them; undefined where its new text would not be the one of the change. */
export function editorEdits({ file, edits, text }: Change): readonly EditorEdit[] | undefined {
  const old = file.document.text;
  const exact = applyEdits(old, edits) === text ? edits : [differing(old, text)];
  const lines = new EditorLines(old);
  const made = exact.map((edit) => ({
    range: lines.rangeOf(edit.start, edit.end),
    newText: decode(edit.text),
  }));
  // An editor's text has no bytes: what is no UTF-8 would come out as something else.
  return exact.every((edit, i) => encode(made[i]!.newText) === edit.text) ? made : undefined;
}

/** What differs between two texts, as whole lines. */
function differing(old: string, text: string): Edit {
  const change = changeBetween(old, text);
  const start = old.lastIndexOf('\n', change.start - 1) + 1;
  let back = old.length - change.oldEnd;
  while (back > 0 && old[old.length - back - 1] !== '\n') back--;
  return { start, end: old.length - back, text: text.slice(start, text.length - back) };
}
