import { type ConfigFile, type Frame, placeCondition } from '../src/config';
import { defineTransform } from '../src/engine';
import type { Directive, Section } from '../src/syntax';
import { regexFlaw } from './regex-refused-why';
import { rewriteWords } from './rewrite-words';

/** The word of a directive that is a regex; undefined where it has none. */
type Pick = (words: readonly string[], node: Directive | Section) => string | undefined;

const first: Pick = ([word]) => word;
const second: Pick = ([, word]) => word;
const afterTilde: Pick = ([tilde, word]) => (tilde === '~' ? word : undefined);
const withoutNot = (word: string | undefined): string | undefined => word?.replace(/^!/, '');

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
  RedirectMatch: ([one, two]) => (/^(?:[0-9]+|permanent|temp|seeother|gone)$/i.test(one ?? '') ? two : one),
  BrowserMatch: first,
  BrowserMatchNoCase: first,
  SetEnvIf: second,
  SetEnvIfNoCase: second,
  RewriteRule: (_, node) => withoutNot(rewriteWords(node as Directive)[0]?.text),
  RewriteCond: (_, node) => {
    const [subject, pattern] = rewriteWords(node as Directive).map(({ text }) => text);
    // What begins like an operator may be one, and so may anything after "expr".
    const regex = withoutNot(pattern);
    return regex === undefined || subject === 'expr' || /^[-<>=]/.test(regex) ? undefined : regex;
  },
};

export default defineTransform({
  id: 'regex-refused',
  seed: [],
  title: 'Regular expressions that httpd refuses',
  why: 'httpd does not start with a regular expression that PCRE cannot read, and answers 500 where one stands in a .htaccess. 2.2 did the same: such a line has not been in use, or in another place than where it stands. A * alone is a pattern for file names, not a regular expression.',
  docs: ['core: <FilesMatch>', 'server/core.c: filesection', 'server/util_pcre.c: ap_regcomp'],
  directives: [],
  run(context) {
    const tell = (node: Directive | Section, chain: readonly Frame[], file: ConfigFile, pick: Pick): void => {
      if (placeCondition(chain, context.tree.defines).on24 === false) return;
      const regex = pick(node.args.map(({ value }) => value), node);
      const why = regex === undefined || regex === '' ? undefined : regexFlaw(regex);
      if (why === undefined) return;
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
