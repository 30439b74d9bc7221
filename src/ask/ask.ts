import { explain, type Explanation } from '../access/explain';
import type { AccessAnswer } from '../access/primitives';
import type { RereadableTree } from '../config/types';
import { TreeIndex, treeAfter } from '../engine';
import type { RunResult, Transform } from '../engine/types';
import { encode, shownLine, shownText } from '../report';
import { MessageAnswers } from './answers';
import { deniedText } from './denied';
import { ANSWER_TEXTS, doubts, explanationText, head, step22, step24, verdict } from './explanation-text';
import { DENIED, groupMessages, groupText } from './messages';
import { type AskedRequest, parseQuestion, QuestionError } from './question';
import { type Obstacles, obstaclesTo } from './starting';

/** A run that is asked about. */
export interface AskedRun {
  readonly loaded: RereadableTree;
  readonly result: RunResult;
  readonly transforms: readonly Transform[];
}

/** What a version of httpd does with a request, `none` where it does not start: decoded texts, for people. */
export interface VersionReply {
  /** For instance `2.4, with the new text`. */
  readonly version: string;
  readonly answer: 'admitted' | 'unauthorized' | 'forbidden' | 'error' | 'unknown' | 'none';
  /** The answer of a 2.4 with mod_access_compat, where without it the text cannot be read. */
  readonly withCompat?: VersionReply['answer'];
  /** The answer with its reason. */
  readonly text: string;
  /** The sections that it merges, in their order: lines, the inner ones indented. */
  readonly sections: readonly string[];
}

export interface RequestReply {
  readonly kind: 'request';
  /** The request in words, and what is taken for granted about it. */
  readonly asked: readonly string[];
  /** 2.2 and 2.4 with the old text, then 2.4 with the new. */
  readonly versions: readonly VersionReply[];
  readonly agree: boolean;
  readonly verdict: string;
  /** Why the answers may be others: what hangs on a condition, or is not known. */
  readonly doubts: readonly string[];
  /** All of it, as `httpd-codemod --explain` prints it. */
  readonly text: string;
}

/** What is said to a text that asks about a run. */
export type Reply =
  | RequestReply
  /** Messages of httpd, explained as `httpd-codemod why` does. */
  | { readonly kind: 'message'; readonly text: string }
  /** Nothing is known to that text. */
  | { readonly kind: 'unknown'; readonly text: string };

/**
 * Answers a text: a request in words, a path, a URL, a line of an access log, or messages of httpd.
 * @param text decoded
 */
export function ask({ loaded, result, transforms }: AskedRun, text: string): Reply {
  const bytes = encode(text.trim());
  const messages = messageText(bytes, { loaded, result, transforms });
  try {
    const asked = bytes.includes('\n') ? undefined : parseQuestion(bytes);
    // An error log's line about a request has a remedy, too.
    if (asked !== undefined && messages === undefined) return replyTo(asked, loaded, result);
  } catch (error) {
    if (!(error instanceof QuestionError)) throw error;
    if (messages === undefined) return { kind: 'unknown', text: shownText(error.message) };
  }
  if (messages !== undefined) return { kind: 'message', text: messages };
  return {
    kind: 'unknown',
    text: 'this is no request, and no message that an upgrade from 2.2 is known to bring about',
  };
}

/** What documents call an answer. */
export const ANSWER_WORDS: Readonly<Record<AccessAnswer, VersionReply['answer']>> = {
  P: 'admitted',
  U: 'unauthorized',
  F: 'forbidden',
  E: 'error',
  '?': 'unknown',
};

function replyTo(asked: AskedRequest, { reread }: RereadableTree, result: RunResult): Reply {
  const { tree, plan } = result;
  const after = treeAfter(result, reread);
  const explanation = explain(tree, after, asked.question);
  const old = plan.length === 0 ? explanation : explain(tree, tree, asked.question);
  if (explanation === undefined || old === undefined)
    return { kind: 'unknown', text: `no virtual host is called ${shownText(asked.question.vhost ?? '')}` };
  const { v22, located } = explanation;
  const unchanged = { ...result, plan: [] };
  const now = obstaclesTo(result, located.filename, 'new');
  return {
    kind: 'request',
    asked: head(asked, explanation).map(shownText),
    versions: [
      {
        version: v22.reading === '2.2' ? '2.2' : '2.4 with mod_access_compat, today',
        answer: ANSWER_WORDS[v22.answer],
        text: shownText(`${ANSWER_TEXTS[v22.answer]}: ${v22.why}`),
        sections: v22.steps.flatMap((step) => step22(step, v22.reading)).map(shownText),
      },
      reply24('2.4 with the old text', old, unchanged, obstaclesTo(result, located.filename, 'old')),
      reply24(
        plan.length > 0 ? '2.4 with the new text' : '2.4: nothing to rewrite',
        explanation,
        result,
        now,
      ),
    ],
    agree: explanation.agree,
    verdict: verdict(explanation, now),
    doubts: doubts(explanation).map(shownText),
    text: explanationText({ asked, explanation }, result).split('\n').map(shownLine).join('\n'),
  };
}

function reply24(
  version: string,
  { v24 }: Explanation,
  result: RunResult,
  { refused, compat }: Obstacles,
): VersionReply {
  const sections = v24.steps.flatMap((step) => step24(step, result)).map(shownText);
  const answered = `${ANSWER_TEXTS[v24.answer]}: ${v24.why}`;
  if (refused !== undefined) {
    const text = v24.compat === undefined ? `${refused.text}; without that, it ${answered}` : refused.text;
    return { version, answer: refused.answer, text: shownText(text), sections };
  }
  const withIt = v24.compat ?? (compat === undefined ? undefined : v24.answer);
  if (withIt === undefined)
    return {
      version,
      answer: ANSWER_WORDS[v24.answer],
      text: shownText(answered),
      sections,
    };
  const lacks = compat === undefined ? v24.why : `does not start without mod_access_compat: see ${compat}`;
  return {
    version,
    answer: 'unknown',
    withCompat: ANSWER_WORDS[withIt],
    text: shownText(`${lacks}; with it, it ${ANSWER_TEXTS[withIt]}`),
    sections,
  };
}

/** What is known of messages of httpd; undefined where a text has none. */
function messageText(bytes: string, { loaded, result, transforms }: AskedRun): string | undefined {
  const { tree } = loaded;
  const { groups } = groupMessages(bytes, transforms, { tree, index: new TreeIndex(tree) });
  if (groups.length === 0) return undefined;
  const answers = new MessageAnswers(loaded, transforms, result);
  const parts = groups.map((group) => {
    const { line, requests, places } = group;
    const logged = requests.map(({ request }) => request);
    const denied = DENIED.test(line) ? deniedText(line, logged, answers, loaded.reread) : '';
    return groupText(group) + denied + answers.textFor(places);
  });
  return parts.join('\n').split('\n').map(shownLine).join('\n');
}
