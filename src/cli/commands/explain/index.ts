import { explain } from '../../../access/explain';
import { type Reread, treeFor } from '../../../engine';
import type { RunResult } from '../../../engine/types';
import { OK, OPEN } from '../../output';
import type { Io } from '../../io';
import { type ConvertOptions } from '../../options';
import { UsageError } from '../../trouble';
import { explanationsJson } from './json';
import { type Explained, parseQuestion } from './question';
import { explanationText } from './text';

/**
 * Reads the requests; what it returns explains them once the run is through, and returns the exit status: 0 if both versions give each
 * the same answer, 1 if not, or if an answer cannot be told.
 * @throws UsageError
 */
export function prepareExplain(
  requests: readonly string[],
): (result: RunResult, reread: Reread, options: ConvertOptions, io: Io) => number {
  const questions = requests.map(parseQuestion);
  return (result, reread, { format }, io) => {
    const { tree, plan } = result;
    const texts = new Map(plan.map((change) => [change.file.path, change.text]));
    const after = plan.length === 0 ? tree : treeFor(reread(texts) ?? tree, tree);
    const answers = questions.map((asked): Explained => {
      const explanation = explain(tree, after, asked.question);
      if (explanation === undefined)
        throw new UsageError(
          `--explain '${asked.text}': no virtual host is called '${asked.question.vhost}'`,
        );
      return { asked, explanation };
    });
    const status = answers.every(({ explanation }) => explanation.agree) ? OK : OPEN;
    const text =
      format === 'json'
        ? explanationsJson(answers, result, status)
        : answers.map((answer) => explanationText(answer, result)).join('\n');
    io.stdout.write(text);
    return status;
  };
}
