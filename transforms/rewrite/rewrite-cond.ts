import type { Edit } from '../../src/edit';
import { lineRule } from '../common/line-rule';
import { type RewriteWord, flagsOf, rewriteWords } from '../common/words';

export default lineRule({
  id: 'rewrite-cond',
  changes: ['F12'],
  title: 'RewriteCond patterns that 2.4 reads as operators',
  why: '2.4 has more operators: >= and <=, -lt -le -eq -ge -gt -ne before a number, -h and -L, and the test string expr. In 2.2, >=5 means "greater than the text =5", and the others are regular expressions. 2.2 also ignores [NC] with < and >.',
  docs: ['mod_rewrite: RewriteCond', 'modules/mappers/mod_rewrite.c: cmd_rewritecond'],
  directives: ['RewriteCond'],
  onlyWhenUpgrading: true,
  findingFor(node) {
    const [input, pattern, flags] = rewriteWords(node);
    if (input === undefined || pattern === undefined) return undefined;
    const edits: Edit[] = [];
    const explanations: string[] = [];
    if (input.text.toLowerCase() === 'expr') {
      edits.push({ start: input.start, end: input.start, text: '\\' });
      explanations.push(
        '2.4 reads an expression after the test string expr; 2.2 read text, which \\expr preserves',
      );
    }
    // Two equals signs are what this rule writes; nobody wrote them for 2.2.
    const compare = /^(!?)([<>])=(?!=)/.exec(pattern.text);
    if (compare !== null) {
      const flipped = `${compare[1] === '' ? '!' : ''}${compare[2] === '>' ? '<' : '>'}==`;
      edits.push({ start: pattern.start, end: pattern.start + compare[0].length, text: flipped });
      explanations.push(
        `in 2.2, ${pattern.text} compares with the text ${pattern.text.slice(compare[0].length - 1)}, as ${flipped}${pattern.text.slice(compare[0].length)} does in 2.4; if "at least" or "at most" was intended, keep the old pattern, which means that in 2.4`,
      );
    }
    const operator = /^!?-(?:(?:lt|le|eq|ge|gt|ne).|[hL]$)/.exec(pattern.text);
    if (operator !== null) {
      const at = pattern.start + pattern.text.indexOf('-');
      edits.push({ start: at, end: at + 1, text: '[-]' });
      explanations.push(
        `2.4 reads ${operator[0].replace('!', '').slice(0, 3)} as an operator; 2.2 read a regular expression, which [-] preserves`,
      );
    }
    if (/^!?[<>]./.test(pattern.text) && flags !== undefined) {
      const edit = withoutNoCase(flags, pattern.end);
      if (edit !== undefined) {
        edits.push(edit);
        explanations.push(
          '2.2 ignored [NC] with < and >, so it is removed: with it, 2.4 ignores letter case and does not compare lengths first',
        );
      }
    }
    return edits.length === 0
      ? undefined
      : { level: 'warning', safety: 'safe', message: explanations.join('; '), edits };
  },
});

/** @param patternEnd where the pattern ends: if no flag is left, the blanks after the pattern are removed too */
function withoutNoCase(flags: RewriteWord, patternEnd: number): Edit | undefined {
  const allFlags = flagsOf(flags);
  const keptFlags = allFlags.filter(({ key }) => key !== 'nc' && key !== 'nocase');
  if (keptFlags.length === allFlags.length) return undefined;
  const { start, end } = flags;
  const text = keptFlags
    .map(({ key, value }) => (value === '' ? key.toUpperCase() : `${key.toUpperCase()}=${value}`))
    .join(',');
  return keptFlags.length === 0 ? { start: patternEnd, end, text: '' } : { start, end, text: `[${text}]` };
}
