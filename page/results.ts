import { button, byId, goTo as goToPart, make } from './dom';
import { ANSWER, type Converted, type ShownFinding } from './protocol';

/** Findings that the list below the editors has; the editor marks more. */
const MOST = 200;

/** What somebody does about what is shown. */
export interface ResultEvents {
  readonly goTo: (line: number) => void;
  readonly setLeftOut: (key: string, isLeftOut: boolean) => void;
}

/** Shows the verdict, which a screen reader says, and whether anything stands in the way. */
export function showVerdict({ summary, notes }: Converted): void {
  const [changes, outcome] = summary.verdict;
  document.body.dataset['verdict'] = summary.isBlocked
    ? 'blocked'
    : summary.assumptions.length > 0
      ? 'assumed'
      : 'sure';
  byId('verdict').replaceChildren(
    make(
      'strong',
      '',
      ...outcome
        .split(/(?=Nobody new gets in)/)
        .map((part) => make('span', summary.isBlocked && !part.startsWith('Nobody') ? 'blocker' : '', part)),
    ),
    make('span', 'dim', changes),
  );
  const asked = summary.assumptions.length + summary.questions.length;
  const lead = byId('lead');
  const isToDo = summary.isBlocked && summary.tasks.length > 0;
  lead.hidden = !isToDo && asked === 0;
  lead.dataset['to'] = isToDo ? 'to-do' : 'assumed';
  const resting = summary.assumptions.reduce((sum, { findings }) => sum + findings, 0);
  const rests = resting > asked ? `, for ${resting} changes` : '';
  lead.textContent = isToDo ? 'What to do' : `What is assumed: ${asked} to answer${rests}`;
  byId('notes').replaceChildren(...notes.map((note) => make('li', '', note)));
}

/** Shows the findings of a pasted text as a list, with what can be done about each. */
export function showFindings({ findings, more }: Converted, events: ResultEvents): void {
  const shown = [...findings].sort((a, b) => rankOf(a) - rankOf(b)).slice(0, MOST);
  const byText = new Map<string, ShownFinding[]>();
  for (const finding of shown) {
    const { word, message, remedy, hasChange, key } = finding;
    const text = hasChange ? key : JSON.stringify([word, message, remedy]);
    byText.set(text, [...(byText.get(text) ?? []), finding]);
  }
  const items = [...byText.values()].map((same) => findingElement(same, events));
  const rest = findings.length + more - shown.length;
  if (rest > 0) items.push(make('li', 'dim', `and ${rest} more, marked in the text`));
  if (items.length === 0) items.push(make('li', 'dim', 'Nothing: 2.4 reads it as 2.2 does.'));
  byId('findings').replaceChildren(...items);
}

const STATES: readonly ShownFinding['state'][] = ['open', 'left', 'review', 'script', 'applied', 'note'];

/** What a person has to do stands first; of the same kind, the first line. */
function rankOf({ isBlocker, state }: ShownFinding): number {
  return isBlocker ? -1 : STATES.indexOf(state);
}

/** An item for findings that say the same of several lines. */
function findingElement(same: readonly ShownFinding[], { goTo, setLeftOut }: ResultEvents): HTMLElement {
  const { word, line, message, reason, remedy, key, state, isBlocker, hasChange } = same[0]!;
  const places = same.flatMap((finding) => {
    const at = button(`line ${finding.line}`, () => goTo(finding.line));
    at.className = 'line';
    return [' ', at];
  });
  const text = make(
    'p',
    '',
    make('span', `mark ${isBlocker ? 'blocker' : state}`, word),
    ...places,
    ` ${message} `,
  );
  const item = make('li', '', text);
  if (hasChange && state !== 'note') {
    const isLeft = state === 'left';
    const act = button(`${isLeft ? 'Apply' : 'Leave out'} the change`, () => setLeftOut(key, !isLeft));
    act.className = 'small';
    act.setAttribute('aria-label', `${isLeft ? 'Apply' : 'Leave out'} the change at line ${line}`);
    act.dataset['key'] = key;
    text.append(act);
  }
  if (remedy !== undefined) {
    const todo = make('p', '', make('strong', '', 'Do: '), `${remedy} `);
    if (remedy.includes(ANSWER)) {
      const answer = button('Answer it', () => goToPart(byId('assumed')));
      answer.className = 'small';
      todo.append(answer);
    }
    item.append(todo);
  }
  if (reason !== '')
    item.append(make('details', '', make('summary', 'dim', 'Why'), make('p', 'dim', reason)));
  return item;
}
