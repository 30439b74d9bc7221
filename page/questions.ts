import { button, byId, make } from './dom';
import type { Answers, Converted } from './protocol';

/** The texts of what was asked: once it is answered, no finding names it any more. */
const known = new Map<string, string>();

/** Takes an answer over; undefined takes it back. */
type Answerer = (key: string, value: boolean | string | undefined) => void;

/** Asks what is taken for granted and what a person has to choose; `answers` are those given before. */
export function showQuestions({ summary }: Converted, answers: Answers, answer: Answerer): void {
  const { assumptions, questions } = summary;
  for (const { key, text } of [...assumptions, ...questions]) known.set(key, text);
  const asked = [...assumptions, ...questions].map(({ key }) => key);
  const keys = [...new Set([...asked, ...Object.keys(answers)])];
  byId('assumed').hidden = keys.length === 0;
  byId('assumptions').replaceChildren(
    ...keys.map((key) => {
      const question = questions.find((entry) => entry.key === key);
      const given = answers[key];
      const isChoice = question !== undefined || typeof given === 'string';
      const findings = assumptions.find((entry) => entry.key === key)?.findings ?? 0;
      const rests = findings === 1 ? '1 change rests on it' : `${findings} changes rest on it`;
      const text = sentence(known.get(key) ?? key);
      const label = make(
        'span',
        'assumption',
        text,
        make('span', 'dim', findings === 0 ? '' : ` (${rests})`),
      );
      return make(
        'li',
        '',
        label,
        ...(isChoice
          ? choiceOf(key, text, typeof given === 'string' ? given : (question?.choice ?? ''), given, answer)
          : ([true, false] as const).map((value) => yesOrNo(key, text, value, given, answer))),
      );
    }),
  );
}

function yesOrNo(key: string, text: string, value: boolean, given: unknown, answer: Answerer): HTMLElement {
  const isChosen = given === value;
  const name = value ? 'Yes' : 'No';
  const element = button(name, () => answer(key, isChosen ? undefined : value));
  element.setAttribute('aria-pressed', String(isChosen));
  element.setAttribute('aria-label', `${name}: ${text}`);
  element.dataset['answer'] = `${key}=${value ? 'yes' : 'no'}`;
  return element;
}

/** A field for one of several choices: the rule's message says which there are. */
function choiceOf(
  key: string,
  text: string,
  choice: string,
  given: unknown,
  answer: Answerer,
): HTMLElement[] {
  const field = make('input', '');
  field.value = choice;
  field.setAttribute('aria-label', `Answer: ${text}`);
  const isGiven = given !== undefined;
  const element = button(isGiven ? 'Take back' : 'Answer', () =>
    answer(key, isGiven && field.value === given ? undefined : field.value),
  );
  element.setAttribute('aria-label', `${isGiven ? 'Take back' : 'Answer'}: ${text}`);
  element.dataset['answer'] = key;
  return [field, element];
}

function sentence(text: string): string {
  return `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`;
}
