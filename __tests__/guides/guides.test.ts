import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CommandBlock, commandBlocks, scriptOf, visits } from '../../testing/guides/blocks';
import { enterRoot, prepareRoot, type Walked, walkIn } from '../../testing/guides/private-root';
import { GUIDE_SERVERS, type GuideRequest, type GuideServer } from '../../testing/guides/servers';
import { shareOf } from '../../testing/run/size';

const DOCS = join(__dirname, '../../docs');

/** The server that a guide is walked on: named in its first line. */
const serverOf = (text: string): string | undefined => /^<!-- walked on: ([a-z0-9]+) -->\n/.exec(text)?.[1];

const guides = readdirSync(DOCS, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => [name, readFileSync(join(DOCS, name), 'utf8')] as const);
const walked = guides.filter(([, text]) => commandBlocks(text).length > 0);

let scratch: string;
beforeEach(() => (scratch = mkdtempSync(join(tmpdir(), 'guide-'))));
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

/** Asks the server, and leaves the answers in a file. */
const ask = (requests: readonly GuideRequest[]): string => `
const http = require('node:http');
const https = require('node:https');
const ask = ({ host, path, from, user, tls, method }) => new Promise((resolve) => {
    const headers = { Host: host, ...(user && { Authorization: 'Basic ' + Buffer.from(user + ':' + user).toString('base64') }) };
    const options = { host: '127.0.0.1', port: tls ? 443 : 80, path, localAddress: from, headers, method, servername: host, rejectUnauthorized: false };
    (tls ? https : http).get(options, (answer) => resolve(answer.resume().statusCode)).on('error', ({ code }) => resolve(code));
});
const up = async (left) => (await ask(requests[0])) !== 'ECONNREFUSED' || left === 0 || (await new Promise((go) => setTimeout(go, 50)), up(left - 1));
const requests = ${JSON.stringify(requests)};
up(100).then(() => Promise.all(requests.map(ask))).then((answers) => require('node:fs').writeFileSync('/answers.json', JSON.stringify(answers)));
`;

test('every guide with commands names the server that it is walked on, and every server has a guide', () => {
  expect(walked.map(([name, text]) => [name, serverOf(text)])).toEqual(
    walked.map(([name]) => [name, expect.any(String)]),
  );
  expect(new Set(walked.map(([, text]) => serverOf(text)))).toEqual(new Set(Object.keys(GUIDE_SERVERS)));
});

test.each(shareOf(walked, 3))(
  '%s, command by command, and a real 2.4 that answers as 2.2 did',
  async (name, text) => {
    const server = GUIDE_SERVERS[serverOf(text)!]!();
    const blocks = commandBlocks(text);
    expect(blocks.length).toBeGreaterThan(2);
    const { status, output } = await walk(server, blocks, name);
    if (status !== 0) throw new Error(output.slice(-4000));
    const root = server.machines === undefined ? scratch : join(scratch, server.machines.at(-1)!.name);
    const answers = JSON.parse(readFileSync(join(root, 'answers.json'), 'utf8')) as (number | string)[];
    const shown = server.requests.map((request, i) => {
      const answer = answers[i];
      const isIn = typeof answer === 'number' && ![401, 403, 500].includes(answer);
      return { ...request, answer: isIn && request.answer === 'in' ? 'in' : answer };
    });
    expect(shown).toEqual(server.requests);
  },
  // Several machines, with runs of the command on each.
  180_000,
);

/** Runs the blocks, each on its machine, and asks the last machine. */
async function walk(server: GuideServer, blocks: readonly CommandBlock[], name: string): Promise<Walked> {
  const start = server.isProvided === true ? 'httpd -k start\n' : '';
  const end = `trap - EXIT\n${start}node /ask.cjs\n`;
  if (server.machines === undefined) {
    writeFileSync(join(scratch, 'ask.cjs'), ask(server.requests));
    return walkIn(scratch, server, `${scriptOf(blocks, name)}${end}`);
  }
  for (const machine of server.machines) {
    mkdirSync(join(scratch, machine.name));
    prepareRoot(join(scratch, machine.name), machine);
  }
  writeFileSync(join(scratch, server.machines.at(-1)!.name, 'ask.cjs'), ask(server.requests));
  let last: Walked = { status: 0, output: '' };
  const all = visits(blocks);
  for (const [i, visit] of all.entries()) {
    const script = `cd /root\n${scriptOf(visit, name)}${i === all.length - 1 ? end : ''}`;
    last = await enterRoot(join(scratch, visit[0]!.on!), script, scratch);
    if (last.status !== 0) return last;
  }
  return last;
}

test('a command that fails ends the walk, and is named', () => {
  const script = scriptOf(commandBlocks('# A\n\n```sh\ntrue\n```\n\n```sh exit=3\n(exit 4)\n```\n'), 'a.md');
  const { status, stdout } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
  expect([status, stdout]).toEqual([1, expect.stringContaining('a.md:8: status 4 instead of 3')]);
});
