import type { Excerpt, Explanation } from '../../../access/explain';
import { ANSWER_WORDS, type Explained, type ExplainedMessage } from '../../../ask';
import type { RunResult } from '../../../engine/types';
import { jsonOfBytes } from '../../../report';

/** The shape of the document; raised when a field changes its meaning or goes. */
const VERSION = 1;

/** The explanations as one JSON document, in UTF-8, as a byte string. */
export function explanationsJson(
  answers: readonly (Explained | ExplainedMessage)[],
  result: RunResult,
  exitStatus: number,
): string {
  const report = {
    version: VERSION,
    explanations: answers.map((answer) => {
      if ('groups' in answer) return messageReport(answer);
      const { asked, explanation } = answer;
      const { groups, env, headers, ...question } = asked.question;
      return {
        request: {
          text: asked.text,
          ...question,
          groups: [...groups],
          env: [...env],
          headers: Object.fromEntries(headers ?? []),
          assumed: [...asked.assumed, ...explanation.assumed],
        },
        url: explanation.located.uri,
        file: explanation.located.filename,
        mapped: explanation.located.by,
        server: explanation.server ?? null,
        logged: asked.logged?.answer,
        // Where lines of 2.2 and of 2.4 meet, only a 2.4 with mod_access_compat reads the configuration.
        before: explanation.v22.reading,
        httpd22: side(explanation.v22, explanation.decidedBy.before),
        httpd24: side(explanation.v24, explanation.decidedBy.after),
        withCompat: explanation.v24.compat && ANSWER_WORDS[explanation.v24.compat],
        otherwise: explanation.otherwise.map(({ when, v22, v24 }) => ({
          when,
          httpd22: ANSWER_WORDS[v22],
          httpd24: ANSWER_WORDS[v24],
        })),
        agree: explanation.agree,
        unknown: explanation.unknown,
      };
    }),
    filesChanged: result.plan.length,
    exitStatus,
  };
  return jsonOfBytes(report);
}

function messageReport({ text, groups }: ExplainedMessage): object {
  const messages = groups.map(({ explanation, places }) => ({
    rule: explanation.rule?.id,
    remedy: explanation.remedy,
    places: places.map(({ name, line }) => ({ file: name, line })),
  }));
  return { message: text, messages };
}

function side(
  { answer, why, steps }: Explanation['v22'] | Explanation['v24'],
  excerpts: readonly Excerpt[],
): object {
  return {
    answer: ANSWER_WORDS[answer],
    why,
    decidedBy: excerpts.map(({ file, lines }) => ({
      file,
      lines: lines.flatMap(({ line, mark }) => (mark === 'decides' ? line : [])),
    })),
    sections: steps.map((step) => ({ ...step, answer: ANSWER_WORDS[step.answer] })),
  };
}
