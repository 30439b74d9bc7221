import type { LogContradiction, LogDifference, LogExample, LogReport } from '../../log/types';
import { plural } from '../encoding';

/** What the requests of logs say of a run, in the order in which people read it: byte strings. */
export interface LogContent {
  /** One sentence: how many requests are answered alike. */
  readonly verdict: string;
  readonly isAlarming: boolean;
  readonly entries: readonly LogRemark[];
}

/** A remark with lines of the log that show it. */
export interface LogRemark {
  /** `!`: somebody is refused, or let in; `?`: nobody knows; `i`: worth knowing. */
  readonly mark: '!' | '?' | 'i';
  readonly text: string;
  readonly examples: readonly string[];
}

/** The counts of a log, for documents. */
export function logSummary(log: LogReport): object {
  const { requests, from, to, same, refused, opened, otherwise, unknown, strict, harmless, isPartial } = log;
  return {
    requests,
    from,
    to,
    same,
    refused,
    opened,
    otherwise,
    unknown,
    strict,
    harmless,
    partial: isPartial,
  };
}

/** Words what logs say. */
export function logContent(log: LogReport): LogContent {
  const { refused, opened } = log;
  return {
    verdict: verdictText(log),
    isAlarming: refused + opened > 0,
    entries: [
      ...log.differences.filter(({ verdict }) => verdict !== 'unknown').map(differenceRemark),
      ...log.contradictions.slice(0, FEW).map(contradictionRemark),
      ...furtherContradictions(log.contradictions.slice(FEW)),
      ...log.concerns.map(({ rule, file, at, requests, examples }): LogRemark => ({
        mark: '?',
        text: `${rule} at ${file.name}:${file.document.positionAt(at).line}: ${number(requests)} of your requests`,
        examples: examples.map(exampleText),
      })),
      ...malformedRemarks(log),
      ...log.differences.filter(({ verdict }) => verdict === 'unknown').map(differenceRemark),
      ...harmlessRemarks(log),
      ...log.logs.flatMap(logRemarks),
      ...log.notShown.map((text): LogRemark => ({ mark: 'i', text, examples: [] })),
    ],
  };
}

const number = (count: number): string => count.toLocaleString('en-US');

/** A number of requests, in words. */
export function countOf(count: number): string {
  return count === 1 ? '1 request' : `${number(count)} requests`;
}

/** For instance `1 request was`. */
function wereCount(count: number): string {
  return `${countOf(count)} ${count === 1 ? 'was' : 'were'}`;
}

/** For instance `Log: of 1,204,332 requests of 31 days (2026-10-23 to 2026-11-22), 1,204,330 are answered alike …`. */
function verdictText({
  requests,
  from,
  to,
  same,
  refused,
  opened,
  otherwise,
  unknown,
  isPartial,
  logs,
}: LogReport): string {
  if (requests === 0)
    return `Log: no request could be read from ${plural(logs.length, 'log')}: nothing is known of your visitors`;
  const days =
    from === undefined || to === undefined
      ? undefined
      : Math.round((Date.parse(to) - Date.parse(from)) / DAY) + 1;
  const span = days === undefined ? '' : days === 1 ? ` of ${from}` : ` of ${days} days (${from} to ${to})`;
  const parts = [
    same === requests && requests > 1
      ? `all are answered alike as far as access goes`
      : `${number(same)} ${same === 1 ? 'is' : 'are'} answered alike as far as access goes`,
    ...(opened > 0 ? [`${number(opened)} would be let in that were refused`] : []),
    ...(refused > 0 ? [`${number(refused)} would be refused that were let in`] : []),
    ...(otherwise > 0
      ? [`${number(otherwise)} ${otherwise === 1 ? 'is' : 'are'} refused by another status`]
      : []),
    ...(unknown > 0 ? [`of ${number(unknown)} it is not known`] : []),
  ];
  return `Log: of ${isPartial ? 'the first ' : ''}${countOf(requests)}${span}, ${parts.join('; ')}`;
}

const DAY = 86_400_000;

function placeOf({ section }: LogDifference | LogContradiction): string {
  if (section === undefined) return 'no section';
  const { name, file, at } = section;
  const place = `${file.name}:${file.document.positionAt(at).line}`;
  return name === file.name ? place : `${name} at ${place}`;
}

function differenceRemark(difference: LogDifference): LogRemark {
  const { verdict, examples } = difference;
  const mark = verdict === 'unknown' ? '?' : verdict === 'otherwise' ? 'i' : '!';
  return {
    mark,
    text: `${placeOf(difference)}: ${differenceText(difference)}`,
    examples: examples.map(exampleText),
  };
}

/** What requests meet at a section that the versions do not answer alike, or of which that is not known. */
export function differenceText({ verdict, before, after, requests, open }: LogDifference): string {
  const count = countOf(requests);
  if (verdict === 'unknown')
    return `of ${count} it is not known whether both versions answer alike (${open.map((fact) => FACTS[fact] ?? fact).join(', ')})`;
  if (verdict === 'otherwise')
    return `${count} that 2.2 answers with ${before} get ${after} from 2.4: refused, as before`;
  return verdict === 'refused'
    ? `${count} that 2.2 lets in get ${after} from 2.4: say there who may get in`
    : `${count} that 2.2 answers with ${before} would be let in by 2.4: look at what it says for 2.4 before you write anything`;
}

/** What a log does not show, in a word or two. */
const FACTS: Readonly<Record<string, string>> = {
  __proto__: null!,
  server: 'which virtual host',
  groups: 'which groups',
  user: 'whether a user',
  names: 'the name or address of the client',
  variables: 'a header that sets a variable',
  modules: 'what a module says',
  tls: 'whether by TLS',
  conditionals: 'whether a conditional holds',
  files: 'which file',
  rewrites: 'where a rule leads it',
  sections: 'what a section says',
};

function contradictionRemark(contradiction: LogContradiction): LogRemark {
  const { kind, examples } = contradiction;
  const text = `${placeOf(contradiction)}: ${contradictionText(contradiction)}`;
  return { mark: kind === 'let-in' ? '?' : 'i', text, examples: examples.map(exampleText) };
}

/** What a log says of requests to a section, against the configuration. */
export function contradictionText({ kind, requests }: LogContradiction): string {
  return kind === 'let-in'
    ? `the log says that ${wereCount(requests)} served which the configuration refuses: the log is of another server or time, or something decides that the files do not show (a module, another file)`
    : `${wereCount(requests)} answered with 401, and nothing here asks for a password: an application does, or a module`;
}

/** Contradictions that are told one by one: sites of one kind contradict a log in the same way. */
const FEW = 3;

function furtherContradictions(others: readonly LogContradiction[]): readonly LogRemark[] {
  if (others.length === 0) return [];
  const requests = others.reduce((sum, contradiction) => sum + contradiction.requests, 0);
  return [
    {
      mark: 'i',
      text: `${plural(others.length, 'other section')}: the log contradicts the configuration for ${countOf(requests)} (--format json lists them)`,
      examples: [],
    },
  ];
}

function harmlessRemarks({ strict, harmless }: LogReport): readonly LogRemark[] {
  if (harmless === 0) return [];
  const which =
    strict === harmless
      ? strict === 1
        ? 'the strictest form refuses'
        : `the ${strict} strictest forms refuse`
      : `${harmless} of ${strict} strictest forms refuse`;
  return [
    {
      mark: 'i',
      text: `${which} none of these requests: harmless for this log (--answer log=enough accepts that)`,
      examples: [],
    },
  ];
}

function malformedRemarks({ malformed: { requests, examples } }: LogReport): readonly LogRemark[] {
  if (requests === 0) return [];
  return [
    {
      mark: '?',
      text: `${countOf(requests)} that 2.2 answered get 400 from 2.4: the request line is none of HTTP, for instance with a blank in the path (HttpProtocolOptions Unsafe takes them)`,
      examples: examples.map(exampleText),
    },
  ];
}

function logRemarks({
  name,
  format,
  unread,
  firstUnread,
  problem,
  requests,
}: LogReport['logs'][number]): readonly LogRemark[] {
  const remarks: LogRemark[] = [];
  if (problem !== undefined) remarks.push({ mark: '?', text: `${name}: ${problem}`, examples: [] });
  if (unread > 0 && requests === 0)
    remarks.push({
      mark: '?',
      text: `${name}: is no access log in a format that is known (${plural(unread, 'line')}): give --log-format`,
      examples: [],
    });
  else if (unread > 0)
    remarks.push({
      mark: 'i',
      text: `${name}: ${plural(unread, 'line')} could not be read as ${format ?? 'a request'}, the first at line ${firstUnread}`,
      examples: [],
    });
  return remarks;
}

function exampleText({ log, line, text }: LogExample): string {
  return `${log}:${line}: ${text}`;
}
