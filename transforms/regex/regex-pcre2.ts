import { type Place, placeCondition } from '../../src/config';
import { defineTransform } from '../../src/engine';
import { PATTERN_CHANGES, PCRE2_SINCE } from '../../src/httpd/pcre2';
import { FACTS } from '../../src/httpd/facts';
import type { Directive, Section } from '../../src/syntax';
import { regexFlaw } from './regex-refused';
import { patternForPcre2, patternParts } from '../shared/pattern';
import { PATTERN_DIRECTIVES, PATTERN_SECTIONS, type Pattern, patternEdits } from './regex-words';
import { asWrittenFor24, isWrittenFor24 } from '../shared/written-for';

export default defineTransform({
  id: 'regex-pcre2',
  changes: [],
  title: 'Regular expressions that PCRE2 reads in another way',
  why: `Since ${PCRE2_SINCE} most builds of httpd use PCRE2, which refuses or reads otherwise some of what PCRE 8 took: a hyphen beside \\w in brackets, a backslash before a letter that means nothing, {,3}. The form written here means the same in both.`,
  docs: ['pcre2compat', 'pcre2pattern', 'server/util_pcre.c: ap_regcomp'],
  lifeSpan: FACTS.pcre2,
  directives: [],
  run(context) {
    const checkPattern = (node: Directive | Section, place: Place, pattern: Pattern): void => {
      const parts = patternParts(pattern.text);
      if (parts.length === 0 || regexFlaw(pattern.text) !== undefined) return;
      if (placeCondition(place.chain, context.tree.defines).on24 === false) return;
      const refused = parts.some(({ kind }) => PATTERN_CHANGES[kind].refused);
      const replacement = patternForPcre2(pattern.text);
      const explanations = [...new Set(parts.map(({ kind, found }) => PATTERN_CHANGES[kind].says(found)))].join('; ');
      const verb = refused ? 'refuses' : 'reads in another way';
      const since = parts.map(({ kind }) => PATTERN_CHANGES[kind].since).sort()[0]!;
      const finding = {
        file: place.file,
        at: (node.kind === 'section' ? node.open : node).from,
        level: refused && since < '10.43' ? ('error' as const) : ('warning' as const),
        safety: replacement === undefined ? ('manual' as const) : ('safe' as const),
        message: `PCRE2${since < '10.30' ? '' : ` from ${since} on`}, which most builds of 2.4 use since ${PCRE2_SINCE}, ${verb} the regular expression ${pattern.text}: ${explanations}${replacement === undefined ? '; write it another way' : ''}`,
        edits: replacement === undefined ? [] : patternEdits(place.file.document.text, pattern),
      };
      context.report(!refused && isWrittenFor24(context, place) ? { ...finding, ...asWrittenFor24(finding) } : finding);
    }; // prettier-ignore
    for (const [name, patternsIn] of Object.entries(PATTERN_SECTIONS))
      context.sections([name], (node, place) => {
        for (const pattern of patternsIn(node)) if (pattern !== undefined) checkPattern(node, place, pattern);
      });
    for (const [name, patternsIn] of Object.entries(PATTERN_DIRECTIVES))
      context.directives([name], (node, place) => {
        for (const pattern of patternsIn(node)) if (pattern !== undefined) checkPattern(node, place, pattern);
      });
  },
});
