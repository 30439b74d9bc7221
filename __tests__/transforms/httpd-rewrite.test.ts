import { convertFiles, textAfter } from '../../testing/run/convert';
import { ask } from '../../testing/httpd/ask';
import { type TestServer, serve } from '../../testing/httpd/server';

/** Pattern and flags of a RewriteCond on a header. */
const conditions = [
  '>=20', '<=20', '!>=20', '"!<=b"', '>b', '<b', '">b" [NC]', '<B [NC]', '!>=b [NC]', '=B [NC]', '=""',
  '-lt5', '!-lt5', '-eqx [NC]', '-ne0', '"-h"', '-L', '!-L [NC]', '-help', '-lt',
]; // prettier-ignore

const inputs = [
  '', '19', '20', '21', '=2', '=20', '=19', '=21', '=200', 'a', 'A', 'b', 'B', 'c', 'C', '=a', '=b', '=c', 'aa', '-lt5', 'x-lt5y', '4', '5',
  '-eqx', '-EQX', '-ne0', '0', '1', '-h', 'x-hy', '-L', '-l', '-help', '-lt', '/', 'index.html',
]; // prettier-ignore

/** compare_lexicography of mod_rewrite: the shorter text is the smaller one. */
function compare(a: string, b: string): number {
  if (a.length !== b.length) return a.length > b.length ? 1 : -1;
  return a === b ? 0 : a > b ? 1 : -1;
}

/** What 2.2 made of a condition (modules/mappers/mod_rewrite.c of 2.2: cmd_rewritecond, apply_rewrite_cond). */
function holds22(condition: string, input: string): boolean {
  const [, quoted, bare, noCase] = /^(?:"(!?.*?)"(?= |$)|(\S+))( \[NC\])?$/.exec(condition)!;
  const word = condition.startsWith('=""') ? '=""' : (quoted ?? bare ?? '');
  const negated = word.startsWith('!');
  const pattern = negated ? word.slice(1) : word;
  const fold = (text: string): string => (noCase === undefined ? text : text.toLowerCase());
  let result: boolean;
  if (pattern.length > 1 && pattern.startsWith('>')) result = compare(input, pattern.slice(1)) === 1;
  else if (pattern.length > 1 && pattern.startsWith('<')) result = compare(input, pattern.slice(1)) === -1;
  else if (pattern.length > 1 && pattern.startsWith('='))
    result = fold(input) === fold(pattern === '=""' ? '' : pattern.slice(1));
  else result = new RegExp(pattern, noCase === undefined ? '' : 'i').test(input);
  return result !== negated;
}

const conf = `RewriteEngine on\n${conditions
  .map((condition, i) => `RewriteCond %{HTTP:X} ${condition}\nRewriteRule ^/${i}/ - [G]\n`)
  .join('')}`;

describe('RewriteCond', () => {
  let before: TestServer;
  let after: TestServer;

  beforeAll(async () => {
    const result = convertFiles({ '/site.conf': conf });
    expect(result.failure).toBeUndefined();
    before = await serve([{ id: 'x', conf }]);
    after = await serve([{ id: 'x', conf: textAfter(result, '/site.conf') ?? '' }]);
  });

  afterAll(async () => {
    await before.stop();
    await after.stop();
  });

  const requests = conditions.flatMap((condition, i) =>
    inputs.map((input) => ({
      condition,
      input,
      request: { case: 'x', path: `/${i}/`, headers: input === '' ? {} : { X: input } },
    })),
  );

  async function differences(server: TestServer): Promise<string[]> {
    const answers = await ask(
      server,
      requests.map(({ request }) => request),
    );
    return requests
      .filter(({ condition, input }, i) => (answers[i] === '?410') !== holds22(condition, input))
      .map(({ condition, input }) => `${condition} on ${input}`);
  }

  test('holds for the same texts after the rewrite', async () =>
    expect(await differences(after)).toEqual([]));

  test('would not have without it', async () => {
    const found = await differences(before);
    for (const condition of ['>=20', '!>=20', '">b" [NC]', '-lt5', '-ne0', '"-h"', '-L'])
      expect(found.some((line) => line.startsWith(`${condition} on `))).toBe(true);
  });
});

test('the test string expr is text', async () => {
  const conf = 'RewriteEngine on\nRewriteCond expr ^expr$\nRewriteRule ^/x - [G]\n';
  const result = convertFiles({ '/site.conf': conf });
  const server = await serve([
    { id: 'before', conf },
    { id: 'after', conf: textAfter(result, '/site.conf') ?? '' },
  ]);
  expect(server.refused.get('before')).toMatch(/cannot compile expression/);
  expect(await ask(server, [{ case: 'after', path: '/x' }])).toEqual(['?410']);
  await server.stop();
});
