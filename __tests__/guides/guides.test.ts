import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandBlocks, scriptOf } from '../../testing/guides/blocks';
import { GUIDE_SERVERS } from '../../testing/guides/servers';
import { answerAs, walk } from '../../testing/guides/walk';
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
    const { status, output, answers } = await walk(scratch, server, blocks, name);
    if (status !== 0) throw new Error(output.slice(-4000));
    const shown = server.requests.map((request, i) => ({
      ...request,
      answer: answerAs(request, answers[i]),
    }));
    expect(shown).toEqual(server.requests);
  },
  // Several machines, with runs of the command on each.
  600_000,
);

test('a command that fails ends the walk, and is named', () => {
  const script = scriptOf(commandBlocks('# A\n\n```sh\ntrue\n```\n\n```sh exit=3\n(exit 4)\n```\n'), 'a.md');
  const { status, stdout } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
  expect([status, stdout]).toEqual([1, expect.stringContaining('a.md:8: status 4 instead of 3')]);
});

test.each([
  ['```sh norun\ntrue\n```\n', 'line 1: norun is no machine and status'],
  ['A\n\n```powershell\ndir\n```\n', 'line 3: commands that nothing runs'],
  ['```sh\ntrue\n', 'line 1: the block is not closed'],
])('a block that no walk would run is an error: %j', (markdown, message) => {
  expect(() => commandBlocks(markdown)).toThrow(message);
});
