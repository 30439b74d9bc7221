import { type ConfigFile, type Frame, placeCondition } from '../src/config';
import { defineTransform } from '../src/engine';
import type { Directive, Section } from '../src/syntax';
import { regexFlaw } from './regex-refused-why';
import { PATTERN_DIRECTIVES, PATTERN_SECTIONS } from './regex-words';

export default defineTransform({
  id: 'regex-refused',
  seed: [],
  title: 'Regular expressions that httpd refuses',
  why: 'httpd does not start with a regular expression that PCRE cannot read, and answers 500 where one stands in a .htaccess. 2.2 did the same: such a line has not been in use, or in another place than where it stands. A * alone is a pattern for file names, not a regular expression.',
  docs: ['core: <FilesMatch>', 'server/core.c: filesection', 'server/util_pcre.c: ap_regcomp'],
  advisory: true,
  directives: [],
  run(context) {
    const tell = (node: Directive | Section, chain: readonly Frame[], file: ConfigFile, regex: string): void => {
      const why = regex === '' ? undefined : regexFlaw(regex);
      if (why === undefined || placeCondition(chain, context.tree.defines).on24 === false) return;
      context.report({
        file,
        at: (node.kind === 'section' ? node.open : node).from,
        level: 'error',
        safety: 'manual',
        message: `httpd refuses the regular expression ${regex}, as 2.2 did: ${why}${regex === '*' ? '; .* matches everything' : ''}`,
        edits: [],
      });
    }; // prettier-ignore
    for (const [name, pick] of Object.entries(PATTERN_SECTIONS))
      context.sections([name], (node, { chain, file }) => {
        for (const pattern of pick(node)) if (pattern !== undefined) tell(node, chain, file, pattern.text);
      });
    for (const [name, pick] of Object.entries(PATTERN_DIRECTIVES))
      context.directives([name], (node, { chain, file }) => {
        for (const pattern of pick(node))
          if (pattern !== undefined && pattern.expression !== true) tell(node, chain, file, pattern.text);
      });
  },
});
