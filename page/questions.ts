import type { RunSummary } from '../src';
import { button, byId, make } from './dom';
import type { Answers } from './protocol';

/** What is asked, and the choices there are where it is no yes or no. */
interface Question {
  readonly key: string;
  readonly text: string;
  /** As a rule lists them for messages; undefined for an assumption. */
  readonly choices?: string;
  /** The choice to begin with. */
  readonly choice?: string;
  /** How many changes rest on it. */
  readonly findings: number;
}

/** What was asked: once it is answered, no finding names it any more. */
const known = new Map<string, Question>();
/** The keys that are asked now. */
let open: readonly string[] = [];

/** What an answer does, as the verdict that tells of it is out of sight. */
const CERTAIN = 'its changes are certain now';
const TAKEN_BACK = 'its changes are taken back now';

/** Choices whose word says too little on a button. */
const NAMES: Readonly<Record<string, string>> = { __proto__: null!, 'module:7': 'module of PHP 7' };

/** Takes an answer over; undefined takes it back. */
type Answerer = (key: string, value: boolean | string | undefined) => void;

/**
 * Asks what is taken for granted and what a person has to choose.
 * @param summary undefined where nothing came of the conversion: what was asked before is asked still
 * @param choices by the key of the question
 * @param answers those given before
 */
export function showQuestions(
  summary: RunSummary | undefined,
  choices: Readonly<Record<string, string>>,
  answers: Answers,
  answer: Answerer,
): void {
  if (summary !== undefined) {
    const { assumptions, questions } = summary;
    const asked: readonly Question[] = [
      ...assumptions,
      ...questions.map((question) =>
        question.choice === 'yes'
          ? { ...question, findings: 0 }
          : { ...question, choices: choices[question.key] ?? '', findings: 0 },
      ),
    ];
    for (const question of asked) known.set(question.key, question);
    open = asked.map(({ key }) => key);
  }
  // Where a question stands, it stays when it is answered.
  const asked = new Set([...open, ...Object.keys(answers)]);
  const keys = [...new Set([...known.keys(), ...asked])].filter((key) => asked.has(key));
  byId('assumed').hidden = keys.length === 0;
  byId('assumptions').replaceChildren(
    ...keys.map((key) => {
      const given = answers[key];
      const question = known.get(key) ?? { key, text: key, findings: 0 };
      const isOpen = open.includes(key) && question.findings > 0;
      const rests =
        question.findings === 1 ? '1 change rests on it' : `${question.findings} changes rest on it`;
      // What only a yes settles is a task until then, and no change rests on it.
      const said = given === true ? CERTAIN : given === false ? TAKEN_BACK : isOpen ? rests : '';
      const outcome = question.choice === 'yes' ? '' : said;
      const label = make(
        'span',
        'assumption',
        sentence(question.text),
        make('span', 'dim', outcome && ` (${outcome})`),
      );
      const isChoice = question.choices !== undefined || typeof given === 'string';
      return make(
        'li',
        '',
        label,
        ...(isChoice ? choiceOf(question, given, answer) : yesOrNo(question, given, answer)),
      );
    }),
  );
}

function yesOrNo({ key, text, choice }: Question, given: unknown, answer: Answerer): HTMLElement[] {
  // Nothing comes of a no to what is a choice already.
  return (choice === undefined ? [true, false] : [true]).map((value) =>
    pressed(value ? 'Yes' : 'No', text, `${key}=${value ? 'yes' : 'no'}`, given === value, () =>
      answer(key, given === value ? undefined : value),
    ),
  );
}

/** A button for each choice that is a word, and a field for those that name something of the server. */
function choiceOf(
  { key, text, choices = '', choice = '' }: Question,
  given: unknown,
  answer: Answerer,
): HTMLElement[] {
  const all = choices.split(/, | or /).filter((name) => name !== '');
  const words = all.filter((name) => !/[A-Z]/.test(name));
  const made: HTMLElement[] = words.map((word) =>
    pressed(NAMES[word] ?? word, text, `${key}=${word}`, given === word, () =>
      answer(key, given === word ? undefined : word),
    ),
  );
  const hasField = words.length < all.length || all.length === 0;
  if (!hasField && (typeof given !== 'string' || words.includes(given))) return made;
  const field = make('input', '');
  const isGiven = typeof given === 'string' && !words.includes(given);
  field.value = isGiven ? given : words.includes(choice) ? '' : choice;
  field.placeholder = all.filter((name) => !words.includes(name)).join(' or ');
  field.size = Math.max(20, field.value.length + 2);
  field.setAttribute('aria-label', `Answer: ${text}`);
  const act = pressed('Answer', text, key, isGiven, () => {
    if (field.value.trim() === '') return field.focus();
    answer(key, isGiven && field.value === given ? undefined : field.value.trim());
  });
  return [...made, field, act];
}

function pressed(
  name: string,
  text: string,
  id: string,
  isPressed: boolean | undefined,
  act: () => void,
): HTMLElement {
  const element = button(name, act);
  if (isPressed !== undefined) element.setAttribute('aria-pressed', String(isPressed));
  element.setAttribute('aria-label', `${name}: ${text}`);
  element.dataset['answer'] = id;
  return element;
}

/** A text that begins with a word begins a sentence; the name of a file stays as it is. */
export function sentence(text: string): string {
  const [word = ''] = text.split(' ');
  return /^[a-z]+$/.test(word) ? `${word[0]?.toUpperCase()}${text.slice(1)}` : text;
}
