import { loadTree, memory, overlay } from '../../src/config';
import { LogCounter } from '../../src/log';
import { convertServer } from '../../testing/hosting/convert';
import { drawFrom } from '../../testing/hosting/draw';
import { LAYOUTS, hostingServer } from '../../testing/hosting/generate';
import { SIZES } from '../../testing/hosting/plan';
import { type SiteRequest, drawRequests, modelsOf } from '../../testing/hosting/requests';
import { share } from '../../testing/run/size';

const STATUSES: Readonly<Record<string, number>> = { P: 200, U: 401, F: 403, E: 500 };

function lineOf({ host, address, user = '-', method, uri, agent = 'Mozilla/5.0' }: SiteRequest, answer: string): string {
  return `${host}:80 ${address} - ${user} [01/Oct/2026:13:55:36 +0200] "${method} ${uri} HTTP/1.1" ${STATUSES[answer]} 5 "-" "${agent}"\n`;
} // prettier-ignore

type Verdict = 'same' | 'refused' | 'opened' | 'otherwise';

function verdictOn(before: string, after: string): Verdict {
  if (before === after) return 'same';
  return before === 'P' ? 'refused' : after === 'P' ? 'opened' : 'otherwise';
}

/** The result with each line of some kind changed in every third file: who gets in is no longer as in 2.2. */
function planted(texts: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [i, [path, text]] of [...texts].entries())
    if (i % 3 === 0)
      found.set(
        path,
        text
          .replace(/Require (?:all granted|valid-user)/g, 'Require all denied')
          .replace(/Require ip /g, 'Require not ip 10.3.1.4\n    Require ip '),
      );
  return new Map([...texts, ...found]);
}

describe.each(LAYOUTS.map((layout) => [layout.name, layout] as const))('a hosting server as %s lays it out', (_, layout) => {
  const server = hostingServer(layout, SIZES[1]!, 7);
  const { result } = convertServer(server);
  const load = { defines: new Map<string, string>(), env: new Map<string, string>(), cwd: '/' };
  const paths = [layout.main(server.places), ...layout.served(server.places)];
  const written = new Map(result.plan.map(({ file, text }) => [file.path, text]));
  const { as22 } = modelsOf(result.tree);
  const requests = drawRequests(server, share(12_000), drawFrom(3)).filter(({ host }) => host !== 'unknown.example');

  test.each([
    ['as it is converted', written],
    ['with planted mistakes', planted(written)],
  ])('%s: the counts are those of each request by itself', (name, texts) => {
    const after = loadTree(overlay(memory(server.files), texts), paths, load);
    const { as24 } = modelsOf(after);
    const expected: Record<Verdict, number> = { same: 0, refused: 0, opened: 0, otherwise: 0 };
    const counter = new LogCounter({ tree: result.tree, after, outcomes: result.outcomes, accessRules: new Set(['order-allow-deny']) });
    const log = counter.open('access.log');
    for (const request of requests) {
      const answer = as22(request);
      expected[verdictOn(answer, as24(request))]++;
      log.add(lineOf(request, answer));
    }
    log.end();
    const { same, refused, opened, otherwise, unknown, contradictions } = counter.report();
    if (name === 'as it is converted')
      expect({ same, refused, opened, otherwise, unknown }).toEqual({ ...expected, unknown: 0 });
    // What hangs on a group or on a rule that leads elsewhere is said to be unknown, and is never taken for another kind.
    const beyond = [same - expected.same, refused - expected.refused, opened - expected.opened, otherwise - expected.otherwise];
    expect(beyond.filter((count) => count > 0)).toEqual([]);
    expect(unknown).toBeLessThan(requests.length / 20);
    expect(contradictions).toEqual([]);
    if (name === 'with planted mistakes') expect(expected.refused).toBeGreaterThan(20);
  });
}); // prettier-ignore
