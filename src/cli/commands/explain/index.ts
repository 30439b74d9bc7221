import { explain } from '../../../access/explain';
import {
  type AskedRequest,
  type Explained,
  type ExplainedMessage,
  explanationText,
  groupMessages,
  groupText,
  parseQuestion,
  QuestionError,
} from '../../../ask';
import { TreeIndex, treeAfter } from '../../../engine';
import type { Reread } from '../../../config/types';
import type { RunResult } from '../../../engine/types';
import { OK, OPEN } from '../../output';
import type { Io, Services } from '../../io';
import { type ConvertOptions } from '../../options';
import { UsageError } from '../../trouble';
import { explanationsJson } from './json';

/** What is printed once the run is through; the exit status. */
type Explainer = (result: RunResult, reread: Reread, options: ConvertOptions, io: Io) => number;

/**
 * Reads the requests; what it returns explains them once the run is through, and returns the exit status: 0 if both versions give
 * each the same answer, 1 if not, or if an answer cannot be told.
 * @throws UsageError
 */
export function prepareExplain(
  requests: readonly string[],
  { transforms }: Pick<Services, 'transforms'>,
): Explainer {
  const questions = requests.map((text) => read(text) ?? text);
  return (result, reread, { format }, io) => {
    const { tree } = result;
    const after = treeAfter(result, reread);
    const answerOf = (asked: AskedRequest): Explained => {
      const explanation = explain(tree, after, asked.question);
      if (explanation === undefined)
        throw new UsageError(
          `--explain '${asked.text}': no virtual host is called '${asked.question.vhost}'`,
        );
      return { asked, explanation };
    };
    const messageOf = (text: string): ExplainedMessage => {
      const { groups } = groupMessages(text, transforms, { tree, index: new TreeIndex(tree) });
      if (groups.length > 0) return { text, groups };
      throw new UsageError(
        `--explain '${text}': is no request, and no message that an upgrade from 2.2 is known to bring about`,
      );
    };
    const answers = questions.map((asked) =>
      typeof asked === 'string' ? messageOf(asked) : answerOf(asked),
    );
    const isOpen = (answer: Explained | ExplainedMessage): boolean =>
      'groups' in answer || !answer.explanation.agree;
    const status = answers.some(isOpen) ? OPEN : OK;
    const text =
      format === 'json'
        ? explanationsJson(answers, result, status)
        : answers
            .map((answer) =>
              'groups' in answer ? answer.groups.map(groupText).join('') : explanationText(answer, result),
            )
            .join('\n');
    io.stdout.write(text);
    return status;
  };
}

/** @throws UsageError for what is no request */
function read(text: string): AskedRequest | undefined {
  try {
    return parseQuestion(text);
  } catch (error) {
    if (!(error instanceof QuestionError)) throw error;
    throw new UsageError(`--explain '${error.text}': ${error.message}`);
  }
}
