import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CommandBlock, scriptOf, visits } from './blocks';
import { enterRoot, prepareRoot, type Walked, walkIn } from './private-root';
import type { GuideRequest } from './requests';
import type { GuideServer } from './machine';

/** What a server answered: a status, or why there was none. */
type Answer = number | string | undefined;

/** The answer as a request has it, if it is the one. */
export function answerAs({ answer: asked }: GuideRequest, answer: Answer): Answer {
  const isIn = typeof answer === 'number' && ![401, 403, 500].includes(answer);
  return (asked === 'run' && answer === 503) || (asked === 'in' && isIn) ? asked : answer;
}

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

/** What came of a guide. */
export interface WalkedGuide extends Walked {
  /** To each request; none where a command failed. */
  readonly answers: readonly Answer[];
}

/**
 * Runs the blocks of a guide, each on its machine, and asks the last machine.
 * @param scratch an empty directory
 * @param name of the guide, in messages
 */
export async function walk(
  scratch: string,
  server: GuideServer,
  blocks: readonly CommandBlock[],
  name: string,
): Promise<WalkedGuide> {
  const isProvided = server.isProvided === true;
  const end = `trap - EXIT\n${isProvided ? 'httpd -k start\n' : ''}node /ask.cjs\n`;
  const { machines } = server;
  const asked = machines === undefined ? scratch : join(scratch, machines.at(-1)!.name);
  for (const machine of machines ?? []) {
    mkdirSync(join(scratch, machine.name));
    prepareRoot(join(scratch, machine.name), machine);
  }
  writeFileSync(join(asked, 'ask.cjs'), ask(server.requests));
  let output = '';
  const add = (last: Walked): boolean => {
    output += last.output;
    return last.status === 0;
  };
  const finish = (isDone: boolean): WalkedGuide => ({
    status: isDone ? 0 : 1,
    output,
    answers: isDone ? (JSON.parse(readFileSync(join(asked, 'answers.json'), 'utf8')) as Answer[]) : [],
  });
  if (machines === undefined)
    return finish(add(await walkIn(scratch, server, `${scriptOf(blocks, name)}${end}`)));
  // What a guide has started ends with its visit.
  const all = visits(blocks);
  for (const [i, visit] of all.entries()) {
    const script = `cd /root\n${scriptOf(visit, name)}${i === all.length - 1 && !isProvided ? end : ''}`;
    if (!add(await enterRoot(join(scratch, visit[0]!.on!), script, scratch))) return finish(false);
  }
  return finish(!isProvided || add(await enterRoot(asked, end, scratch)));
}
