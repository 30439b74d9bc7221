import type { ConfigFile } from '../../config';
import { type Release, nameOf } from '../../httpd/release';
import type { Directive } from '../../syntax';
import type { MisplacedLine } from '../collect';
import {
  type Reading,
  type Scope,
  type SectionProblem,
  type SslObstacle,
  scopeName,
  sectionWithPlace,
} from '../policy';
import { shortened, shownPath } from '../primitives';
import type { InheritedPart, RewriteProblem } from '../rewrite';

/** Why a section is left as it is. */
export type Refusal =
  | SectionProblem
  | RewriteProblem
  | {
      readonly kind:
        | 'access-file-name'
        | 'different-texts'
        | 'mixed'
        | 'nothing-for-22'
        | 'override-by-host'
        | 'override-in-conditional'
        | 'partly-one-version'
        | 'regex-elsewhere';
    }
  /** @param directory whose `.htaccess` is there and has not been read */
  | { readonly kind: 'below-unread'; readonly directory: string }
  | { readonly kind: 'loose-line'; readonly line: MisplacedLine }
  | {
      readonly kind: 'unknown-keyword';
      readonly keyword: string;
      readonly node: Directive;
      readonly file: ConfigFile;
    }
  | { readonly kind: 'no-counterpart'; readonly reading: Reading }
  | { readonly kind: 'ssl-without-satisfy'; readonly directive: string }
  | {
      readonly kind: 'meets-modern' | 'not-included-changes' | 'not-included-meets-blocks' | 'override-wakes';
      readonly other: Scope;
    }
  | { readonly kind: 'override-list-stays'; readonly target: Release }
  /** @param what may not be said. @param isSure it is read in any case. @param words of the AllowOverride line */
  | {
      readonly kind: 'override-forbids';
      readonly isSure: boolean;
      readonly what: string;
      readonly words: readonly string[];
      readonly reading: Reading;
    }
  /** @param always whatever request meets it */
  | { readonly kind: 'inherits-unconverted'; readonly other: Scope; readonly always: boolean }
  /** @param why in words */
  | { readonly kind: 'left-alone' | 'differs'; readonly why: string }
  /** @param question the key of the answer that settles it. @param text and @param remedy in words */
  | {
      readonly kind: 'open-question';
      readonly question: string;
      readonly text: string;
      readonly remedy: string;
    };

type RefusalKind = Refusal['kind'];

type RefusalOf<K extends RefusalKind, R extends Refusal = Refusal> = R extends Refusal
  ? K extends R['kind']
    ? R & { readonly kind: K }
    : never
  : never;

/** What follows from one kind of refusal. */
interface RefusalRow<R> {
  /** What comes after "is left as it is". */
  readonly text: string | ((refusal: R) => string);
  /** What a person does about it; by default, to write the lines by hand. */
  readonly remedy?: (refusal: R) => string;
  /** The text says what to do, so that there is no remedy beside it. */
  readonly saysWhatToDo?: true;
  /** There is a strictest form all the same: several texts are needed, or it is open which Require lines count. */
  readonly strictForm?: true | ((refusal: R) => boolean);
  /** The section may stay while those that it meets are converted, since what it decides is known, or since 2.4 refuses it. */
  readonly keptAlone?: true;
  /** What is not known: what the host lists say, or the Require lines. The section may stay: a second run finds that again. */
  readonly unknown?: UnknownPart | ((refusal: R) => UnknownPart | undefined);
  /** The refusal is of what the file may say, or of the run, and not of what the lines of the section say. */
  readonly notOfLines?: true | ((refusal: R) => boolean);
  /** The refusal is of what AllowOverride lets the file of the section say. */
  readonly ofOverride?: true;
  /** The line is a syntax error to 2.2, and to 2.4 with mod_access_compat. */
  readonly refusedBy22?: true;
}

/** The part of a section that it is not known what it says. */
type UnknownPart = 'hosts' | 'requires';

const HOST_LINES: ReadonlySet<string> = new Set(['order', 'allow', 'deny']);

const ALONE = 'convert it alone, or together with the server configuration that includes it';

/** Every reason to leave a section as it is: what is said of it, and what follows from it. */
const REFUSALS: { readonly [K in RefusalKind]: RefusalRow<RefusalOf<K>> } = {
  'misplaced-section': { text: ({ name }) => `httpd refuses <${name}> in this place` },
  'guard-without-module': {
    text: ({ guard }) =>
      `<${guard}> asks for a module that no LoadModule line before it loads, so that it cannot be told which of its lines 2.2 read: take the block away if 2.2 had the module`,
    saysWhatToDo: true,
  },
  'module-of-one-version': {
    text: ({ block }) =>
      `<${block}> asks for a module that LoadModule loads for one version alone, so that only one of 2.2 and 2.4 reads the lines in it: ask for the version instead, with <IfVersion>`,
    saysWhatToDo: true,
  },
  'block-of-24': { text: ({ directive }) => `${directive} stands in a block that only 2.4 reads` },
  'block-of-compat': {
    text: ({ directive }) =>
      `${directive} stands in a block that 2.4 reads where mod_access_compat is loaded, and may let in there whom 2.2 refused: take it out, or give the modules of the target with --modules`,
    saysWhatToDo: true,
  },
  'limit-in-limit': {
    text: ({ version }) =>
      version === '2.2' ? '2.2 refuses a Limit inside a Limit' : 'a Limit stands inside a Limit',
  },
  gone: { text: ({ directive }) => `2.4 has no ${directive}` },
  'auth-merging': {
    text: 'AuthMerging is not followed where lines of 2.2 and of 2.4 are mixed',
    unknown: 'requires',
  },
  placeholder: {
    text: ({ directive, text, stands }) =>
      stands === 'for-hosts'
        ? `what ${shortened(text)} stands for in the ${directive} line is not known, and 2.4 has a line of its own for addresses (Require ip), for names (Require host) and for env= (Require env): write the one that fits, or say --answer placeholder=ip or placeholder=host where all of a file are such`
        : `what ${shortened(text)} stands for in the ${directive} line is not known, and decides who gets in: write the Require lines by hand`,
    saysWhatToDo: true,
    // Satisfy decides how the others are joined.
    unknown: ({ directive }) => {
      const key = directive.toLowerCase();
      if (key === 'require') return 'requires';
      return HOST_LINES.has(key) ? 'hosts' : undefined;
    },
  },
  'invalid-line': {
    text: ({ directive }) => `2.2 itself refuses this ${directive} line`,
    unknown: ({ directive }) => (directive === 'Order' ? 'hosts' : undefined),
    refusedBy22: true,
  },
  'no-host': {
    text: ({ directive }) => `2.2 itself refuses this ${directive} line: it wants "from" and a host`,
    unknown: 'hosts',
    refusedBy22: true,
  },
  'invalid-address': {
    text: ({ address }) => `2.2 itself refuses the address "${address}"`,
    unknown: 'hosts',
    refusedBy22: true,
  },
  hash: { text: '2.4 refuses a word with # in it' },
  'unregistered-method': {
    text: ({ method }) => `2.4 answers 500 to a .htaccess that limits the unregistered method ${method}`,
  },
  'several-blocks': { text: 'one of its lines is read in several conditional blocks' },
  'too-many-blocks': {
    text: 'its access lines are split over more conditional blocks than can be told apart',
  },
  'endless-line': {
    text: 'one of its lines is longer than httpd reads at once: write several lines',
    saysWhatToDo: true,
  },
  'not-read': { text: 'it cannot be read, and may say who gets in', notOfLines: true },
  'regex-end': {
    text: 'its regex asks for the end of the name, which never matched in 2.2 and does in 2.4: remove the section if it is not wanted',
    saysWhatToDo: true,
    strictForm: true,
  },
  'regex-slashes': {
    text: 'its regex asks for several slashes in a row, which 2.4 makes one before it looks, unless MergeSlashes is Off',
  },
  template: {
    text: 'lines of a template, or of something else that httpd does not read, stand among its access lines: write the Require lines by hand',
    saysWhatToDo: true,
  },
  'ssl-alternative': {
    text: ({ directive, because }) =>
      `${directive} was one way in among others under Satisfy Any and is a must in 2.4, and ${sslObstacleText(because)}`,
  },
  'ssl-for-22': {
    text: ({ directive }) =>
      `only 2.2 reads ${directive} in it, and no Require says the same: write what 2.4 is to ask for both versions`,
    saysWhatToDo: true,
  },
  'no-require': {
    text: 'an AuthType stands without a Require, and 2.4 answers 500 to that: add the Require that is meant',
    saysWhatToDo: true,
    strictForm: true,
  },
  'two-group-files': {
    text: 'both AuthGroupFile and AuthDBMGroupFile are in effect',
    strictForm: true,
  },
  'owner-among-others': {
    text: 'file-owner or file-group is mixed with other Require lines: as they stand, 2.4 lets in whom any of them names, which 2.2 need not have done',
    strictForm: true,
  },
  'maybe-configured': {
    text: ({ module }) => `the run does not show whether the ${module} lines are configured`,
    strictForm: true,
  },
  'not-loaded': { text: 'a module that answers a Require line is not loaded', strictForm: true },
  scattered: {
    text: 'its lines stand in several files or blocks: put them in one place',
    saysWhatToDo: true,
    keptAlone: true,
  },
  'section-in-limit': { text: ({ name }) => `the <${name}> in it holds another section`, keptAlone: true },
  'not-closed': { text: ({ name }) => `the <${name}> in it is not closed`, keptAlone: true },
  'other-lines': {
    text: ({ name }) => `the <${name}> in it holds other lines than Require`,
    keptAlone: true,
  },
  'certificate-asked': {
    text: '2.4 asks for a certificate before all else and takes it for a login (FakeBasicAuth), where 2.2 asked only those whom the host lists let in',
    strictForm: true,
  },
  'no-place': { text: 'it has no line that the new ones could stand at' },
  trace: { text: 'TRACE cannot stand in a 2.4 <Limit>', strictForm: true },
  'test-of-22': { text: ({ text }) => `2.4 cannot ask what <${text}> asked of 2.2`, strictForm: true },
  'template-above': {
    text: ({ file, at }) =>
      `it depends on what a template leaves in at ${file.name}:${lineOf(file, at)}: write its Require lines by hand`,
    saysWhatToDo: true,
    strictForm: true,
  },
  'too-many-conditionals': {
    text: 'it depends on more conditionals than can be told apart',
    strictForm: true,
  },
  'too-many-kinds': { text: 'requests of too many kinds reach it', strictForm: true },
  'too-many-sections': {
    text: 'more sections can stand before it than can be told apart',
    strictForm: true,
  },
  'too-many-ways': {
    text: 'there are too many ways in which a request can reach it',
    strictForm: true,
  },
  'depends-on-server': {
    text: 'it depends on the virtual host, or on whether the request is proxied, and is written once for all (a copy of the section in each <VirtualHost> can say it)',
    strictForm: true,
  },
  'no-expression': {
    text: 'no expression of 2.4 asks whether a section above it has matched',
    strictForm: true,
  },
  'directory-name': { text: 'a directory name in it cannot be written in an expression', strictForm: true },
  // Who has no server's files has to go without: what an exact text would need has not been given.
  unplaced: {
    text: 'it depends on the directory, and no server config of this run tells where the server has these files',
    notOfLines: true,
  },
  inherits: {
    text: ({ parts, because }) => {
      const rest =
        parts.length === 0 ? 'what it does not say' : parts.map((part) => PARTS[part]).join(' and ');
      const why =
        because.kind === 'too-many-ways'
          ? 'there are too many combinations to write down'
          : refusalText(because);
      return `it inherits ${rest} from the sections above it, and these are not the same for every request: ${why}`;
    },
    strictForm: ({ because }) => hasStrictForm(because),
    notOfLines: ({ because }) => !isOfLines(because),
  },
  'nothing-for-22': {
    text: 'lines of 2.2 and of 2.4 meet, which no 2.2 runs: there is nothing to keep for it',
    notOfLines: true,
  },
  'per-request-block': {
    text: ({ node, file }) =>
      `${node.name} stands in a per-request block of 2.4 at ${file.name}:${lineOf(file, node.from)}, which may come after it`,
  },
  'below-unread': {
    text: ({ directory }) =>
      `the .htaccess of ${shownPath(directory)}, above it, could not be read, and may say who gets in here`,
    keptAlone: true,
  },
  'loose-line': {
    text: ({ line: { node, place } }) =>
      `${node.name} stands outside any section of this file, at line ${lineOf(place.file, node.from)}, and is read where another file includes this one`,
  },
  'unknown-keyword': {
    text: ({ keyword, node, file }) =>
      `"Require ${keyword}" at ${file.name}:${lineOf(file, node.from)} is not a keyword of a 2.2 module known here`,
    unknown: 'requires',
  },
  mixed: {
    text: 'it mixes lines of 2.2 and of 2.4',
    remedy: () =>
      "take out its Order, Allow, Deny and Satisfy, or else the Require lines that 2.2 does not know, then run again; --explain '/PATH?from=ADDRESS' prints who gets in now",
    unknown: 'requires',
  },
  'partly-one-version': {
    text: 'some of its access lines stand in blocks that only one version reads, others in both',
  },
  'no-counterpart': {
    text: ({ reading }) =>
      reading === 'compat'
        ? 'some of its lines are read with mod_access_compat alone, and nothing takes their place without it'
        : 'its access lines are for 2.2 alone, and nothing takes their place on 2.4: add Require lines for 2.4',
  },
  'ssl-without-satisfy': {
    text: ({ directive }) =>
      `${directive} was one way in among others under Satisfy Any and is a must without it`,
  },
  'access-file-name': {
    text: 'a conditional, a variable or a link has a say in AccessFileName, so that it cannot be told which requests meet this file',
    notOfLines: true,
  },
  'override-by-host': {
    text: 'AllowOverride lets it say this for requests to one server, the main one or a virtual host, and not for requests to another',
    notOfLines: true,
    keptAlone: true,
    ofOverride: true,
  },
  'override-in-conditional': {
    text: 'a conditional block, or a template, decides whether AllowOverride lets it say this (-D tells which <IfDefine> blocks hold)',
    notOfLines: true,
    keptAlone: true,
    ofOverride: true,
  },
  'override-wakes': {
    text: ({ other }) =>
      `2.4 takes Require in it only with an AllowOverrideList that lets it into ${other.file.name}, too, where 2.2 answers 500 to it`,
    notOfLines: true,
  },
  'override-list-stays': {
    text: ({ target }) =>
      `2.4 takes Require in it only with an AllowOverrideList, and ${nameOf(target)} keeps that list in force in every directory below, whatever is said there: convert for 2.4.2 or later`,
    saysWhatToDo: true,
    notOfLines: true,
  },
  'override-forbids': {
    text: ({ what, isSure, words, reading }) =>
      `AllowOverride ${words.join(' ')} does not let this file say ${what}: ${reading === '2.2' ? `2.2 answers 500 ${isSure ? 'here' : 'where it reads that'}, and 2.4 does` : 'httpd answers 500 here'}`,
    notOfLines: true,
    keptAlone: true,
    ofOverride: true,
  },
  'meets-modern': {
    text: ({ other }) =>
      `it can meet ${scopeWithPlace(other, other.modernLine?.start)}, which is written for 2.4 already`,
    notOfLines: true,
  },
  'not-included-meets-blocks': {
    text: ({ other }) =>
      `nothing includes this file, and it could meet ${scopeWithPlace(other)}, which has blocks for each version: ${ALONE}`,
    saysWhatToDo: true,
    notOfLines: true,
  },
  'not-included-changes': {
    text: ({ other }) =>
      `no Include reads this file; with it in use, ${scopeWithPlace(other)} would have to be converted differently: ${ALONE}`,
    saysWhatToDo: true,
    notOfLines: true,
  },
  'no-host-list': {
    text: 'Satisfy Any stands beside Require lines, and nothing in this run says who gets in by address, without which the password is for nothing: give the server configuration in the same run',
    saysWhatToDo: true,
    strictForm: true,
  },
  'regex-elsewhere': { text: 'its lines stand in another file than its regex' },
  'different-texts': {
    text: 'its lines are included in other sections, too, where 2.4 needs other lines: give each section its lines',
    saysWhatToDo: true,
  },
  'inherits-unconverted': {
    text: ({ other }) =>
      `it inherits from ${scopeWithPlace(other)}, which could not be converted: convert that by hand first, then run again`,
    saysWhatToDo: true,
    keptAlone: true,
  },
  'left-alone': { text: ({ why }) => why, saysWhatToDo: true },
  differs: { text: ({ why }) => why },
  // It says one thing today and another by the lines of its author.
  'open-question': { text: ({ text }) => text, remedy: ({ remedy }) => remedy },
};

/** The row of a refusal; only what is asked of it with this very refusal may be asked. */
function rowOf<R extends Refusal>({ kind }: R): RefusalRow<R> {
  return REFUSALS[kind] as RefusalRow<R>;
}

/** What comes after "is left as it is". */
export function refusalText(refusal: Refusal): string {
  const { text } = rowOf(refusal);
  return typeof text === 'string' ? text : text(refusal);
}

/** Whether a section that is refused for this has a strictest form. */
export function hasStrictForm(refusal: Refusal): boolean {
  const { strictForm = false } = rowOf(refusal);
  return typeof strictForm === 'boolean' ? strictForm : strictForm(refusal);
}

/** Whether it is what the lines of a section say that is refused, and not what its file may say, or the run. */
export function isOfLines(refusal: Refusal): boolean {
  const { notOfLines = false } = rowOf(refusal);
  return typeof notOfLines === 'boolean' ? !notOfLines : !notOfLines(refusal);
}

/** The part of the section of which this leaves unknown what it says; undefined where it is known. */
export function unknownPart(refusal: Refusal): UnknownPart | undefined {
  const { unknown } = rowOf(refusal);
  return typeof unknown === 'function' ? unknown(refusal) : unknown;
}

/** Whether the reason lets a section stay while those that it meets are converted. */
export function mayBeKeptAlone(refusal: Refusal): boolean {
  return rowOf(refusal).keptAlone === true || unknownPart(refusal) !== undefined;
}

/** Whether it is AllowOverride that decides, or a server, what the file of the section may say. */
export function isOfOverride(refusal: Refusal): boolean {
  return rowOf(refusal).ofOverride === true;
}

/** Whether the line is a syntax error to 2.2. */
export function isRefusedBy22(refusal: Refusal): boolean {
  return rowOf(refusal).refusedBy22 === true;
}

const BY_HAND =
  "--explain '/PATH?from=ADDRESS', with the same files, prints who gets in now: write Require lines that say the same in place of its access lines, then run again";

/**
 * What a person does about a section that is left as it is.
 * @param refusal undefined where only another section that it can meet has one
 */
export function remedyOf(refusal: Refusal | undefined): { readonly remedy?: string } {
  if (refusal === undefined) return { remedy: 'convert that section by hand, then run again' };
  const { saysWhatToDo, remedy } = rowOf(refusal);
  return saysWhatToDo === true ? {} : { remedy: remedy?.(refusal) ?? BY_HAND };
}

/** A scope with file and line, for a message. @param at where in the file; by default where its section stands */
export function scopeWithPlace(scope: Scope, at = scope.section?.start ?? 0): string {
  const { file } = scope;
  return sectionWithPlace({ section: scopeName(scope), file: file.name, line: lineOf(file, at) });
}

function lineOf(file: ConfigFile, at: number): number {
  return file.document.positionAt(at).line;
}

/** Says of a section, and of others in its file for the same reason, that they stay. @param count how many they are together */
export function unconvertedText(scope: Scope, refusal: Refusal, count = 1): string {
  const more = count === 2 ? '1 more section' : `${count - 1} more sections`;
  const left = count === 1 ? 'is left as it is' : `and ${more} are left as they are`;
  return `${scopeName(scope)} ${left}: ${refusalText(refusal)}`;
}

const PARTS: Readonly<Record<InheritedPart, string>> = {
  hosts: 'Order, Allow and Deny',
  require: 'Require',
  satisfy: 'Satisfy',
};

/** Why a check of TLS cannot become a Require line. */
export function sslObstacleText(because: SslObstacle): string {
  return SSL_OBSTACLES[because];
}

const SSL_OBSTACLES: Readonly<Record<SslObstacle, string>> = {
  'asked-later':
    '2.2 asked only those whom the host lists let in, as mod_authz_host is loaded before mod_ssl, and no <If> says that of this line',
  'order-not-known':
    'conditionals around LoadModule decide whether mod_authz_host is loaded before mod_ssl, so that 2.2 asked only those whom the host lists let in',
  expression: 'no Require says just what SSLRequire says',
  conditional: 'it stands in a conditional block',
  'strict-not-shown': 'the run does not show whether StrictRequire made it a must in 2.2',
  'strict-not-everywhere': 'StrictRequire, which made it a must in 2.2, is not set everywhere',
  upgrade: 'SSLEngine optional lets it answer 426',
  mixed: 'lines of 2.2 and of 2.4 are mixed',
};
