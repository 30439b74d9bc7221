import type { Reply, RequestReply, VersionReply } from '../src';
import { make } from './dom';

const WORDS: Readonly<Record<VersionReply['answer'], string>> = {
  admitted: 'lets it in',
  unauthorized: 'asks for a password',
  forbidden: 'refuses it',
  error: 'answers 500',
  unknown: 'not known',
};

const HINT = 'Paste a line of a log, or ask as in: ';
const EXAMPLE = 'GET /private/ from 10.1.2.3 as alice';

/** The answer to what was asked, as elements. */
export function replyElement(reply: Reply): HTMLElement {
  if (reply.kind === 'unknown')
    return make('p', '', make('strong', 'open', reply.text), make('br', ''), HINT, make('code', '', EXAMPLE));
  if (reply.kind === 'message') return make('pre', 'said', reply.text);
  return requestElement(reply);
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
      ...(sections.length === 0
        ? [make('p', 'dim', 'No section says anything about it.')]
        : [make('pre', '', sections.join('\n'))]),
    ),
  );
  for (const pre of columns.flatMap((column) => [...column.querySelectorAll('pre')])) pre.tabIndex = 0;
  const all = make(
    'div',
    '',
    make('p', agree ? 'applied' : isAlike ? 'open' : 'blocker', make('strong', '', verdict)),
    ...doubts.map((text) => make('p', 'dim', text)),
    make('p', '', make('strong', '', request)),
  );
  // Which server is asked comes before its answers.
  if (taken.length > 0) all.append(make('pre', 'dim taken', taken.map((line) => line.trim()).join('\n')));
  all.append(make('div', 'versions', ...columns));
  return all;
}
