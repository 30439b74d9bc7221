import type { Transform } from '../engine/types';
import { type LogMessage, logMessage } from '../httpd/messages';
import { oneLine } from '../report';
import { type LoggedRequest, loggedRequest, readLogLine } from '../log';
import { type MessageExplanation, explainMessage, isKnownMessage } from './explain-message';
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
  /**
   * Groups of messages: those that name a line of the configuration first, for they keep httpd from starting; then the most
   * frequent.
   */
  readonly groups: readonly MessageGroup[];
  /** Lines that are none of the messages known. */
  readonly otherLines: number;
  /** What the sources of 2.4 say about those of them that have a number, each once. */
  readonly otherMessages: readonly LogMessage[];
  /** Whether lines said only that something failed. */
  readonly saysOnlyThatItFailed: boolean;
}

/**
 * `client denied by server configuration`, of mod_authz_core (AH01630) or of mod_access_compat (AH01797), or such a number alone.
 */
export const DENIED = /\bAH01(?:630|797)\b|client denied by server configuration/;

/** Lines of httpd, its control program and systemd that say only that something failed, or that all is well. */
const ASIDE =
  /^(?:Syntax OK|.*\bAH000(?:13|14|16|17|18|20): [\w -]+(?:failed|Failed)(?:, exiting)?|(?:.*: )?Action '.*' failed\.?|(?:.*: )?The Apache error log may have more information\.?|Job for \S+ failed.*|See "systemctl status .*|.*systemd\[1\]: .*)$/;

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
};

/** What is said where httpd names a line and a reason that is none of the messages known. */
const REFUSED: MessageExplanation = {
  ...ONLY_A_PLACE,
  remedy: 'correct the line, or remove it: the message says what httpd expects there',
};

interface GrowingGroup {
  readonly line: string;
  readonly explanation: MessageExplanation;
  stopsStart: boolean;
  count: number;
  readonly places: Map<string, MessagePlace>;
  readonly requests: Map<string, { readonly request: LoggedRequest; count: number }>;
  times: MessageGroup['times'];
}

/** Explains what 2.4 complains about in the lines of a text, each kind of complaint once. */
export function groupMessages(
  text: string,
  transforms: readonly Transform[],
  given: GivenConfig | undefined,
): GroupedMessages {
  const groups = new Map<string, GrowingGroup>();
  let otherLines = 0;
  let saysOnlyThatItFailed = false;
  const otherMessages = new Map<string, LogMessage>();
  let pending: { line: string; place: MessagePlace } | undefined;
  const addPending = (): void => {
    if (pending !== undefined) add(groups, pending.line, ONLY_A_PLACE, pending.place);
    pending = undefined;
  };
  for (const line of unfolded(text)) {
    if (ASIDE.test(line)) {
      saysOnlyThatItFailed ||= /fail/i.test(line);
      continue;
    }
    const place = placeIn(line, given);
    const explanation = explainMessage(line, transforms);
    if (place !== undefined) addPending();
    if (explanation !== undefined) {
      const at = place ?? pending?.place;
      add(groups, line, explanation, at ?? placesOf(explanation, given));
      pending = undefined;
    } else if (place !== undefined) pending = { line, place };
    else if (pending !== undefined && isReason(line)) {
      add(groups, line, REFUSED, pending.place);
      pending = undefined;
    } else {
      addPending();
      otherLines++;
      const numbered = logMessage(line);
      if (numbered !== undefined) otherMessages.set(numbered.id, numbered);
    }
  }
  addPending();
  const found = [...groups.values()].map(({ places, requests, ...group }): MessageGroup => ({
    ...group,
    places: [...places.values()],
    requests: [...requests.values()],
  }));
  const sorted = found.sort((a, b) => Number(b.stopsStart) - Number(a.stopsStart) || b.count - a.count);
  return { groups: sorted, otherLines, otherMessages: [...otherMessages.values()], saysOnlyThatItFailed };
}

/** How many lines a mail, an issue or a terminal makes of one. */
const MOST_FOLDED = 4;

/** What has the number of a message, or a place, and does not end there. */
const OPEN_END = /\bAH\d{5}: |\bSyntax error on line \d+ of$|\bInvalid command '|into server:$/;

/** The lines of a text, without blanks around them and without empty ones; those that somebody has folded are joined. */
function* unfolded(text: string): Generator<string> {
  const lines = text.split('\n').flatMap((whole) => {
    const line = whole.slice(0, LONGEST).trim();
    return line === '' ? [] : [line];
  });
  for (let i = 0; i < lines.length; i++) {
    let line = lines[i]!;
    if (OPEN_END.test(line)) {
      const more = foldedOff(lines, i);
      if (more > 0) line = lines.slice(i, i + 1 + more).join(' ');
      i += more;
    }
    yield line;
  }
}

/** How many of the lines behind one are its rest, with which it is a message or a place that it was not without. */
function foldedOff(lines: readonly string[], first: number): number {
  let line = lines[first]!;
  if (line.endsWith('into server:'))
    return lines[first + 1] !== undefined && isReason(lines[first + 1]!) ? 1 : 0;
  if (isWhole(line)) {
    // A sentence that goes on: httpd begins none of its messages with a small letter, but those of a .htaccess with its path.
    const next = lines[first + 1];
    return next !== undefined && /^[a-z]+ [a-z]/.test(next) && !isWhole(next) ? 1 : 0;
  }
  let found = 0;
  for (let more = 1; more < MOST_FOLDED; more++) {
    const next = lines[first + more];
    if (next === undefined || !isReason(next) || ASIDE.test(next) || isWhole(next)) return found;
    line += ` ${next}`;
    if (isWhole(line)) found = more;
    // What stands behind a place is a message of its own.
    if (found > 0 && placeIn(line, undefined) !== undefined) return found;
  }
  return found;
}

function isWhole(line: string): boolean {
  return isKnownMessage(line) || placeIn(line, undefined) !== undefined;
}

/** A line without a time or number of its own says why httpd refuses the line that the one before it names. */
function isReason(line: string): boolean {
  return !line.startsWith('[') && !/\bAH\d{5}\b/.test(line);
}

function add(
  groups: Map<string, GrowingGroup>,
  line: string,
  explanation: MessageExplanation,
  at: MessagePlace | readonly MessagePlace[],
): void {
  const key = JSON.stringify([explanation.rule?.id, explanation.remedy, explanation.directive]);
  const logLine = readLogLine(line);
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
  for (const place of isNamed ? [at] : at) group.places.set(placeText(place), place);
  if (time !== undefined) group.times = [group.times?.[0] ?? time, time];
  if (request === undefined) return;
  const known = group.requests.get(request.path);
  if (known !== undefined) known.count++;
  else group.requests.set(request.path, { request, count: 1 });
}

/** One kind of complaint for people. A byte string, safe for a terminal. */
export function groupText({ line, count, explanation, places, requests, times }: MessageGroup): string {
  const { rule, remedy } = explanation;
  const paths = requests.map(({ request, count: often }) => request.path + (often > 1 ? ` (${often} times)` : '')); // prettier-ignore
  const lines = [
    line + (count > 1 ? ` (and ${count - 1} more like it)` : ''),
    ...(count > 1 && times !== undefined && times[0] !== times[1] ? [`  when:   ${times[0]} to ${times[1]}`] : []), // prettier-ignore
    ...(places.length === 0 ? [] : [`  where:  ${someOf(places.map(placeText))}`]),
    ...places.slice(0, 1).flatMap(excerptLines),
    ...(paths.length < 2 ? [] : [`  about:  ${someOf(paths)}`]),
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
