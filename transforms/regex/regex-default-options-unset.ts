import { linesOf, serversOf } from '../../src/config';
import { insertAt } from '../../src/edit';
import { defineTransform, indexOf, type TransformContext } from '../../src/engine';
import { FACTS, holds, sinceRelease } from '../../src/httpd/facts';
import { isForAccess } from '../common/access-lines';
import { lineStart } from '../common/lines';
import { withEscape } from '../common/seen-requests';
import { isServerFor24 } from '../common/written-for';
import { type Token22, readTokens22 } from '../common/words';
import { eachPattern } from './regex-words';

/** Directives and sections whose patterns look at a part of the URL, which may hold a line end as %0A. */
const URL_PATTERNS =
  /^(?:aliasmatch|location|locationmatch|proxymatch|proxypassmatch|redirectmatch|rewritecond|rewriterule|scriptaliasmatch|setenvif|setenvifnocase)$/;

/** Sections that would differ for a file or directory whose name holds a line end. */
const FILE_PATTERNS = /^(?:directory|directorymatch|files|filesmatch)$/;

/** What a SetEnvIf looks at: headers and the other attributes of a request have no line ends. */
const URL_ATTRIBUTE = /^request_uri$|[^A-Za-z0-9_-]/i;

export default defineTransform({
  id: 'regex-default-options-unset',
  changes: ['C28'],
  title: 'Dots and $ in patterns, at line ends',
  why: 'In 2.2, $ in a pattern also matches before a last line end, and a dot matches anything but a line end. Since 2.4.30, $ matches only at the very end, and since 2.4.42 a dot matches line ends too, so a URL that holds one (%0A) can match where it did not, and the other way round. RegexDefaultOptions restores what 2.2 did: the line is written where a pattern decides who gets in, and with --pin-defaults.',
  docs: ['core: RegexDefaultOptions', 'server/util_pcre.c: ap_regcomp'],
  lifeSpan: FACTS['regex-dollar-end'],
  run(context) {
    const { main } = serversOf(context.tree);
    if (main?.whole !== true || linesOf(main, ['RegexDefaultOptions']).length > 0 || isServerFor24(context))
      return;
    const { differs, forAccess } = usesOf(context);
    if (!differs) return;
    const first = main.lines[0]?.path[0];
    const file = first?.file ?? main.file;
    const dots = holds('regex-dotall', context.target);
    const line = `RegexDefaultOptions ${dots ? '-DOTALL ' : ''}-DOLLAR_ENDONLY`;
    // Options are in force for the patterns below them.
    const edits =
      context.pinDefaults === true || forAccess !== undefined
        ? [insertAt(file.document, { node: first?.node, side: 'before' }, [line])]
        : [];
    context.report({
      file,
      at: lineStart(first?.node),
      level: forAccess === undefined ? 'info' : 'error',
      safety: edits.length > 0 ? 'safe' : 'manual',
      message: `RegexDefaultOptions is not set: ${dots ? `${sinceRelease('regex-dotall')} a dot in a pattern matches a line end, and ` : ''}${sinceRelease('regex-dollar-end')} $ does not match before one, which matters for URLs with %0A${forAccess === undefined ? '' : `, and decides who gets in at ${forAccess}`}${edits.length > 0 ? '; RegexDefaultOptions is added with what 2.2 did' : ' (--pin-defaults restores what 2.2 did)'}`,
      edits,
      concerns: withEscape('%0A'),
    });
  },
});

/** Whether a pattern may see a URL in another way, and the place of the first that does so around access lines. */
function usesOf(context: TransformContext): { readonly differs: boolean; readonly forAccess?: string } {
  let differs = false;
  let forAccess: string | undefined;
  eachPattern(context, ({ text }, node, { file }) => {
    const isSeen =
      URL_PATTERNS.test(node.key) || (context.pinDefaults === true && FILE_PATTERNS.test(node.key));
    if (!isSeen || !mayDiffer(text)) return;
    if (node.key.startsWith('setenvif') && !URL_ATTRIBUTE.test(node.args[0]?.value ?? '')) return;
    differs = true;
    if (
      node.kind === 'section' &&
      forAccess === undefined &&
      node.key.startsWith('location') &&
      isForAccess(node)
    )
      forAccess = `${file.name}:${file.document.positionAt(node.open.from).line}`;
  });
  // Whom a line of a `.htaccess` keeps out is kept out whatever the server's own files say.
  indexOf(context.tree).visitDirectives(['SSLRequire'], ({ rest, from }, { file }) => {
    const tokens = readTokens22(rest) ?? [];
    const isSeen = ({ kind, text }: Token22, i: number): boolean =>
      kind === 'regex' && mayDiffer(text) && mayHoldLineEnd(tokens[i - 2]);
    if (!tokens.some(isSeen)) return;
    differs = true;
    forAccess ??= `${file.name}:${file.document.positionAt(from).line}`;
  });
  return { differs, ...(forAccess === undefined ? {} : { forAccess }) };
}

/** Whether a word of SSLRequire may hold a line end: a URL's part, a whole certificate, or a file (its last token). */
const mayHoldLineEnd = (word: Token22 | undefined): boolean =>
  word?.kind === 'variable'
    ? /^(?:REQUEST_URI|REQUEST_FILENAME|SCRIPT_FILENAME|PATH_INFO|SSL_(?:CLIENT|SERVER)_CERT.*)$/i.test(
        word.text,
      )
    : word?.text === ')';

function mayDiffer(pattern: string): boolean {
  // What follows after the match has no effect.
  const read = pattern.replaceAll('\\\\', '').replace(/\.[*+]?$/, '');
  return /(?<!\\)[.$]/.test(read);
}
