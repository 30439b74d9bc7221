import { findsPattern } from '../../src/regex';
import { isKnownIn } from '../../src/httpd/lifespan';
import { type Release, nameOf } from '../../src/httpd/release';
import { quoteWord } from '../../src/syntax';
import { lineRule } from '../common/line-rule';
import { isUnknown } from '../common/lines';
import { patternForPcre2 } from '../common/words';

export default lineRule({
  id: 'filter-provider',
  changes: ['F02'],
  title: 'FilterProvider takes an expression',
  stops: true,
  why: 'In 2.2, FilterProvider names a header or variable and what it must match. 2.4 takes one expression instead and refuses the old form.',
  docs: ['mod_filter: FilterProvider', 'modules/filters/mod_filter.c: filter_provider'],
  directives: ['FilterProvider'],
  findingFor(node, _, { target }) {
    const [, , dispatch, match, extra] = node.args;
    // A line of three words has the form of 2.4 already.
    if (dispatch === undefined || match === undefined) return undefined;
    const expression =
      extra !== undefined
        ? { why: 'it has more than four words, which 2.2 refuses as well' }
        : isUnknown(dispatch.value + match.value)
          ? { why: 'it contains a variable' }
          : dispatchExpression(dispatch.value, match.value, target);
    if (typeof expression !== 'string')
      return {
        level: 'error',
        message: `FilterProvider takes an expression in 2.4; this one cannot be rewritten: ${expression.why}`,
      };
    // 2.2 names the handler of a file without a media type after DefaultType, 2.4 does not: a test for no handler may differ.
    const isForNoHandler = expression.startsWith('! (-n %{HANDLER}');
    const addsVary = expression.includes(`req('`);
    const differs = isForNoHandler ? '; the result differs only for files without a media type' : '';
    const vary = addsVary
      ? `; ${nameOf(target)} has no req_novary() yet, and req() adds the header to Vary`
      : '';
    return {
      level: 'error',
      safety: isForNoHandler || addsVary ? 'review' : 'safe',
      message: `FilterProvider takes an expression in 2.4${differs}${vary}`,
      edits: [{ start: dispatch.start, end: match.end, text: quoteWord(expression) }],
    };
  },
});

/** Why a dispatch and a match have no equivalent expression, as the end of a message. */
interface Untranslatable {
  readonly why: string;
}

/**
 * The last two arguments of FilterProvider as an expression of 2.4 with the same meaning. In 2.2, an absent header, media type or
 * handler never matches, and so it always matches with `!`.
 *
 * @param dispatch `req=`, `resp=` or `env=` and a name, `handler`, or the name of a response header
 * @param match `[!]` and one of `<n <=n >n >=n =n`, `/regex/flags`, `*`, `$part`, or a whole value
 * @see modules/filters/mod_filter.c of 2.2: filter_provider, filter_lookup
 */
function dispatchExpression(dispatch: string, match: string, target: Release): string | Untranslatable {
  const value = operandOf(dispatch, target);
  if (typeof value !== 'string') return value;
  const not = match.startsWith('!');
  const test = testOf(value, not ? match.slice(1) : match);
  if (typeof test !== 'string') return test;
  return not ? `! (${test})` : test;
}

/** req_novary, which like 2.2 adds nothing to Vary; req for a release that does not have it. */
function headerFunction(target: Release): string {
  return isKnownIn('function', 'req_novary', target) ? 'req_novary' : 'req';
}

function operandOf(dispatch: string, target: Release): string | Untranslatable {
  const equals = dispatch.indexOf('=');
  const name = dispatch.slice(equals + 1);
  const table = equals < 0 ? '' : dispatch.slice(0, equals).toLowerCase();
  if (name === '' || /['\\$%]/.test(name)) return { why: `'${dispatch}' cannot be named in an expression` };
  if (equals < 0 && name.toLowerCase() === 'handler') return '%{HANDLER}';
  if (table === 'req') return `${headerFunction(target)}('${name}')`;
  if (table === 'env') return `reqenv('${name}')`;
  if (table !== 'resp' && table !== '') return { why: `2.2 refuses the dispatch '${dispatch}' as well` };
  return name.toLowerCase() === 'content-type' ? '%{CONTENT_TYPE}' : `resp('${name}')`;
}

const COMPARE: Readonly<Record<string, string>> = {
  '<': '-lt',
  '<=': '-le',
  '>': '-gt',
  '>=': '-ge',
  '=': '-eq',
};

function testOf(value: string, match: string): string | Untranslatable {
  const number = /^([<>]=?|=)(.*)$/.exec(match);
  if (number !== null) {
    // As atoi reads it.
    const digits = /^[ \t]*([+-]?[0-9]+)/.exec(number[2]!)?.[1] ?? '0';
    return `-n ${value} && ${value} ${COMPARE[number[1]!]} ${digits.startsWith('-') ? `'${digits}'` : digits.replace('+', '')}`;
  }
  if (match === '' || match === '*' || match.startsWith('*') || match === '$') return `-n ${value}`;
  if (match.startsWith('/')) {
    const end = match.lastIndexOf('/');
    if (end === 0) return { why: `2.2 refuses the match '${match}' as well` };
    return regexTest(value, match.slice(1, end), match.slice(end + 1).includes('i'));
  }
  if (match.startsWith('$')) return regexTest(value, escapeRegex(match.slice(1)), true);
  return regexTest(value, `^${escapeRegex(match)}$`, true);
}

/** Delimiters that an expression accepts around a regular expression; `#` is the usual one. */
const DELIMITERS = '#/|!,;:_-^?';

function regexTest(value: string, pattern: string, ignoreCase: boolean): string | Untranslatable {
  const regex = patternForPcre2(pattern) ?? pattern;
  const delimiter = DELIMITERS.split('').find((char) => !regex.includes(char));
  if (delimiter === undefined)
    return { why: 'the regular expression contains every delimiter that an expression accepts' };
  const test = `${value} =~ m${delimiter}${regex}${delimiter}${ignoreCase ? 'i' : ''}`;
  return matchesEmptyText(regex) ? `-n ${value} && ${test}` : test;
}

/** Whether a regular expression may match an empty text, which is what 2.4 reads for an absent header. */
function matchesEmptyText(regex: string): boolean {
  return findsPattern(regex, '') !== false;
}

function escapeRegex(text: string): string {
  return text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');
}
