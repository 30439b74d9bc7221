// node check.cjs [--sizes N] [--seed N]: converts hosting servers of each layout, of the N smallest sizes (2), and holds the
// result against 2.2: by the models, and by a real 2.4 in a private network namespace, as it is and with planted mistakes, whose
// answers the counts of a log must equal. Its last line is "N passed, N failed".
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask } from '../httpd/ask';
import { freePort } from '../httpd/config';
import { inNamespace, runInNamespace } from '../httpd/netns';
import { type ConvertedServer, convertServer, faultsOf } from './convert';
import { drawFrom } from './draw';
import { LAYOUTS, hostingServer } from './generate';
import type { Layout } from './layout';
import { countFaults, countLog, planted, verdictOn } from './logged';
import { SIZES, type Size } from './plan';
import { type SiteRequest, drawRequests, modelsOf } from './requests';
import { placesBelow, serveConverted } from './serve';

const REQUESTS = 11_000;
/** Requests that are asked of the real server. */
const ASKED = 1500;

/** How one server came out: all that is wrong, and how much was asked. */
interface Report {
  readonly name: string;
  readonly faults: readonly string[];
  readonly requests: number;
  readonly asked: number;
  /** By answer. */
  readonly answers: Readonly<Record<string, number>>;
}

async function checkServer(layout: Layout, size: Size, seed: number): Promise<Report> {
  const name = `${layout.name} ${size.sites}/${size.accessFiles}/${size.passwords}`;
  const top = mkdtempSync(join(tmpdir(), 'hosting-'));
  try {
    const port = await freePort();
    const server = hostingServer(layout, size, seed, placesBelow(top, port));
    const converted = convertServer(server);
    const faults = [...faultsOf(converted)];
    const [before, after] = [modelsOf(converted.result.tree), modelsOf(converted.after)];
    const requests = drawRequests(server, REQUESTS, drawFrom(seed + 1));
    const answers = requests.map((request) => before.as22(request));
    requests.forEach((request, i) => {
      const is = after.as24(request);
      if (is !== answers[i]) faults.push(`${shown(request)}: 2.2 ${answers[i]}, the model of 2.4 ${is}`);
    });
    const some = requests.slice(0, ASKED);
    const given = await askServer(converted, some, port);
    some.forEach((request, i) => {
      if (given[i] !== answers[i]) faults.push(`${shown(request)}: 2.2 ${answers[i]}, 2.4 ${given[i]}`);
    });
    const wrong = planted(converted);
    for (const [what, served, is] of [
      ['as it is', converted, given],
      ['with mistakes', wrong, await askServer(wrong, some, port)],
    ] as const) {
      const pairs = some.map((_, i) => ({ before: answers[i]!, after: is[i]! }));
      const wrongCounts = countFaults(countLog(served, some, answers), pairs);
      faults.push(...wrongCounts.map((fault) => `${what}: ${fault}`));
      if (served === wrong && !pairs.some((pair) => verdictOn(pair) === 'refused'))
        faults.push('no mistake shows');
    }

    const counts: Record<string, number> = {};
    for (const answer of answers) counts[answer] = (counts[answer] ?? 0) + 1;
    return { name, faults, requests: requests.length, asked: some.length, answers: counts };
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
}

/** What a real 2.4 answers to requests, with the files as a conversion would write them. */
async function askServer(
  converted: ConvertedServer,
  requests: readonly SiteRequest[],
  port: number,
): Promise<readonly string[]> {
  const running = await serveConverted(converted);
  try {
    return await ask(
      {
        port,
        mainPort: port,
        hosts: new Map(requests.map(({ host }) => [host, host])),
        refused: new Map(),
        log: () => '',
        stop: () => running.stop(),
      },
      requests.map(({ host, method, uri, address, agent, user }) => ({
        case: host,
        method,
        path: uri,
        src: address,
        ...(user === undefined ? {} : { user }),
        ...(agent === undefined ? {} : { headers: { 'User-Agent': agent } }),
      })),
    );
  } finally {
    await running.stop();
  }
}

function shown({ method, host, uri, address, user }: SiteRequest): string {
  return `${method} http://${host}${uri} from ${address}${user === undefined ? '' : ` as ${user}`}`;
}

async function main(argv: readonly string[]): Promise<void> {
  const option = (name: string, otherwise: number): number => {
    const at = argv.indexOf(`--${name}`);
    return at < 0 ? otherwise : Number(argv[at + 1]);
  };
  if (inNamespace()) {
    const reports: Report[] = [];
    for (const size of SIZES.slice(0, option('sizes', 2)))
      for (const layout of LAYOUTS) reports.push(await checkServer(layout, size, option('seed', 1)));
    process.stdout.write(JSON.stringify(reports));
    return;
  }
  const reports = JSON.parse(await runInNamespace(process.argv[1]!, argv, {})) as Report[];
  let failed = 0;
  for (const { name, faults, requests, asked, answers } of reports) {
    console.log(`${name}: ${requests} requests, ${asked} of them asked of 2.4, ${JSON.stringify(answers)}`);
    for (const fault of faults.slice(0, 10)) console.log(`  ${fault}`);
    if (faults.length > 10) console.log(`  and ${faults.length - 10} more`);
    if (faults.length > 0) failed++;
  }
  console.log(`${reports.length - failed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
});
