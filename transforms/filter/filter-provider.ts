import { defineTransform } from '../../src/engine';
import { quoteWord } from '../../src/syntax';
import { isCarriedOver, isUnknown } from '../shared/carried-over';
import { dispatchExpression } from './filter-provider-dispatch';

export default defineTransform({
  id: 'filter-provider',
  seed: ['s2.5', 'F02'],
  title: 'FilterProvider decides by an expression',
  why: '2.2 named a header or variable and what it must match; 2.4 takes one expression in their place and refuses the old form.',
  docs: ['mod_filter: FilterProvider', 'modules/filters/mod_filter.c: filter_provider'],
  directives: ['FilterProvider'],
  run(context) {
    context.directives(['FilterProvider'], (node, place) => {
      const [, , dispatch, match, more] = node.args;
      // Three words are what 2.4 takes.
      if (dispatch === undefined || match === undefined || !isCarriedOver(place)) return;
      const common = { file: place.file, at: node.from, level: 'error' as const };
      const expression =
        more !== undefined
          ? { why: '2.2 refuses more than four words, too' }
          : isUnknown(dispatch.value + match.value)
            ? { why: 'it holds a variable' }
            : dispatchExpression(dispatch.value, match.value);
      if (typeof expression !== 'string') {
        context.report({
          ...common,
          safety: 'manual',
          message: `FilterProvider takes an expression in 2.4; this one cannot be rewritten: ${expression.why}`,
          edits: [],
        });
        return;
      }
      // A file without a type has a handler of another name in 2.4: only the absence of one is told apart differently.
      const differs = expression.startsWith('! (-n %{HANDLER}');
      context.report({
        ...common,
        safety: differs ? 'review' : 'safe',
        message: differs
          ? 'FilterProvider takes an expression in 2.4; it is the same but for files without a media type'
          : 'FilterProvider takes an expression in 2.4',
        edits: [{ start: dispatch.start, end: match.end, text: quoteWord(expression) }],
      });
    });
  },
});
