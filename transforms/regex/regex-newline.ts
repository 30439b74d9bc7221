import { FACTS, holds, sinceRelease } from '../../src/httpd/facts';
import { advice } from '../common/advice';
import { withEscape } from '../common/seen-requests';

/** The parts of a regular expression that concern line ends: `\n`, and the options m and s. */
const LINE_ENDS = /\\n|\(\?[a-z]*[ms][a-z]*[:)]/;

export default advice({
  id: 'regex-newline',
  changes: ['C28'],
  title: 'Regular expressions that look for line ends',
  why: 'Since 2.4.30 $ no longer matches before a last line end, and since 2.4.42 a dot matches line ends too. RegexDefaultOptions -DOTALL -DOLLAR_ENDONLY restores what 2.2 did.',
  docs: ['core: RegexDefaultOptions'],
  lifeSpan: FACTS['regex-dollar-end'],
  names: ['AliasMatch', 'RedirectMatch', 'RewriteCond', 'RewriteRule', 'SetEnvIf', 'SetEnvIfNoCase'],
  level: 'info',
  concerns: withEscape('%0A'),
  messageFor: (node, _, __, target) =>
    LINE_ENDS.test(node.rest) && node.args.some(({ value }) => LINE_ENDS.test(value))
      ? `this regular expression looks for line ends: ${sinceRelease('regex-dollar-end')} $ does not match before the last line end${holds('regex-dotall', target) ? `, and ${sinceRelease('regex-dotall')} a dot matches line ends` : ''}; RegexDefaultOptions ${holds('regex-dotall', target) ? '-DOTALL ' : ''}-DOLLAR_ENDONLY restores what 2.2 did`
      : undefined,
});
