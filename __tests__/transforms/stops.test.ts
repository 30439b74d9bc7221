import { readdirSync } from 'node:fs';
import { convert, transforms } from '../../src';
import { casesOf, HOME, readCase } from '../../testing/fixtures/case';
import { type CheckCase, configtestAll } from '../../testing/httpd/check';

/** Rules whose errors keep 2.4 from starting, all or some of them. */
const RULES = [...transforms.filter(({ stops }) => stops).map(({ id }) => id), 'load-module'];

/** What the rules have to do with: their fixtures for the newest release, in one file. */
function texts(): readonly CheckCase[] {
  return RULES.filter((rule) => readdirSync(HOME).includes(rule)).flatMap((rule) =>
    casesOf(rule)
      .map((name) => readCase(rule, name))
      .filter(({ single, options }) => single && options.target === undefined)
      .map(({ id, input }) => ({ id, text: Object.values(input)[0] ?? '', compat: true })),
  );
}

/** Whether 2.4 does not start with the text, by what is said of a request. */
function isSaidToStop({ text }: CheckCase): boolean {
  const reply = convert({ '/a.conf': String(text) }).ask('GET / from 10.1.2.3');
  return reply.kind === 'request' && reply.versions[1]?.answer === 'none';
}

test('a real 2.4 refuses each text of which it is said that 2.4 does not start', async () => {
  const said = texts().filter(isSaidToStop);
  expect(said.length).toBeGreaterThan(100);
  const verdicts = await configtestAll(said);
  expect([...verdicts].filter(([, { ok }]) => ok).map(([id]) => id)).toEqual([]);
}, 300_000);
