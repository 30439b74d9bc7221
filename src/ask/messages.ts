import type { Transform } from '../engine/types';
import { logMessage } from '../httpd/messages';
import { oneLine } from '../report';
import { type LoggedRequest, loggedRequest, readLogLine } from '../log';
import {
  type MessageExplanation,
  explainBlock,
  explainConfigError,
  explainOthers,
  explainMessage,
  explainNumber,
  explainQuestion,
  isKnownMessage,
} from './explain-message';
import { withoutMarkup } from './marks';
import { type GivenConfig, type MessagePlace, placeIn, placeText, placesOf } from './places';

/** Messages that have one cause, as far as they say. */
export interface MessageGroup {
  /** The first of them. */
  readonly line: string;
  readonly count: number;
  readonly explanation: MessageExplanation;
  /** Each once, in the order of the log. */
  readonly places: readonly MessagePlace[];
  /** The messages name a line of a server configuration: httpd does not start. */
  readonly stopsStart: boolean;
  /** The requests that they are about, each once, with how often. */
  readonly requests: readonly { readonly request: LoggedRequest; readonly count: number }[];
  /** Times of the first and of the last message, as the log has them. */
  readonly times: readonly [first: string, last: string] | undefined;
}

export interface GroupedMessages {
  /** Groups of messages: first those that name a configuration line, which keep httpd from starting; then by number. */
  readonly groups: readonly MessageGroup[];
  /** Lines of a program that are none of the messages known: what a person writes beside them is not counted. */
  readonly otherLines: number;
  /** Whether lines said only that something failed. */
  readonly saysOnlyThatItFailed: boolean;
}

/** `client denied by server configuration` of mod_authz_core (AH01630) or mod_access_compat (AH01797), or the number. */
export const DENIED = /\bAH01(?:630|797)\b|client denied by server configuration/;

/** Where what httpd logs of a refused request begins, behind what syslog or a person wrote. */
const DENIAL = /\[[a-z0-9_]+:error\]|\[client |client denied by server configuration: \//;

/** Lines of httpd and its control program that say only that something failed, or that all is well. */
const ASIDE_OF_HTTPD =
  /^(?:Syntax OK|(?:.*: )?(?:Pre-configuration|Configuration(?: check)?) [Ff]ailed(?:, exiting)?|.*\bAH000(?:13|14|16|17|18|20): [\w -]+(?:failed|Failed)(?:, exiting)?|(?:.*\bAction '.*' failed\.?[ ]*)?(?:(?:.*: )?The Apache error log may have more information\.?)?|httpd dead but .*|invoke-rc\.d: .*|(?:.*: )?Output of config test was:|.*[Cc]onfig(?:uration|test) (?:failed|is broken)\b.*|.*apache2 failed!|[.\s]*(?:fail!|\[fail\])|(?:Re)?[Ss](?:tart|topp)ing web server \w+|AH00059: .*|(?:Re)?[Ss](?:tart|topp)ing \S+( \S+)*:(?:[ .]*\[? ?(?:FAILED|failed|OK|fail) ?\]?!?)?)$/;

/** Lines of systemd, in some languages, and of package managers that say no more. */
const ASIDE_OF_SYSTEM =
  /^(?:Job for \S+ failed.*|(?:See|Siehe|Voir) \S.*|(?:.*systemd(?:\[\d+\])?: .*)|(?:Unit )?\S+\.service[: ].*|Failed to (?:re)?start .*|(?:Fehler beim Starten von|\S{1,3}chec du d\S{1,2}marrage de|Impossible de d\S{1,2}marrer) .*|.*(?:konnte nicht gestartet werden|n'a pas (?:pu )?d\S{1,2}marr).*|Job (?:f\S{1,2}r|pour) \S+ .*|dpkg: error processing .*|(?:installed )?\S.* ?(?:subprocess|script) .*returned (?:an )?error.*|Errors were encountered while processing:|E: Sub-process .*|(?:Loaded|Active|Process|Main PID|Docs|Drop-In|CGroup|CPU|Tasks|Memory|Status|Main PID)\s*: .*|\S{1,3} \w+\.service.*|[^\w/.]+\S+\.(?:conf|service))$/;

/** A command that somebody typed, with what a shell has in front of it. */
const PROMPT =
  /^(?:[\w.-]+@[\w.-]+:[^#$]*[#$]|\[[^\]]*\][#$]|[#$>])[ ]*(?:sudo )?(?:\S*\/)?(?:service|systemctl|apache2?ctl|apachectl|httpd|apache2|a2en\w+|a2dis\w+|journalctl|tail|apt(?:-get)?|yum|dnf)\b|^(?:sudo )?(?:\S*\/)?(?:(?:apache2ctl|apachectl|httpd|apache2)(?: -?[a-zA-Z]+)?|(?:service|systemctl)(?: [\w.-]+){1,3})$/;

/** What says that all is well. */
const FINE = /^Syntax OK|active \(running\)|\bStart(?:ed|ing) (?!.*fail)|\bStopp(?:ed|ing) /i;

function isAside(line: string): boolean {
  if (/\bSyntax error on line \d/.test(line)) return false;
  const said = line.replace(/^(?:STD(?:OUT|ERR):[ ]?)?(?:\*[ ])?/, '');
  return ASIDE_OF_HTTPD.test(said) || ASIDE_OF_SYSTEM.test(said);
}

/** Characters of a line; httpd writes none that is longer (httpd.h: MAX_STRING_LEN). */
const LONGEST = 8192;

/** How many lines of the configuration, and how many requests, are named at most. */
const MAX_NAMED = 5;

/** Lines of the configuration shown before and after one that a message names. */
const CONTEXT = 1;

/** What is said where httpd names a line, and what was given ends there. */
const ONLY_A_PLACE: MessageExplanation = {
  rule: undefined,
  remedy: 'what is wrong stands behind this message or in the next line: give both, or run httpd -t',
  directive: undefined,
  file: undefined,
  quoted: undefined,
  general: false,
};

/** What is said where httpd names a line and nothing else, in a file of a package as well. */
function onlyAPlace({ name }: MessagePlace): MessageExplanation {
  if (!/\/httpd\/conf\.d\/\w+\.conf$/.test(name)) return ONLY_A_PLACE;
  return {
    ...ONLY_A_PLACE,
    remedy: `${ONLY_A_PLACE.remedy}. Mostly it is an "Invalid command": since RHEL 7 the LoadModule line of a package stands in conf.modules.d, which \`Include conf.modules.d/*.conf\` in httpd.conf has to read, and php_value needs PHP as a module (with PHP-FPM take it out)`,
  };
}

/** What is said where httpd names a line and a reason that is none of the messages known. */
const REFUSED: MessageExplanation = {
  ...ONLY_A_PLACE,
  remedy: 'correct the line, or remove it: the message says what httpd expects there',
};

/** What is said where the reason is not there to the end. */
const CUT: MessageExplanation = {
  ...ONLY_A_PLACE,
  remedy:
    'get the whole line, and give that: it is cut off here. `apachectl configtest` (Debian: apache2ctl) prints it, or `journalctl -l --no-pager -u apache2` (RHEL: -u httpd)',
};

/** A line that systemd has cut: in its middle by dots, or at the width of a terminal, where a pager has put a `>`. */
const IS_CUT = /: Cannot load \S+$|(?:\.{3}|\xe2\x80\xa6)\w*$|\w\[\d+\]: .*[\w' ]>$/;

/** What is said where httpd names a line, and its reason is none of the messages known. */
function refusedLine(line: string): MessageExplanation {
  return IS_CUT.test(line) ? CUT : REFUSED;
}

interface GrowingGroup {
  readonly line: string;
  readonly explanation: MessageExplanation;
  stopsStart: boolean;
  count: number;
  readonly places: Map<string, MessagePlace>;
  readonly requests: Map<string, { readonly request: LoggedRequest; count: number }>;
  times: MessageGroup['times'];
}

/** Whether a message is no cause of anything: it says that something failed, or nothing must be done about it. */
function isMinor({ explanation: { general, remedy } }: Pick<MessageGroup, 'explanation'>): boolean {
  return general || remedy.startsWith('nothing');
}

/**
 * Explains what 2.4 complains about in the lines of a text, each kind of complaint once.
 * @param lines of the text that are a configuration, not messages
 */
export function groupMessages(
  text: string,
  transforms: readonly Transform[],
  given: GivenConfig | undefined,
  lines: ReadonlySet<string> = new Set(),
): GroupedMessages {
  const groups = new Map<string, GrowingGroup>();
  const others: string[] = [];
  let saysOnlyThatItFailed = false;
  let pending: { line: string; place: MessagePlace } | undefined;
  const addPending = (): void => {
    if (pending !== undefined) add(groups, pending.line, onlyAPlace(pending.place), pending.place);
    pending = undefined;
  };
  const said = withoutMarkup(withoutLines(text, lines));
  for (const line of unfolded(said)) {
    if (isAside(line) && !isKnownMessage(line)) {
      saysOnlyThatItFailed ||= saysNoMore(line);
      continue;
    }
    const place = placeIn(line, given);
    const explanation = explainMessage(line, transforms) ?? explainConfigError(line) ?? explainOthers(line);
    if (place !== undefined) addPending();
    if (explanation !== undefined) {
      addAt(groups, line, explanation, { at: place ?? pending?.place, given, isOwn: lines.size === 0 });
      pending = undefined;
    } else if (place !== undefined && hasReason(line)) add(groups, line, refusedLine(line), place);
    else if (place !== undefined) pending = { line, place };
    else if (pending !== undefined && isReason(line)) {
      add(groups, line, refusedLine(line), pending.place);
      pending = undefined;
    } else {
      addPending();
      const byNumber = explainByNumber(line);
      if (byNumber !== undefined) add(groups, line, byNumber, []);
      else others.push(line);
    }
  }
  addPending();
  const whole = saysOnlyThatItFailed ? '' : said || text.trim();
  const question = questionBeside([...groups.values()], others, whole);
  const answer = question && explainQuestion(question, transforms, text.slice(0, LONGEST));
  if (answer && (groups.size === 0 || !answer.general)) {
    add(groups, question.split('\n', 1)[0]!, answer, placesOf(answer, given));
    others.length = 0;
  }
  if (question === '') addBlock(groups, text.slice(0, LONGEST));
  return {
    groups: told([...groups.values()]),
    otherLines: others.filter((line) => OF_PROGRAM.test(line)).length,
    saysOnlyThatItFailed,
  };
}

/** Adds what is wrong with a block that stands beside messages. */
function addBlock(groups: Map<string, GrowingGroup>, text: string): void {
  const block = groups.size === 0 ? undefined : explainBlock(text);
  if (block !== undefined) add(groups, /<IfModule[^\n]*/i.exec(text)![0], block, []);
}

/** What a program has in front of what it says, or in it: a time, a level, a number, its name, a file and a line. */
const OF_PROGRAM =
  /^(?:\[|\(\d+\)|<\d+>|[\w./\\-]+(?:\[\d+\])?: )|\b\d\d:\d\d:\d\d\b|\bAH\d{5}\b|\bon line \d+\b|:\d+:/;

function explainByNumber(line: string): MessageExplanation | undefined {
  const numbered = logMessage(line);
  return numbered && explainNumber(numbered);
}

/** Whether a line that no message is in says that httpd failed. */
function saysNoMore(line: string): boolean {
  return /fail|dead/i.test(line) || !FINE.test(line);
}

/** What somebody asks beside messages that say nothing of it; empty where one of them says what is wrong. */
function questionBeside(found: readonly GrowingGroup[], others: readonly string[], whole: string): string {
  const isAsked = found.every(isMinor);
  return isAsked ? (found.length > 0 ? others.join('\n') : whole).slice(0, LONGEST) : '';
}

/** The messages that say what is wrong: what keeps httpd from starting first, and what is no cause last. */
function told(all: readonly GrowingGroup[]): MessageGroup[] {
  const isSaidElsewhere = all.some(({ explanation }) => !explanation.general);
  const found = all
    .filter(({ explanation }) => !(isSaidElsewhere && explanation.general))
    .map(({ places, requests, ...group }): MessageGroup => ({
      ...group,
      places: [...places.values()],
      requests: [...requests.values()],
    }));
  const rank = (group: MessageGroup): number => Number(group.stopsStart) - Number(isMinor(group));
  return found.sort((a, b) => rank(b) - rank(a) || b.count - a.count);
}

/** The text without lines of a configuration, and without commands that somebody typed. */
function withoutLines(text: string, lines: ReadonlySet<string>): string {
  const rest = text.split('\n').filter((line) => !lines.has(line.trim()) && !PROMPT.test(line.trim()));
  return rest.join('\n').trim();
}

/** How many lines a mail, an issue or a terminal makes of one. */
const MOST_FOLDED = 6;

/** What has the number of a message, or a place, and does not end there. */
const OPEN_END =
  /\bAH\d{5}:(?: |$)|\bSyntax error on line \d+ of(?: \S+:(?: [A-Z][a-z]{1,6})?)?$|\bInvalid command '|\bCannot load$|(?:into server|\.so):$|\bAPI module structure \S+ in file$/;

/** A path that goes on in the next line, and what that is then. */
const CUT_PATH = /\bSyntax error on line \d+ of \/\S*[^:\s]$/;
const REST_OF_PATH = /^(?:[\w./-]+:$|[\w./-]*\.(?:conf|load):)/;

/** A file of a module that goes on in the next line, and what that is then. */
const CUT_MODULE = /\binto server: \/[\w./+-]{1,200}$/;
const REST_OF_MODULE = /^[\w.+-]{0,60}\bso: /;

/** How a reason begins that a terminal may break in the middle of a word. */
const BROKEN_REASONS = ['Cannot load ', "Invalid command '", "Can't locate API module "];

/** Whether a line breaks off within the first words of a reason, which the next one ends. */
function isBrokenReason(line: string, next: string): boolean {
  const begun = line.slice(line.lastIndexOf(': ') + 2);
  return BROKEN_REASONS.some(
    (reason) => begun !== '' && reason.startsWith(begun) && (begun + next).startsWith(reason),
  );
}

/** Where a second message begins in a line: whoever pasted it has lost the end of the line before. */
const NEXT_MESSAGE = / {2,}(?=\(\d+\)[A-Z]|AH\d{5}: )/;

/** The lines of a text, without blanks around them and without empty ones; those that somebody has folded are joined. */
function* unfolded(text: string): Generator<string> {
  const lines = text.split('\n').flatMap((whole) =>
    whole
      .slice(0, LONGEST)
      .split(NEXT_MESSAGE)
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  );
  for (let i = 0; i < lines.length; i++) {
    let line = lines[i]!;
    const next = lines[i + 1] ?? '';
    const isBroken =
      (CUT_MODULE.test(line) && REST_OF_MODULE.test(next)) ||
      (CUT_PATH.test(line) && REST_OF_PATH.test(next)) ||
      isBrokenReason(line, next);
    if (isBroken) line += lines[++i]!;
    if (OPEN_END.test(line)) {
      const more = foldedOff(lines, i);
      if (more > 0) line = lines.slice(i, i + 1 + more).join(' ');
      i += more;
    }
    yield line;
  }
}

/** What a message about a file of a module does not end with. */
const IS_OPEN = /(?:into server:|shared object|in file|\.so:)$/;

/** How many of the lines behind one are its rest, with which it is a message or a place that it was not without. */
function foldedOff(lines: readonly string[], first: number): number {
  let line = lines[first]!;
  if (/(?:into server|\.so):$/.test(line))
    return lines[first + 1] !== undefined && isReason(lines[first + 1]!) ? 1 : 0;
  if (placeIn(line, undefined) !== undefined && !isKnownMessage(line)) return foldedOffPlace(lines, first);
  if (isWhole(line)) {
    // A sentence that goes on: httpd begins none of its messages with a small letter, but those of a .htaccess with its path.
    let more = 0;
    for (let next; (next = lines[first + more + 1]) !== undefined && more < MOST_FOLDED; more++)
      if (!/^(?:[a-z]+ [a-z(]|LoadModule\.$)/.test(next) || isWhole(next)) break;
    return more;
  }
  let found = 0;
  for (let more = 1; more < MOST_FOLDED; more++) {
    const next = lines[first + more];
    if (next === undefined || !isReason(next) || isAside(next)) return found;
    if (isWhole(next) && !line.endsWith('.so:')) return found;
    line += ` ${next}`;
    if (isWhole(line)) found = more;
    // What stands behind a place is a message of its own.
    if (found > 0 && placeIn(line, undefined) !== undefined && !line.endsWith(': Invalid')) return found;
  }
  return found;
}

/** How many lines behind one that names a place are the rest of its message; none where the next is a message by itself. */
function foldedOffPlace(lines: readonly string[], first: number): number {
  let line = lines[first]!;
  let found = 0;
  for (let more = 1; more < MOST_FOLDED; more++) {
    const next = lines[first + more];
    if (next === undefined || !isReason(next) || isAside(next)) return found;
    const isOpen = IS_OPEN.test(line);
    if (isKnownMessage(next) && !isOpen) return found;
    if (!isOpen && !hasReason(line) && !/^(?:Syntax error on line|Cannot load|Can't locate API)\b/.test(next))
      return found;
    line += ` ${next}`;
    if (isKnownMessage(line)) found = more;
    if (found === more && !IS_OPEN.test(line)) return found;
  }
  return found;
}

/** Whether a line says, behind the place that it names, what is wrong there. */
function hasReason(line: string): boolean {
  return /\bon line \d+ of (?:[A-Za-z]:[\\/][^ :]*|[^ :]{2,}): ?[^ ].+$/.test(
    line.slice(Math.max(0, line.lastIndexOf('Syntax error'))),
  );
}

function isWhole(line: string): boolean {
  return isKnownMessage(line) || placeIn(line, undefined) !== undefined;
}

/** A line without a time or number of its own says why httpd refuses the line that the one before it names. */
function isReason(line: string): boolean {
  return !line.startsWith('[') && !/\bAH\d{5}\b/.test(line);
}

/**
 * Adds a message with the place that it names, or with the lines that it is about. Where its file has another name among those
 * given, the lines of its kind are named as well; those that a question brings along are answered as a whole.
 */
function addAt(
  groups: Map<string, GrowingGroup>,
  line: string,
  explanation: MessageExplanation,
  {
    at,
    given,
    isOwn,
  }: { at: MessagePlace | undefined; given: GivenConfig | undefined; readonly isOwn: boolean },
): void {
  if (at === undefined) add(groups, line, explanation, placesOf(explanation, given));
  else add(groups, line, explanation, at, at.file === undefined && isOwn ? placesOf(explanation, given) : []);
}

function add(
  groups: Map<string, GrowingGroup>,
  line: string,
  explanation: MessageExplanation,
  at: MessagePlace | readonly MessagePlace[],
  more: readonly MessagePlace[] = [],
): void {
  const key = JSON.stringify([explanation.rule?.id, explanation.remedy, explanation.directive]);
  const logLine =
    readLogLine(line) ??
    readLogLine(`[error] ${line.slice(Math.max(0, line.search(DENIAL))).replace(/["'`)]+$/, '')}`);
  const request = logLine && loggedRequest(logLine);
  const time = logLine?.kind === 'error' ? logLine.time : undefined;
  let group = groups.get(key);
  if (group === undefined)
    groups.set(
      key,
      (group = {
        line,
        explanation,
        stopsStart: false,
        count: 0,
        places: new Map(),
        requests: new Map(),
        times: undefined,
      }),
    );
  group.count++;
  const isNamed = 'name' in at;
  group.stopsStart ||= isNamed;
  for (const place of isNamed ? [at, ...more] : at) group.places.set(placeText(place), place);
  if (time !== undefined) group.times = [group.times?.[0] ?? time, time];
  if (request === undefined) return;
  const known = group.requests.get(request.path);
  if (known !== undefined) known.count++;
  else group.requests.set(request.path, { request, count: 1 });
}

/** One kind of complaint for people. A byte string, safe for a terminal. */
export function groupText({ line, count, explanation, places, requests, times }: MessageGroup): string {
  const { rule, remedy, source } = explanation;
  const paths = requests.map(
    ({ request, count: often }) => request.path + (often > 1 ? ` (${often} times)` : ''),
  );
  const lines = [
    line + (count > 1 ? ` (and ${count - 1} more like it)` : ''),
    ...(count > 1 && times !== undefined && times[0] !== times[1] ? [`  when:   ${times[0]} to ${times[1]}`] : []), // prettier-ignore
    ...(places.length === 0 ? [] : [`  where:  ${someOf(places.map(placeText))}`]),
    ...places
      .filter(({ file }) => file !== undefined)
      .slice(0, 1)
      .flatMap(excerptLines),
    ...(paths.length < 2 ? [] : [`  about:  ${someOf(paths)}`]),
    ...(source === undefined ? [] : [`  source: ${source}`]),
    ...(rule === undefined ? [] : [`  rule:   ${rule.id}: ${rule.title}`]),
    `  remedy: ${remedy}`,
  ];
  return lines.map((text) => `${oneLine(text)}\n`).join('');
}

/** The line that a message names, marked, with those around it. */
function excerptLines({ file, line }: MessagePlace): string[] {
  if (file === undefined || line === undefined) return [];
  const texts = file.document.text.split('\n');
  const first = Math.max(1, line - CONTEXT);
  return texts.slice(first - 1, line + CONTEXT).flatMap((text, i) => {
    const number = first + i;
    if (number === texts.length && text === '') return [];
    return [
      `        ${number === line ? '>' : ' '} ${String(number).padStart(4)} | ${text.replace(/\r$/, '')}`,
    ];
  });
}

function someOf(texts: readonly string[]): string {
  const moreText = texts.length > MAX_NAMED ? ` and ${texts.length - MAX_NAMED} more` : '';
  return `${texts.slice(0, MAX_NAMED).join(', ')}${moreText}`;
}
