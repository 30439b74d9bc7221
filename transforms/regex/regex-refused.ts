import { type ConfigFile, type Frame, placeCondition } from '../../src/config';
import { defineTransform } from '../../src/engine';
import type { Directive, Section } from '../../src/syntax';
import { regexFlaw } from './regex-refused-why';
import { rewriteWords } from '../shared/rewrite-words';

/** The word of a directive that is a regex; undefined where it has none. */
type Pick = (node: Directive | Section) => string | undefined;

const first: Pick = ({ args }) => args[0]?.value;
const second: Pick = ({ args }) => args[1]?.value;
const afterTilde: Pick = ({ args }) => (args[0]?.value === '~' ? args[1]?.value : undefined);
const withoutNot = (word: string | undefined): string | undefined =>
  word?.startsWith('!') === true ? word.slice(1) : word;

const SECTIONS: Readonly<Record<string, Pick>> = {
  Directory: afterTilde,
  DirectoryMatch: first,
  Files: afterTilde,
  FilesMatch: first,
  Location: afterTilde,
  LocationMatch: first,
  Proxy: afterTilde,
  ProxyMatch: first,
};

const DIRECTIVES: Readonly<Record<string, Pick>> = {
  AliasMatch: first,
  ScriptAliasMatch: first,
  ProxyRemoteMatch: first,
  RedirectMatch: (node) =>
    (/^(?:[0-9]+|permanent|temp|seeother|gone)$/i.test(first(node) ?? '') ? second : first)(node),
  BrowserMatch: first,
  BrowserMatchNoCase: first,
  SetEnvIf: second,
  SetEnvIfNoCase: second,
  RewriteRule: (node) => withoutNot(rewriteWords(node as Directive)[0]?.text),
  RewriteCond: (node) => {
    const [subject, pattern] = rewriteWords(node as Directive);
    // What begins like an operator may be one, and so may anything after "expr".
    const regex = withoutNot(pattern?.text);
    return regex === undefined || subject!.text === 'expr' || /^[-<>=]/.test(regex) ? undefined : regex;
  },
};

export default defineTransform({
  id: 'regex-refused',
  seed: [],
  title: 'Regular expressions that httpd refuses',
  why: 'httpd does not start with a regular expression that PCRE cannot read, and answers 500 where one stands in a .htaccess. 2.2 did the same: such a line has not been in use, or in another place than where it stands. A * alone is a pattern for file names, not a regular expression.',
  docs: ['core: <FilesMatch>', 'server/core.c: filesection', 'server/util_pcre.c: ap_regcomp'],
  advisory: true,
  directives: [],
  run(context) {
    const tell = (node: Directive | Section, chain: readonly Frame[], file: ConfigFile, pick: Pick): void => {
      const regex = pick(node);
      const why = regex === undefined || regex === '' ? undefined : regexFlaw(regex);
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
    for (const [name, pick] of Object.entries(SECTIONS))
      context.sections([name], (node, { chain, file }) => tell(node, chain, file, pick));
    for (const [name, pick] of Object.entries(DIRECTIVES))
      context.directives([name], (node, { chain, file }) => tell(node, chain, file, pick));
  },
});
