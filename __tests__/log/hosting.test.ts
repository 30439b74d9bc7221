import { convertServer } from '../../testing/hosting/convert';
import { drawFrom } from '../../testing/hosting/draw';
import { LAYOUTS, hostingServer } from '../../testing/hosting/generate';
import { countFaults, countLog, planted, verdictOn } from '../../testing/hosting/logged';
import { SIZES } from '../../testing/hosting/plan';
import { drawRequests, modelsOf } from '../../testing/hosting/requests';
import { share } from '../../testing/run/size';

describe.each(LAYOUTS.map((layout) => [layout.name, layout] as const))(
  'a hosting server as %s lays it out',
  (_, layout) => {
    const server = hostingServer(layout, SIZES[1]!, 7);
    const converted = convertServer(server);
    const { as22 } = modelsOf(converted.result.tree);
    const requests = drawRequests(server, share(12_000), drawFrom(3)).filter(
      ({ host }) => host !== 'unknown.example',
    );
    const answers = requests.map((request) => as22(request));

    test.each([
      ['as it is converted', converted],
      ['with planted mistakes', planted(converted)],
    ])('%s: the counts are those of each request by itself', (name, served) => {
      const { as24 } = modelsOf(served.after);
      const pairs = requests.map((request, i) => ({ before: answers[i]!, after: as24(request) }));
      const report = countLog(served, requests, answers);
      expect(countFaults(report, pairs)).toEqual([]);
      if (name === 'as it is converted') expect(report.unknown).toBe(0);
      else expect(pairs.filter((pair) => verdictOn(pair) === 'refused').length).toBeGreaterThan(20);
    });
  },
);
