import { advice } from '../shared/advice';

/** What a regular expression has that looks for line ends. */
const LINE_ENDS = /\\n|\(\?[a-z]*[ms][a-z]*[:)]/;

export default advice({
  id: 'regex-newline',
  changes: ['C28'],
  title: 'Regular expressions that look for line ends',
  why: 'Since 2.4.30 a dot matches line ends too, and $ no longer matches before a last one. RegexDefaultOptions -DOTALL -DOLLAR_ENDONLY brings the old way back.',
  docs: ['core: RegexDefaultOptions'],
  names: ['AliasMatch', 'RedirectMatch', 'RewriteCond', 'RewriteRule', 'SetEnvIf', 'SetEnvIfNoCase'],
  tell: (node) =>
    LINE_ENDS.test(node.rest) && node.args.some(({ value }) => LINE_ENDS.test(value))
      ? {
          level: 'info',
          message:
            'this regular expression looks for line ends: since 2.4.30 a dot matches them, and $ does not match before a last one (RegexDefaultOptions)',
        }
      : undefined,
});
