import type { Place } from '../../src/config';
import type { Edit } from '../../src/edit';
import { type TransformContext, defineTransform } from '../../src/engine';
import { holds } from '../../src/httpd/facts';
import { lifeSpanOf } from '../../src/httpd/lifespan';
import { nameOf } from '../../src/httpd/release';
import type { Directive } from '../../src/syntax';
import { isCarriedOver, isUnknown } from '../common/lines';
import { patternForPcre2, patternParts, isExpression22, readTokens22, type Token22 } from '../common/words';
import { asWrittenFor24, isWrittenFor24 } from '../common/written-for';
import { extensionTests, unseenText } from './ssl-require-extensions';
import { type ExpressionRefusal, knownVariable, refusal24 } from './ssl-require-24';

export default defineTransform({
  id: 'ssl-require',
  changes: ['S08'],
  title: 'SSLRequire is read by the new expression parser',
  why: '2.4 reads SSLRequire with the expression parser of the whole server, in a compatible mode. That parser does not know OID(), accepts only some delimiters around a regular expression, refuses unknown variables and invalid escapes, and replaces variables and $1 in strings. From 2.4.69 on, it refuses file() in a .htaccess.',
  docs: [
    'mod_ssl: SSLRequire',
    'expr',
    'server/util_expr_scan.l',
    'server/util_expr_parse.y',
    'modules/ssl/ssl_expr_scan.l and ssl_expr_parse.y of 2.2',
    'CHANGES with 2.4.69: CVE-2026-59797',
  ],
  directives: ['SSLRequire'],
  run(context) {
    context.directives(['SSLRequire'], (node, place) => {
      if (isCarriedOver(place) && !isUnknown(node.rest)) check(context, node, place);
    });
  },
});

/** Expressions with more opening parentheses and braces than this are not examined. */
const MAX_PARENTHESES = 500;

/** The delimiters that 2.4 accepts around a regular expression, the most common first. */
const DELIMITERS = '#/,;:|!^?%$.-_'.split('');

function check(context: TransformContext, node: Directive, place: Place): void {
  const { logical, rest } = node;
  const common = { file: place.file, at: node.from, level: 'error' as const };
  const report = (message: string): void => context.report({ ...common, safety: 'manual', message });
  // Reading recurses for each of them, and no real configuration has so many.
  if ((rest.match(/[({]/g)?.length ?? 0) > MAX_PARENTHESES) return;
  const tokens = readTokens22(rest);
  if (tokens === undefined || !isExpression22(tokens)) {
    // An expression that 2.4 accepts was written for 2.4.
    const refusal = refusal24(rest);
    if (refusal !== undefined)
      report(`2.4 refuses this SSLRequire, as 2.2 did: ${refusal.reason}${hintFor(refusal)}`);
    return;
  }
  const mayReadFiles = holds('ssl-require-file-in-htaccess', context.target);
  if (!mayReadFiles && place.root.role === 'htaccess' && tokens.some(isFileFunction))
    report(
      '2.4.69 and later answer 500 if a .htaccess has file() in SSLRequire: move the line to the <Directory> of the server configuration',
    );
  const isEmpty = ({ kind, text }: Token22): boolean =>
    kind === 'variable' && knownVariable(text, context.target) !== 'old';
  const empty = tokens.find(isEmpty);
  if (empty !== undefined && isWrittenFor24(context, place))
    return reportVariable(context, common, empty.text);
  const extensions = extensionTests(tokens);
  if (extensions.some(({ printed }) => printed === undefined))
    return report(
      'whether 2.2 saw the extension that OID() asks for is not known: if its OpenSSL had no words for it, "in OID()" was always false (write false); else write PeerExtList() instead',
    );
  const reasons = new Set<string>();
  const unseen = extensions.filter(({ printed }) => printed === false);
  const replacements = tokens.flatMap((token, i) =>
    unseen.some(({ start, end }) => start <= token.start && token.start < end)
      ? []
      : isEmpty(token)
        ? [[token.start, token.end, '""', emptyText(token.text, context)] as const]
        : replacementsFor(token, tokens[i + 1]),
  );
  for (const { start, end, name } of unseen) replacements.push([start, end, 'false', unseenText(name)]);
  for (const [, , , explanation] of replacements) reasons.add(explanation);
  const reason = missingDelimiter(tokens) ?? refusal24(applyReplacements(rest, replacements))?.reason;
  if (reason !== undefined) return report(`2.4 refuses this SSLRequire: ${reason}`);
  if (replacements.length === 0) return;
  const offset = logical.text.length - rest.length;
  const edits = replacements.map(([start, end, text]): Edit => ({
    ...logical.span(offset + start, offset + end),
    text,
  }));
  context.report({ ...common, safety: 'safe', message: `SSLRequire: ${[...reasons].join('; ')}`, edits });
}

/** How to correct an expression that neither version accepts. */
function hintFor({ mistake }: ExpressionRefusal): string {
  if (mistake === 'string-alone') return '; remove the quotation marks around the expression';
  return mistake === 'oid-function' ? '; write the value first, as in "b" in PeerExtList("1.2.3")' : '';
}

const isFileFunction = ({ kind, text }: Token22): boolean => kind === 'word' && text === 'file';

type FindingStart = Pick<Parameters<TransformContext['report']>[0], 'file' | 'at' | 'level'>;

/** A variable that 2.2 did not know, in an expression whose author wrote it for 2.4. */
function reportVariable(context: TransformContext, common: FindingStart, name: string): void {
  const isKnown = knownVariable(name, context.target) === 'new';
  const message = isKnown
    ? `%{${name}} has a value in 2.4; in 2.2 it was always empty: write "" instead to keep it empty`
    : `${unknownIn(context, name)} and does not start; in 2.2 it was always empty: write "" instead, or the variable that was intended (%{HTTP:Name} for a header)`;
  const finding = { ...common, safety: 'manual', message, edits: [] } as const;
  context.report(isKnown ? asWrittenFor24(finding) : finding);
}

/** Why "" takes the place of a variable that was always empty in 2.2. */
function emptyText(name: string, context: TransformContext): string {
  const isKnown = knownVariable(name, context.target) === 'new';
  const now = isKnown ? `%{${name}} has a value in 2.4` : unknownIn(context, name);
  return `${now}; in 2.2 it was always empty, as "" is${isKnown ? '' : ' (if a header was meant, write %{HTTP:Name})'}`;
}

function unknownIn({ target }: TransformContext, name: string): string {
  const isLater = knownVariable(name, target) === undefined && knownVariable(name) === 'new';
  return isLater
    ? `${nameOf(target)} does not know %{${name}}, which 2.4 has since ${nameOf(lifeSpanOf('variable', name).since!)}`
    : `2.4 does not know %{${name}}`;
}

/** Why 2.4 refuses a regular expression for which no delimiter is left; undefined if there is none. */
function missingDelimiter(tokens: readonly Token22[]): string | undefined {
  const found = tokens.find(
    ({ kind, text, mark = '' }) =>
      kind === 'regex' && !isDelimiter24(mark) && otherDelimiter(text) === undefined,
  );
  return (
    found &&
    `it does not accept ${found.mark} around a regular expression, and this one contains every delimiter that it accepts`
  );
}

type Replacement = readonly [start: number, end: number, text: string, reason: string];

/** The text after the replacements. */
function applyReplacements(rest: string, replacements: readonly Replacement[]): string {
  let text = '';
  let at = 0;
  for (const [start, end, replacement] of [...replacements].sort(([a], [b]) => a - b)) {
    text += rest.slice(at, start) + replacement;
    at = end;
  }
  return text + rest.slice(at);
}

/** Only the last letter counts (2.4 ssl_engine_vars.c: ssl_var_lookup_ssl_cert). */
const inCapitals = (found: string): string => found.slice(0, -1) + found.slice(-1).toUpperCase();

function replacementsFor(token: Token22, next: Token22 | undefined): Replacement[] {
  const { kind, start, end, text } = token;
  if (kind === 'word' && /^oid$/i.test(text) && next?.text === '(')
    return [[start, end, 'PeerExtList', 'OID() is called PeerExtList() in 2.4']];
  const name =
    kind === 'variable' ? text.replace(/^(SSL_(?:CLIENT|SERVER)_[si])(?=_DN(?:_|$))/i, inCapitals) : text;
  if (name !== text)
    return [
      [
        start,
        end,
        `%{${name}}`,
        `2.4 knows %{${text}} only with ${/_I_DN/.test(name) ? 'a capital I' : 'a capital S'}`,
      ],
    ];
  if (kind === 'variable' && end - start !== text.length + 3)
    return [[start, end, `%{${text}}`, '2.4 allows no blanks in %{...}']];
  if (kind === 'string') {
    const reason = '2.4 would replace %{...} and $0 to $9 in a string';
    return [...text.matchAll(/\\[^]|%(?=\{)|[$](?=[0-9])/g)]
      .filter(([found]) => !found.startsWith('\\'))
      .map(({ index }): Replacement => [start + index, start + index, '\\', reason]);
  }
  return kind === 'regex' ? [...delimiterReplacements(token), ...pcre2Replacements(token)] : [];
}

/** The parts of a regular expression that PCRE2 does not read as PCRE 8 did, where their meaning is certain. */
function pcre2Replacements({ start, text }: Token22): Replacement[] {
  if (patternForPcre2(text) === undefined) return [];
  return patternParts(text).map((part): Replacement => [
    start + 2 + part.start,
    start + 2 + part.end,
    part.text ?? '',
    `PCRE2 does not read ${part.found} in a regular expression as PCRE 8 did`,
  ]);
}

/** Replaces the delimiters of a regular expression; none if 2.4 accepts them, or no other delimiter is left. */
function delimiterReplacements({ start, text, mark = '' }: Token22): Replacement[] {
  const newMark = isDelimiter24(mark) ? undefined : otherDelimiter(text);
  if (newMark === undefined) return [];
  const close = start + 2 + text.length;
  const reason = `2.4 does not accept ${mark} around a regular expression`;
  return [start + 1, close].map((at): Replacement => [at, at + 1, newMark, reason]);
}

const isDelimiter24 = (mark: string): boolean => `${DELIMITERS.join('')}'"`.includes(mark);

/** A delimiter that the expression does not contain. After m_, 2.4 would read letters as part of the word. */
function otherDelimiter(text: string): string | undefined {
  return DELIMITERS.find(
    (delimiter) => !text.includes(delimiter) && (delimiter !== '_' || /^[^A-Za-z0-9]/.test(text)),
  );
}
