import { placeCondition } from '../../src/config';
import { defineTransform } from '../../src/engine';
import { PATTERN_CHANGES, PCRE2_SINCE } from '../../src/httpd/pcre2';
import { FACTS } from '../../src/httpd/facts';
import { regexFlaw } from './regex-refused';
import { patternForPcre2, patternParts } from '../common/words';
import { eachPattern, patternEdits } from './regex-words';
import { asWrittenFor24, isWrittenFor24 } from '../common/written-for';

export default defineTransform({
  id: 'regex-pcre2',
  changes: [],
  title: 'Regular expressions that PCRE2 reads differently',
  why: `Since ${PCRE2_SINCE} most builds of httpd use PCRE2. It refuses, or reads differently, some patterns that PCRE 8 accepted: a hyphen beside \\w in brackets, a backslash before a letter to which it gives no meaning, {,3}. The form written here means the same in both.`,
  docs: ['pcre2compat', 'pcre2pattern', 'server/util_pcre.c: ap_regcomp'],
  lifeSpan: FACTS.pcre2,
  run(context) {
    eachPattern(context, (pattern, node, place) => {
      const parts = patternParts(pattern.text);
      if (parts.length === 0 || regexFlaw(pattern.text) !== undefined) return;
      if (placeCondition(place.chain, context.tree.defines).on24 === false) return;
      const refused = parts.some(({ kind }) => PATTERN_CHANGES[kind].refused);
      const replacement = patternForPcre2(pattern.text);
      const explanations = [
        ...new Set(parts.map(({ kind, found }) => PATTERN_CHANGES[kind].says(found))),
      ].join('; ');
      const regex = `the regular expression ${pattern.text}`;
      const problem = refused ? `refuses ${regex}` : `reads ${regex} differently`;
      const since = parts.map(({ kind }) => PATTERN_CHANGES[kind].since).sort()[0]!;
      const finding = {
        file: place.file,
        at: (node.kind === 'section' ? node.open : node).from,
        level: refused && since < '10.43' ? ('error' as const) : ('warning' as const),
        safety: replacement === undefined ? ('manual' as const) : ('safe' as const),
        message: `PCRE2${since < '10.30' ? '' : ` from ${since} on`}, which most builds of 2.4 use since ${PCRE2_SINCE}, ${problem}: ${explanations}${replacement === undefined ? '; write it in another way' : ''}`,
        edits: replacement === undefined ? [] : patternEdits(place.file.document.text, pattern),
      };
      context.report(
        !refused && isWrittenFor24(context, place) ? { ...finding, ...asWrittenFor24(finding) } : finding,
      );
    });
  },
});
