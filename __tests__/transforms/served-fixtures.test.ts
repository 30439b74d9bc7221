import { readdirSync } from 'node:fs';
import { type FixtureCase, casesOf, convertCase, HOME, readCase } from '../../testing/fixtures/case';
import { type RequestsFile, readRequests } from '../../testing/fixtures/requests';
import { answersOf24 } from '../../testing/fixtures/serve';
import { heldByJudge, judgingRelease } from '../../testing/httpd/release';
import { textAfter } from '../../testing/run/convert';
import { shareOf } from '../../testing/run/size';

/** A fixture with a requests.json. */
interface AskedFixture extends FixtureCase {
  readonly asked: RequestsFile;
}

const fixtures = shareOf(
  readdirSync(HOME)
    .flatMap((rule) => casesOf(rule).map((name) => readCase(rule, name)))
    .flatMap((fixture): AskedFixture[] => {
      const asked = readRequests(fixture);
      return asked === undefined ? [] : [{ ...fixture, asked }];
    }),
  5,
);

function converted({ input, options }: FixtureCase, dual: boolean) {
  const result = convertCase(input, { ...options, target: judgingRelease(), ...(dual ? { dual } : {}) });
  expect(result.failure).toBeUndefined();
  const texts = Object.keys(input).map((path) => [path, textAfter(result, path) ?? ''] as const);
  return { texts: Object.fromEntries(texts), outcomes: result.outcomes };
}

describe('a real 2.4 answers as 2.2 did, or a finding says so', () => {
  test.each(fixtures)('$id', async (fixture) => {
    const { asked } = fixture;
    const { texts, outcomes } = converted(fixture, false);
    const wanted = asked.requests.map(({ answer, answer24, fact }) =>
      answer24 === undefined || (fact !== undefined && !heldByJudge(fact)) ? answer : answer24,
    );
    expect(await answersOf24(texts, asked)).toEqual(wanted);
    const differs = asked.requests.some(({ answer }, i) => wanted[i] !== answer);
    const told = outcomes.some(({ rule }) => rule === fixture.rule);
    expect(told || !differs).toBe(true);
  });

  const editedBy = (dual: boolean): AskedFixture[] =>
    fixtures.filter((fixture) =>
      converted(fixture, dual).outcomes.some(
        ({ rule, status }) => rule === fixture.rule && status === 'applied',
      ),
    );

  test.each(editedBy(true))('$id: for both versions', async (fixture) => {
    const { asked } = fixture;
    const answers = await answersOf24(converted(fixture, true).texts, asked);
    expect(answers).toEqual(asked.requests.map(({ answer, answer24 }) => answer24 ?? answer));
  });

  test.each(editedBy(false))(
    '$id: without the rule, 2.4 answers differently or does not start',
    async (fixture) => {
      const { asked, options, rule } = fixture;
      const { texts } = converted({ ...fixture, options: { ...options, skip: [rule] } }, false);
      const answers = await answersOf24(texts, asked).catch(String);
      expect(answers).not.toEqual(asked.requests.map(({ answer, answer24 }) => answer24 ?? answer));
    },
  );
});
