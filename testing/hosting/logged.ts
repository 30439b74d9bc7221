import { loadTree, memory, overlay } from '../../src/config';
import { LogCounter, type LogReport } from '../../src/log';
import type { ConvertedServer } from './convert';
import type { SiteRequest } from './requests';

/** What both versions answer to a request: P lets it in, U asks for a password, F refuses it, E fails. */
export interface Answers {
  readonly before: string;
  readonly after: string;
}

const STATUSES: Readonly<Record<string, number>> = { P: 200, U: 401, F: 403, E: 500 };

/** A request as `vhost_combined` has it. @param answer what the server that wrote the log has answered */
function lineOf(
  { host, address, user = '-', method, uri, agent = 'Mozilla/5.0' }: SiteRequest,
  port: number,
  answer: string,
): string {
  return `${host}:${port} ${address} - ${user} [01/Oct/2026:13:55:36 +0200] "${method} ${uri} HTTP/1.1" ${STATUSES[answer]} 5 "-" "${agent}"\n`;
}

export type Verdict = 'same' | 'refused' | 'opened' | 'otherwise';

export function verdictOn({ before, after }: Answers): Verdict {
  if (before === after) return 'same';
  return before === 'P' ? 'refused' : after === 'P' ? 'opened' : 'otherwise';
}

/** The server as it would be written with each line of some kind changed in every third file: who gets in is not as in 2.2. */
export function planted({ server, result }: ConvertedServer): ConvertedServer {
  const texts = new Map(
    result.plan.map(({ file, text }, i): readonly [string, string] => [
      file.path,
      i % 3 === 0
        ? text
            .replace(/Require (?:all granted|valid-user)/g, 'Require all denied')
            .replace(/Require ip /g, 'Require ip 10.3.1.4 ')
        : text,
    ]),
  );
  const { layout, places, files } = server;
  const load = { defines: new Map<string, string>(), env: new Map<string, string>(), cwd: '/' };
  const paths = [layout.main(places), ...layout.served(places)];
  return { server, result, after: loadTree(overlay(memory(files), texts), paths, load) };
}

/** What a log says of a conversion that a 2.2 would have written of some requests. @param answers what 2.2 answers to each */
export function countLog(
  { server, result, after }: ConvertedServer,
  requests: readonly SiteRequest[],
  answers: readonly string[],
): LogReport {
  const counter = new LogCounter({
    tree: result.tree,
    after,
    outcomes: result.outcomes,
    accessRules: new Set(['order-allow-deny']),
  });
  const log = counter.open('access.log');
  requests.forEach((request, i) => log.add(lineOf(request, server.places.port, answers[i]!)));
  log.end();
  return counter.report();
}

/**
 * What is wrong with the counts of a log, held against what 2.4 has answered. What hangs on a group or on a rule that leads
 * elsewhere may be said to be unknown, and is never taken for another kind.
 */
export function countFaults(report: LogReport, answers: readonly Answers[]): readonly string[] {
  const expected = { same: 0, refused: 0, opened: 0, otherwise: 0 };
  for (const answer of answers) expected[verdictOn(answer)]++;
  const kinds: readonly Verdict[] = ['same', 'refused', 'opened', 'otherwise'];
  const beyond = kinds.filter((kind) => report[kind] > expected[kind]);
  const missing = kinds.reduce((sum, kind) => sum + expected[kind] - report[kind], 0);
  return [
    ...beyond.map(
      (kind) => `the log counts ${report[kind]} requests as ${kind}, and 2.4 answers ${expected[kind]} so`,
    ),
    ...(missing === report.unknown
      ? []
      : [`${missing} requests are counted as nothing, ${report.unknown} as unknown`]),
    ...(report.unknown > answers.length / 20 ? [`${report.unknown} requests are not known`] : []),
    ...report.contradictions.map(({ kind }) => `the log contradicts the configuration: ${kind}`),
  ];
}
