import type { ConfigFile } from '../../config';
import { type Release, nameOf } from '../../httpd/release';
import type { Directive } from '../../syntax';
import type { MisplacedLine } from '../collect';
import { type Reading, type Scope, type SectionProblem, type SslObstacle, scopeName } from '../policy';
import type { InheritedPart, RewriteProblem } from '../rewrite';

/** Why a section is left as it is. */
export type Refusal =
  | SectionProblem
  | RewriteProblem
  /** Lines of 2.2 and of 2.4 meet, which no 2.2 runs: there is nothing to keep for it under --dual. */
  | { readonly kind: 'nothing-for-22' }
  /** A line in a per-request block of 2.4 may come after it. */
  | { readonly kind: 'per-request-block'; readonly node: Directive; readonly file: ConfigFile }
  /** A line of the file stands outside any section, and is read where another file includes this one. */
  | { readonly kind: 'loose-line'; readonly line: MisplacedLine }
  /** No 2.2 module known here answers the word after Require. */
  | { readonly kind: 'unknown-keyword'; readonly keyword: string }
  /** It mixes lines of 2.2 and of 2.4. */
  | { readonly kind: 'mixed' }
  /** Some of its access lines stand in blocks that only one version reads, others in both. */
  | { readonly kind: 'partly-one-version' }
  /** Its access lines are for one server alone, and nothing takes their place on 2.4. */
  | { readonly kind: 'no-counterpart'; readonly reading: Reading }
  /** A check of TLS was one way in among others under Satisfy Any and is a must without it. */
  | { readonly kind: 'ssl-without-satisfy'; readonly directive: string }
  /** AccessFileName is not the same for all requests. */
  | { readonly kind: 'access-file-name' }
  /** AllowOverride lets it be read in one virtual host otherwise than in another. */
  | { readonly kind: 'override-by-host' }
  /** A conditional block decides whether AllowOverride lets it be read. */
  | { readonly kind: 'override-in-conditional' }
  /** The AllowOverrideList that it needs lets Require into another file, too, where 2.2 answers 500 to it. */
  | { readonly kind: 'override-wakes'; readonly other: Scope }
  /** The target hands the AllowOverrideList that it needs down to every directory below, whatever is said there. */
  | { readonly kind: 'override-list-stays'; readonly target: Release }
  /** AllowOverride does not let the file say it. @param words of the line */
  | { readonly kind: 'override-forbids'; readonly words: readonly string[]; readonly reading: Reading }
  /** It can meet a section that is written for 2.4 already. */
  | { readonly kind: 'meets-modern'; readonly other: Scope }
  /** Nothing includes its file, and it could meet a section with blocks for each version. */
  | { readonly kind: 'not-included-meets-blocks'; readonly other: Scope }
  /** Nothing includes its file; if it were in use, another section would need another text. */
  | { readonly kind: 'not-included-changes'; readonly other: Scope }
  /** Its lines stand in another file than its regex. */
  | { readonly kind: 'regex-elsewhere' }
  /** Its lines are reached in several ways that would need different texts. */
  | { readonly kind: 'different-texts' }
  /** It inherits from a section that stays what is not known there. @param always whatever request meets it */
  | { readonly kind: 'inherits-left'; readonly other: Scope; readonly always: boolean }
  /** Its lines are not to be changed, or cannot be. @param why in words */
  | { readonly kind: 'left-alone'; readonly why: string }
  /** It says one thing today and another by the lines of its author. */
  | {
      readonly kind: 'asked';
      readonly question: string;
      readonly text: string;
      readonly remedy: string;
    };

/** A scope with file and line, for a message. @param at where in the file; by default where its section stands */
export function scopeWithPlace(scope: Scope, at = scope.section?.start ?? 0): string {
  return `${scopeName(scope)} at ${scope.file.name}:${lineOf(scope.file, at)}`;
}

function lineOf(file: ConfigFile, at: number): number {
  return file.document.positionAt(at).line;
}

/** Of a section, and of others in its file for the same reason. @param count how many they are together */
export function leftText({ scope, refusal }: { scope: Scope; refusal: Refusal }, count: number): string {
  const more = count === 2 ? '1 more section' : `${count - 1} more sections`;
  const left = count === 1 ? 'is left as it is' : `and ${more} are left as they are`;
  return `${scopeName(scope)} ${left}: ${refusalText(refusal)}`;
}

/** What comes after "is left as it is". */
export function refusalText(refusal: Refusal): string {
  switch (refusal.kind) {
    case 'misplaced-section':
      return `httpd refuses <${refusal.name}> in this place`;
    case 'guard-without-module':
      return `<${refusal.guard}> asks for a module that no LoadModule line before it loads, so that it cannot be told which of its lines 2.2 read: take the block away if 2.2 had the module`;
    case 'module-of-one-version':
      return `<${refusal.block}> asks for a module that LoadModule loads for one version alone, so that only one of 2.2 and 2.4 reads the lines in it: ask for the version instead, with <IfVersion>`;
    case 'block-of-24':
      return `${refusal.directive} stands in a block that only 2.4 reads`;
    case 'block-of-compat':
      return `${refusal.directive} stands in a block that 2.4 reads where mod_access_compat is loaded, and may let in there whom 2.2 refused: take it out, or give the modules of the target with --modules`;
    case 'limit-in-limit':
      return refusal.version === '2.2'
        ? '2.2 refuses a Limit inside a Limit'
        : 'a Limit stands inside a Limit';
    case 'gone':
      return `2.4 has no ${refusal.directive}`;
    case 'auth-merging':
      return 'AuthMerging is not followed where lines of 2.2 and of 2.4 are mixed';
    case 'placeholder':
      return refusal.stands === 'for-hosts'
        ? `what ${shortened(refusal.text)} stands for in the ${refusal.directive} line is not known, and 2.4 has a line of its own for addresses (Require ip), for names (Require host) and for env= (Require env): write the one that fits, or say --answer placeholder=ip or placeholder=host where all of a file are such`
        : `what ${shortened(refusal.text)} stands for in the ${refusal.directive} line is not known, and decides who gets in: write the Require lines by hand`;
    case 'invalid-line':
      return `2.2 itself refuses this ${refusal.directive} line`;
    case 'no-host':
      return `2.2 itself refuses this ${refusal.directive} line: it wants "from" and a host`;
    case 'invalid-address':
      return `2.2 itself refuses the address "${refusal.address}"`;
    case 'hash':
      return '2.4 refuses a word with # in it';
    case 'unregistered-method':
      return `2.4 answers 500 to a .htaccess that limits the unregistered method ${refusal.method}`;
    case 'several-blocks':
      return 'one of its lines is read in several conditional blocks';
    case 'too-many-blocks':
      return 'its access lines are split over more conditional blocks than can be told apart';
    case 'endless-line':
      return 'one of its lines is longer than httpd reads at once: write several lines';
    case 'not-read':
      return 'it cannot be read, and may say who gets in';
    case 'regex-end':
      return 'its regex asks for the end of the name, which never matched in 2.2 and does in 2.4';
    case 'regex-slashes':
      return 'its regex asks for several slashes in a row, which 2.4 makes one before it looks, unless MergeSlashes is Off';
    case 'template':
      return 'lines of a template, or of something else that httpd does not read, stand among its access lines: write the Require lines by hand';
    case 'ssl-alternative':
      return `${refusal.directive} was one way in among others under Satisfy Any and is a must in 2.4, and ${sslObstacleText(refusal.because)}`;
    case 'no-require':
      return 'an AuthType stands without a Require, and 2.4 answers 500 to that: add the Require that is meant';
    case 'two-group-files':
      return 'both AuthGroupFile and AuthDBMGroupFile are in effect';
    case 'owner-among-others':
      return 'file-owner or file-group is mixed with other Require lines: as they stand, 2.4 lets in whom any of them names, which 2.2 need not have done';
    case 'maybe-configured':
      return `the run does not show whether the ${refusal.module} lines are configured`;
    case 'not-loaded':
      return 'a module that answers a Require line is not loaded';
    case 'scattered':
      return 'its lines stand in several files or blocks: put them in one place';
    case 'section-in-limit':
      return `the <${refusal.name}> in it holds another section`;
    case 'not-closed':
      return `the <${refusal.name}> in it is not closed`;
    case 'other-lines':
      return `the <${refusal.name}> in it holds other lines than Require`;
    case 'certificate-asked':
      return '2.4 asks for a certificate before all else and takes it for a login (FakeBasicAuth), where 2.2 asked only those whom the host lists let in';
    case 'no-place':
      return 'it has no line that the new ones could stand at';
    case 'trace':
      return 'TRACE cannot stand in a 2.4 <Limit>';
    case 'test-of-22':
      return `2.4 cannot ask what <${refusal.text}> asked of 2.2`;
    case 'template-above':
      return `it depends on what a template leaves in at ${refusal.file.name}:${lineOf(refusal.file, refusal.at)}: write its Require lines by hand`;
    case 'too-many-conditionals':
      return 'it depends on more conditionals than can be told apart';
    case 'too-many-kinds':
      return 'requests of too many kinds reach it';
    case 'too-many-sections':
      return 'more sections can stand before it than can be told apart';
    case 'too-many-ways':
      return 'there are too many ways in which a request can reach it';
    case 'depends-on-server':
      return 'it depends on the virtual host, or on whether the request is proxied, and is written once for all';
    case 'no-expression':
      return 'no expression of 2.4 asks whether a section above it has matched';
    case 'directory-name':
      return 'a directory name in it cannot be written in an expression';
    case 'unplaced':
      return 'it depends on the directory, and no server config of this run tells where the server has these files';
    case 'inherits': {
      const { parts, because } = refusal;
      const left =
        parts.length === 0 ? 'what it does not say' : parts.map((part) => PARTS[part]).join(' and ');
      const why =
        because.kind === 'too-many-ways'
          ? 'there are too many combinations to write down'
          : refusalText(because);
      return `it inherits ${left} from the sections above it, and these are not the same for every request: ${why}`;
    }
    case 'nothing-for-22':
      return 'lines of 2.2 and of 2.4 meet, which no 2.2 runs: there is nothing to keep for it';
    case 'per-request-block': {
      const { node, file } = refusal;
      return `${node.name} stands in a per-request block of 2.4 at ${file.name}:${lineOf(file, node.from)}, which may come after it`;
    }
    case 'loose-line': {
      const { node, place } = refusal.line;
      return `${node.name} stands outside any section of this file, at line ${lineOf(place.file, node.from)}, and is read where another file includes this one`;
    }
    case 'unknown-keyword':
      return `"Require ${refusal.keyword}" is not a keyword of a 2.2 module known here`;
    case 'mixed':
      return 'it mixes lines of 2.2 and of 2.4';
    case 'partly-one-version':
      return 'some of its access lines stand in blocks that only one version reads, others in both';
    case 'no-counterpart':
      return refusal.reading === 'compat'
        ? 'some of its lines are read with mod_access_compat alone, and nothing takes their place without it'
        : 'its access lines are for 2.2 alone, and nothing takes their place on 2.4: add Require lines for 2.4';
    case 'ssl-without-satisfy':
      return `${refusal.directive} was one way in among others under Satisfy Any and is a must without it`;
    case 'access-file-name':
      return 'AccessFileName is not the same for all requests, so that it cannot be told which of them meet this file';
    case 'override-by-host':
      return 'AllowOverride lets it say this for requests to one server, the main one or a virtual host, and not for requests to another';
    case 'override-in-conditional':
      return 'a conditional block, or a template, decides whether AllowOverride lets it be read (-D tells which <IfDefine> blocks hold)';
    case 'override-wakes':
      return `2.4 takes Require in it only with an AllowOverrideList that lets it into ${refusal.other.file.name}, too, where 2.2 answers 500 to it`;
    case 'override-list-stays':
      return `2.4 takes Require in it only with an AllowOverrideList, and ${nameOf(refusal.target)} keeps that list in force in every directory below, whatever is said there: convert for 2.4.2 or later`;
    case 'override-forbids':
      return `AllowOverride ${refusal.words.join(' ')} does not let this file say it: ${refusal.reading === '2.2' ? '2.2 answers 500 here, and 2.4 does' : 'httpd answers 500 here'}`;
    case 'meets-modern':
      return `it can meet ${scopeWithPlace(refusal.other, refusal.other.modern?.start)}, which is written for 2.4 already`;
    case 'not-included-meets-blocks':
      return `nothing includes this file, and it could meet ${scopeWithPlace(refusal.other)}, which has blocks for each version: ${ALONE}`;
    case 'not-included-changes':
      return `no Include reads this file; with it in use, ${scopeWithPlace(refusal.other)} would have to be converted differently: ${ALONE}`;
    case 'no-host-list':
      return 'Satisfy Any stands beside Require lines, and nothing in this run says who gets in by address, without which the password is for nothing: give the server configuration in the same run';
    case 'regex-elsewhere':
      return 'its lines stand in another file than its regex';
    case 'different-texts':
      return 'its lines are included in other sections, too, where 2.4 needs other lines: give each section its lines';
    case 'inherits-left':
      return `it inherits from ${scopeWithPlace(refusal.other)}, which could not be converted: convert that by hand first, then run again`;
    case 'left-alone':
      return refusal.why;
    case 'asked':
      return refusal.text;
  }
}

/** The refusals whose text says what to do. */
const SAYS_WHAT_TO_DO: ReadonlySet<Refusal['kind']> = new Set<Refusal['kind']>([
  'guard-without-module',
  'module-of-one-version',
  'block-of-compat',
  'placeholder',
  'endless-line',
  'template',
  'no-require',
  'scattered',
  'template-above',
  'override-list-stays',
  'not-included-meets-blocks',
  'not-included-changes',
  'no-host-list',
  'different-texts',
  'inherits-left',
  'left-alone',
]);

const BY_HAND =
  "--explain '/PATH?from=ADDRESS', with the same files, prints who gets in now: write Require lines that say the same in place of its access lines, then run again";

/** What a person does about a section that is left as it is. @param refusal undefined where only another section that it can meet has one */
export function remedyOf(refusal: Refusal | undefined): { readonly remedy?: string } {
  if (refusal === undefined) return { remedy: 'convert that section by hand, then run again' };
  if (refusal.kind === 'asked') return { remedy: refusal.remedy };
  return SAYS_WHAT_TO_DO.has(refusal.kind) ? {} : { remedy: BY_HAND };
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

const ALONE = 'convert it alone, or together with the server configuration that includes it';

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
