import { defineTransform } from '../../src/engine';
import { livesIn, nameOf } from '../../src/httpd/release';
import { SPANNED_WORDS } from '../../src/httpd/words';
import { reportLines } from '../common/lines';

/** Words that 2.2 accepts and some releases of 2.4 do not. */
const WORDS = SPANNED_WORDS.filter(({ in22 }) => in22 === true);

export default defineTransform({
  id: 'later-word',
  changes: [],
  title: 'Words that late releases of 2.2 know and early releases of 2.4 do not',
  stops: true,
  why: 'Some words were added to 2.4 and to late releases of 2.2. An older 2.4 refuses such a word or reads it as something else.',
  docs: ['src/httpd/words.ts: every word with its source'],
  advisory: true,
  run(context) {
    const { target } = context;
    for (const word of WORDS)
      if (!livesIn(word, target))
        reportLines(context, word.names, (node) => {
          const argument = node.args.find(({ value }) => word.pattern.test(value))?.value;
          if (argument === undefined) return undefined;
          return {
            level: word.misread === true ? 'warning' : 'error',
            message: `${nameOf(target)} ${word.misread === true ? 'reads' : 'does not start with'} ${word.pattern.exec(argument)![0].replace(/=$/, '')}${word.misread === true ? ' as something else' : ''}: ${node.name} accepts it since ${nameOf(word.since!)} only; use that release or a later one, or write the line without it`,
          };
        });
  },
});
