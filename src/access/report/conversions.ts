import type { Frame } from '../../config';
import { type Edit, unwrap } from '../../edit';
import type { Section, Directive, Document } from '../../syntax';
import { type Scope, type ScopeLine, hasVersionBlocks, mayBeFilledIn, scopeName } from '../policy';
import { EMPTY_LIST, shortened, shownPath, lazy } from '../primitives';
import type { HostCopy, IncludedRemoval, ShutDirectory } from '../rewrite';
import { differenceText } from './differences';
import { type AccessFinding, type Findings, type RewrittenScope, manualFinding } from './findings';
import { type Refusal, remedyOf, unconvertedText } from './refusals';
import { placeOfRefusal } from './unconverted';
import type { SectionConversion, GroupOutcome } from './outcome';
import { letsNobodyInRemark, mixedSummary, openedStatusPageRemark, remarksOn } from './remarks';
import type { AccessRun } from './run-context';
import { checkText, strictMessage } from './strict-form';

const OF_BRANCH =
  'its lines for 2.4 say on their own what those for 2.2 say, but 2.2 joins these with what stands above them: they are rewritten to what 2.2 decides';

/** Says of each section of a group that changes what becomes of it. @returns the sections, with the name of the group */
export function reportConversions(outcome: GroupOutcome, findings: Findings): readonly RewrittenScope[] {
  const { met, run, conversions } = outcome;
  const [first] = conversions;
  if (first === undefined) return EMPTY_LIST;
  const group = groupName(first);
  // What requests come to has been told of before.
  const toTell =
    run.decidedEdits === undefined ? met : met.filter(({ unusedPart }) => unusedPart !== undefined);
  for (const finding of linesInIf(toTell, run)) findings.add({ ...finding, group });
  for (const finding of checksAlone(toTell, conversions, run)) findings.add(finding);
  const gone = new Set<Section>();
  const written: RewrittenScope[] = [];
  for (const conversion of conversions) {
    reportConversion(conversion, outcome, group, gone, findings);
    const { scope, file, edits, isBranch } = conversion;
    // What is not written needs no leave of an AllowOverride.
    if (!shutsDirectories(conversion)) written.push({ scope, file, edits, group, isBranch });
  }
  return written;
}

/** @param gone the blocks that sections before it are moved out of */
function reportConversion(
  conversion: SectionConversion,
  outcome: GroupOutcome,
  group: string,
  gone: Set<Section>,
  findings: Findings,
): void {
  const { run, inherited } = outcome;
  const { scope, edits, blocks, removals = [], copies = [], shuts = [], isBranch, strict } = conversion;
  // A section may say otherwise in some host alone, and stay as it stands.
  if (edits.length + blocks.length > 0) findings.add(conversionFinding(conversion, outcome, group, gone));
  for (const removal of removals) findings.add({ ...removalFinding(removal), group });
  for (const copy of copies) findings.add({ ...copyFinding(scope, copy), group });
  const canWrite = run.tree.cannotWrite?.(scope.place.root) !== true;
  const denies = canWrite && strict !== undefined && 'denies' in strict ? strict.denies : undefined;
  for (const shut of shuts) findings.add({ ...shutFinding(scope, shut, denies), group });
  if (shutsDirectories(conversion) && denies !== undefined) findings.add(leftUnreadFinding(scope, denies));
  if (isBranch || shutsDirectories(conversion)) return;
  for (const remark of remarksOn(scope, run.facts)) findings.add(remark);
  const before = inherited.statesBefore(scope) ?? EMPTY_LIST;
  const nobodyIn = letsNobodyInRemark(scope, before, run.facts);
  if (nobodyIn !== undefined) findings.add(nobodyIn);
  // What is in the strictest form opens it no more.
  const opened = strict === undefined ? openedStatusPageRemark(scope, before, run.facts) : undefined;
  if (opened !== undefined) findings.add(opened);
}

/** Whether the file of a section stays, and its directory is shut instead. */
function shutsDirectories({ shuts = [] }: SectionConversion): boolean {
  return shuts.length > 0;
}

/** A name for what is done together, by the first of its edits. */
function groupName({
  file,
  edits: [edit],
  blocks: [block],
  copies: [copy] = [],
  shuts: [shut] = [],
}: SectionConversion): string {
  const elsewhere = copy ?? shut;
  return edit !== undefined || elsewhere === undefined
    ? `access:${file.name}:${edit?.start ?? block!.section.start}`
    : `access:${elsewhere.file.name}:${elsewhere.edit.start}`;
}

/** What a person has said of the placeholders among the lines of a section. */
function answersIn({ lines: { old } }: Scope, { tree }: AccessRun): NonNullable<AccessFinding['answers']> {
  if (tree.chosen === undefined) return EMPTY_LIST;
  const filled = old.filter(({ node }) => mayBeFilledIn(node.rest));
  if (filled.length === 0) return EMPTY_LIST;
  return [...new Set(filled.flatMap(({ file }) => tree.chosen!('placeholder', [file.path]) ?? []))];
}

/** What the placeholders of a section were taken for, where a person has said it. */
function takenFor({ policy: { hosts } }: Scope, answers: NonNullable<AccessFinding['answers']>): string {
  if (answers.length === 0) return '';
  const choices = new Set(answers.map(({ choice }) => choice));
  const texts = { ip: new Set<string>(), host: new Set<string>() };
  for (const word of hosts?.lines.flatMap(({ words }) => words) ?? EMPTY_LIST)
    if ((word.kind === 'ip' || word.kind === 'host') && choices.has(word.kind) && mayBeFilledIn(word.text))
      texts[word.kind].add(shortened(word.text));
  const said = (what: string, words: ReadonlySet<string>): string =>
    words.size === 0 ? '' : `; as answered, ${[...words].join(', ')} stands for ${what}`;
  return said('addresses', texts.ip) + said('names', texts.host);
}

/** What is said of a section that changes. All fields that each has stand in one literal: a run may have thousands. */
function conversionFinding(
  conversion: SectionConversion,
  outcome: GroupOutcome,
  group: string,
  gone: Set<Section>,
): AccessFinding {
  const { scope, file, strict, assumptions, edits, blocks, carried } = conversion;
  const answers = answersIn(scope, outcome.run);
  const taken = takenFor(scope, answers);
  const exact = strict === undefined ? exactMessage(conversion, outcome) + taken : '';
  const messageWith = (assuming: string): string =>
    strict === undefined
      ? exact + assuming
      : strictMessage(scope, linesNamed(scope), strict, outcome.run, taken + assuming);
  const isSafe = assumptions.length === 0;
  const assumed = assumptions.map(({ text, here = text }) => here).join(' and that ');
  const written = edits.map(({ start, end, text }) => ({ start, end, text }));
  const finding: { -readonly [K in keyof AccessFinding]: AccessFinding[K] } = {
    file,
    at: placeOfConversion(conversion),
    level: 'error',
    safety: strict !== undefined ? 'strict' : isSafe ? 'safe' : 'review',
    message: messageWith(isSafe ? '' : `, assuming that ${assumed}`),
    edits: [...written, ...unwrapped([...blocks, ...carried], gone)],
    group,
  };
  if (!isSafe) finding.assuming = { assumptions, message: messageWith('') };
  const omitted = omissionsOf(conversion);
  if (omitted.length > 0) finding.omitted = omitted;
  if (outcome.refusals.size > 0) finding.tentative = true;
  if (answers.length > 0) finding.answers = answers;
  return finding;
}

function exactMessage(
  { scope, isBranch, replaces, blocks, carried, edits, copies = [] }: SectionConversion,
  { inherited, run: { facts } }: GroupOutcome,
): string {
  const name = scopeName(scope);
  if (scope.reading === 'compat') {
    const what = mixedSummary(scope, inherited.statesBefore(scope) ?? [], facts);
    return `${name}: ${linesNamed(scope)} are restated as a 2.4 with mod_access_compat decides${what === '' ? '' : ` (${what})`}`;
  }
  if (replaces !== undefined)
    return `${name}: its lines for 2.4 say something else than 2.2 decides here, and become what that is: ${differenceText({ ...replaces, reading: '2.2' }, '2.4')}`;
  if (isBranch) return `${name}: ${OF_BRANCH}`;
  if (edits.length === 0)
    return `${name}: its lines come out of ${blockNames(blocks)}, which 2.4 does not read${carriedText(carried)}`;
  const isLeftOut = copies.length === 0 && edits.every(({ text }) => text === '');
  if (isLeftOut && blocks.length === 0)
    return `${name}: 2.4 needs no line for ${summary(scope)}: what else is in effect here says the same`;
  const without =
    blocks.length === 0 ? '' : `, without the ${blockNames(blocks)} around it, which 2.4 does not read`;
  return `${name}: ${summary(scope)} become Require${without}${carriedText(carried)}`;
}

function placeOfConversion({ scope, file, edits }: SectionConversion): number {
  const { section, problems } = scope;
  const { old, requires, requires24, only22, authType } = scope.lines;
  if (section !== undefined && scope.file !== file) return edits[0]!.start;
  const first = old[0] ?? requires[0] ?? requires24[0] ?? only22[0];
  const line = section?.open ?? first?.node ?? problems[0]?.node ?? authType?.node;
  return line !== undefined && 'from' in line ? line.from : 0;
}

/** Blocks around several sections go with each of them, and their lines move out with the first. @param gone the blocks before */
function unwrapped(blocks: readonly Frame[], gone: Set<Section>): readonly Edit[] {
  return blocks.flatMap(({ section, file: { document } }) => {
    const isFirst = !gone.has(section);
    gone.add(section);
    return unwrap(document, section).filter(({ outdent }) => isFirst || outdent !== true);
  });
}

/** The lines of mod_ssl that hold in 2.2 for whom the host lists let in, and go into an `<If>` with the rewrite of these. */
function linesInIf(met: readonly Scope[], { tls, collected }: AccessRun): readonly AccessFinding[] {
  if (tls.inIf.size === 0) return EMPTY_LIST;
  const isShown = collected.loadModules.includes('authz_host_module');
  return met.flatMap((scope) =>
    (tls.inIf.get(scope) ?? []).map(({ file, node, edits }): AccessFinding => ({
      file,
      at: node.from,
      level: 'error',
      safety: isShown ? 'safe' : 'review',
      message: `under Satisfy Any 2.2 heeded ${node.name} only for whom the host lists let in, as mod_authz_host is loaded before mod_ssl${isShown ? '' : ' (this is assumed)'}; 2.4 heeds it first of all: it goes into an <If> that asks for these addresses`,
      edits,
    })),
  );
}

/** What stays of mod_ssl in sections in which nothing else is written that could tell of it. */
function checksAlone(
  met: readonly Scope[],
  conversions: readonly SectionConversion[],
  { tls }: AccessRun,
): readonly AccessFinding[] {
  if (tls.checks.size === 0) return EMPTY_LIST;
  const rewritten = new Set(conversions.map(({ scope }) => scope));
  return met.flatMap((scope) => {
    const check = tls.checks.get(scope);
    // What its lines for 2.4 decide is asked by itself, and may let in others.
    if (check === undefined || rewritten.has(scope) || hasVersionBlocks(scope)) return [];
    const at = scope.section?.open.from ?? scope.handshake[0]?.node.from ?? scope.ssl[0]?.node.from ?? 0;
    return manualFinding(scope.file, at, 'error', `${scopeName(scope)}: ${checkText(check)}`);
  });
}

function blockNames(blocks: readonly Frame[]): string {
  return blocks.map(({ section: { open } }) => open.shown).join(' and ');
}

/** Tells of lines that go from a file which sections include, because each of these says it itself. */
function removalFinding({ file, edits, lines }: IncludedRemoval): AccessFinding {
  const [{ node }] = lines as readonly [ScopeLine, ...ScopeLine[]];
  const message = `${namesOf(lines)} in this file become Require lines in the sections that include it`;
  const made = edits.map(({ start, end, text }) => ({ start, end, text }));
  return { file, at: node.from, level: 'error', safety: 'safe', message, edits: made };
}

/** What is said of a section in a virtual host, which may have several. */
function copyFinding(scope: Scope, { file, host, edit: { start, end, text } }: HostCopy): AccessFinding {
  const about = scopeName(scope);
  const message = `${about} of the main server decides differently in this virtual host, for which no line there can ask: what it decides here is written here`;
  const edits = [{ start, end, text }];
  return { file, at: host.open.from, about, level: 'error', safety: 'safe', message, edits };
}

/** Says at a file that stays, as AllowOverride has no form of it answered as in 2.2, that it is not read any more. */
function leftUnreadFinding(scope: Scope, denies: Refusal): AccessFinding {
  const { file, at } = placeOfRefusal(scope);
  const message = `${unconvertedText(scope, denies)}; no Require lines in it would say the same to 2.4, so that a section of the server's own files lets nobody in there`;
  return { ...manualFinding(file, at, 'error', message), ...remedyOf(denies) };
}

/**
 * Tells of a section that keeps everybody out of a directory whose file cannot be written.
 * @param denies where that is not why
 */
function shutFinding(
  scope: Scope,
  { file, path, edit: { start, end, text } }: ShutDirectory,
  denies: Refusal | undefined,
): AccessFinding {
  const { name } = scope.place.root;
  const closes = `this section lets nobody into ${shownPath(path)} and has the file not read`;
  const [why, remedy] =
    denies === undefined
      ? [
          `${name} cannot be written, and as it stands 2.4 would let in by it whom the sections above keep out`,
          `undo this run, let ${name} be written, and convert again; or write there by hand who may get in, and take the section out`,
        ]
      : [
          `no Require lines in ${name} would have 2.4 answer as 2.2 does`,
          `write in ${name} or here by hand who may get in, and take the section out`,
        ];
  const message = `${why}: ${closes}`;
  const edits = [{ start, end, text }];
  return {
    file,
    at: start,
    about: path,
    shuts: true,
    level: 'error',
    safety: 'strict',
    message,
    remedy,
    edits,
  };
}

function carriedText(blocks: readonly Frame[]): string {
  return blocks.length === 0
    ? ''
    : `, and the lines about users come out of ${blockNames(blocks)}, which 2.4 does not read`;
}

/** The directives that a rewrite takes away. */
function linesNamed(scope: Scope): string {
  return scope.policy.authz === undefined ? summary(scope) : summary(scope, ['Require']);
}

/** The old directives of a scope by name, in the order they first stand. */
function summary({ lines: { old, only22 } }: Scope, further: readonly string[] = []): string {
  return namesOf([...old, ...only22], further);
}

function namesOf(lines: readonly ScopeLine[], further: readonly string[] = []): string {
  const names: string[] = [];
  for (const { node } of lines) {
    const name = NAMES.get(node.key) ?? node.name;
    if (!names.includes(name)) names.push(name);
  }
  names.push(...further);
  if (names.length === 0) return 'its access lines';
  return names.length === 1
    ? `${names[0]} lines`
    : `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`;
}

/** The short names are written as httpd does. */
const NAMES: ReadonlyMap<string, string> = new Map(
  ['Order', 'Allow', 'Deny', 'Satisfy'].map((name) => [name.toLowerCase(), name]),
);

/** The lines of a section that name somebody and have no counterpart in what is written for it, each with the reason. */
function omissionsOf(conversion: SectionConversion): NonNullable<AccessFinding['omitted']> {
  const { scope, file, edits, isBranch, strict } = conversion;
  if (isBranch || strict !== undefined) return EMPTY_LIST;
  const requires = edits.flatMap(({ written }) => written.requires);
  if (requires.length === 0) return EMPTY_LIST;
  const origins = new Set<object | undefined>(requires.map(({ origin }) => origin));
  const words = lazy(() => new Set(requires.flatMap(({ text }) => text.split(/[ \t]+/))));
  // Whether a host that it names goes into a line under another name.
  const isWritten = ({ args }: Directive): boolean => args.slice(1).some(({ value }) => words().has(value));
  const says = (text: string): boolean => requires.every((line) => line.text === text);
  const result = says('Require all granted') ? 'granted' : says('Require all denied') ? 'denied' : 'some';
  return scope.lines.old.flatMap(({ node, file: holder }) => {
    if (holder !== file || origins.has(node)) return [];
    const why = reasonFor(node, result);
    if (why === undefined || isWritten(node)) return [];
    const isCommented = commentAbove(file.document, node);
    return {
      at: node.from,
      text: `${node.name} ${node.rest}`,
      why: isCommented ? `${why}; the comment above it stays` : why,
    };
  });
}

/** Why nothing is written for a line; undefined where it stands for the rest that no line lets in, which needs no reason. */
function reasonFor({ key, rest, args }: Directive, who: 'granted' | 'denied' | 'some'): string | undefined {
  if (key !== 'allow' && key !== 'deny') return undefined;
  const isAll = /\ball\b/i.test(rest);
  if (key === 'deny') {
    if (isAll) return undefined;
    if (who === 'denied') return 'nobody gets in, named here or not';
    return who === 'granted' ? 'an Allow line lets in again whom it names' : 'whom it names no line lets in';
  }
  if (args.length === 2 && /^none$/i.test(args[1]!.value)) return 'it names nobody';
  if (who === 'denied') return 'a Deny line keeps out whom it names';
  if (isAll) return undefined;
  return who === 'granted'
    ? 'everybody gets in, named here or not'
    : 'whom it names another line lets in or keeps out';
}

/** Whether a comment stands right above a line. */
function commentAbove({ text }: Document, { start }: Directive): boolean {
  const end = start - 1;
  if (end <= 0) return false;
  return /^[ \t]*#/.test(text.slice(text.lastIndexOf('\n', end - 1) + 1, end));
}
