import { defineTransform } from '../../src/engine';
import { livesIn, nameOf } from '../../src/httpd/release';
import { SPANNED_WORDS } from '../../src/httpd/words';
import { eachLine } from '../shared/lines';

/** What a line of 2.2 may have and a 2.4 may lack. */
const WORDS = SPANNED_WORDS.filter(({ in22 }) => in22 === true);

export default defineTransform({
  id: 'later-word',
  changes: [],
  title: 'Words that late releases of 2.2 have and early ones of 2.4 have not',
  why: 'What was added to 2.4 was added to late releases of 2.2 as well. A 2.4 that is older than that refuses the word, or takes it for something else.',
  docs: ['src/httpd/words.ts: each with its source'],
  advisory: true,
  directives: [],
  run(context) {
    const { target } = context;
    for (const word of WORDS)
      if (!livesIn(word, target))
        eachLine(context, word.names, (node, { file }) => {
          const found = node.args.find(({ value }) => word.pattern.test(value))?.value;
          if (found === undefined) return;
          context.report({
            file,
            at: node.from,
            level: word.misread === true ? 'warning' : 'error',
            safety: 'manual',
            message: `${nameOf(target)} does not know ${word.pattern.exec(found)![0].replace(/=$/, '')}${word.misread === true ? ', and takes it for something else' : ' and does not start'}: ${node.name} has it since ${nameOf(word.since!)} only`,
            edits: [],
          });
        });
  },
});
