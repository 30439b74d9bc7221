import type { Reply, RequestReply, VersionReply } from '../src';
import { make } from './dom';
import { sentence } from './questions';

const WORDS: Readonly<Record<VersionReply['answer'], string>> = {
  admitted: 'lets it in',
  unauthorized: 'asks for a password',
  forbidden: 'refuses it',
  error: 'answers 500',
  unknown: 'not known',
  none: 'does not start',
};

const HINT = 'Paste a line of a log, or ask as in: ';
const EXAMPLE = 'GET /private/ from 10.1.2.3 as alice';

/** The answer to what was asked, as elements. */
export function replyElement(reply: Reply): HTMLElement {
  if (reply.kind === 'unknown')
    return make(
      'p',
      '',
      make('strong', 'open', sentence(reply.text)),
      make('br', ''),
      HINT,
      make('code', '', EXAMPLE),
    );
  if (reply.kind === 'message') return preformatted('said', reply.text.trimEnd().split('\n'));
  return requestElement(reply);
}

/** Columns up to which what is wrapped is indented: on a phone, no line would have room behind more. */
const DEEPEST = 8;

/** Lines as they are, each wrapped below its own beginning: at the margin stands only what begins there. */
function preformatted(className: string, lines: readonly string[]): HTMLElement {
  return make(
    'pre',
    className,
    ...lines.map((line) => {
      const row = make('span', 'row', line);
      row.style.setProperty('--hang', `${Math.min(/^[ >|+-]*/.exec(line)![0].length, DEEPEST) + 2}ch`);
      return row;
    }),
  );
}

/** What each section says; where all is alike and known, nobody has to read it to know the answer. */
function sectionsElement(sections: readonly string[], isFolded: boolean): HTMLElement {
  const lines = sections.flatMap((part) => part.split('\n'));
  const element = make('details', '', make('summary', 'dim', 'Section by section'), preformatted('', lines));
  element.open = !isFolded;
  return element;
}

function requestElement({ asked, versions, verdict, agree, doubts }: RequestReply): HTMLElement {
  const [request = '', ...taken] = asked;
  const isAlike = versions[0]?.answer === versions.at(-1)?.answer;
  const columns = versions.map(({ version, answer, withCompat, text, sections }) =>
    make(
      'section',
      `version ${answer}`,
      make('h3', '', version),
      make(
        'p',
        'answer',
        withCompat === undefined ? WORDS[answer] : `only with mod_access_compat: ${WORDS[withCompat]}`,
      ),
      make('p', 'dim', text),
      sections.length === 0
        ? make('p', 'dim', 'No section says anything about it.')
        : sectionsElement(sections, agree && doubts.length === 0),
    ),
  );
  for (const pre of columns.flatMap((column) => [...column.querySelectorAll('pre')])) pre.tabIndex = 0;
  const all = make(
    'div',
    '',
    make(
      'p',
      agree && isAlike ? 'applied' : agree || isAlike ? 'open' : 'blocker',
      make('strong', '', verdict),
    ),
    ...doubts.map((text) => make('p', 'dim', text)),
    make('p', '', make('strong', '', request)),
  );
  // Which server is asked comes before its answers.
  if (taken.length > 0)
    all.append(
      preformatted(
        'dim taken',
        taken.map((line) => line.trim()),
      ),
    );
  all.append(make('div', 'versions', ...columns));
  return all;
}
