import { readdirSync } from 'node:fs';
import type { RunOptions } from '../../src/engine';
import { needsPerson } from '../../src/report';
import {
  type FixtureCase,
  casesOf,
  convertCase,
  HOME,
  readCase,
  readOptions,
  ROOT,
} from '../../testing/fixtures/case';
import { configtestAll } from '../../testing/httpd/check';
import { faults, judgingRelease } from '../../testing/httpd/release';
import { textAfter } from '../../testing/run/convert';
import { share, shareOf } from '../../testing/run/size';

const path = `${ROOT}/input.conf`;
const cases = readdirSync(HOME)
  .flatMap((rule) => casesOf(rule).map((name) => readCase(rule, name)))
  .filter(({ single }) => single);

/**
 * Modules that the server that judges has not: mod_access_compat, so that it refuses what is left of 2.2, and those of others that
 * fixtures say the target has.
 */
const LACKING = /mod_(?:access_compat|acme_authz|perl)\.so/;

/**
 * What a fixture becomes with all rules, unless it names some; undefined where a person is asked to settle something, or where
 * nothing changes and `changed` asks for that.
 */
function textOf({ input, folder }: FixtureCase, more: RunOptions, changed: boolean): string | undefined {
  const options = { ...readOptions(folder), ...more, target: judgingRelease() };
  const { outcomes, ...rest } = convertCase(input, options);
  if (outcomes.some((finding) => finding.level === 'error' && needsPerson(finding))) return undefined;
  if (changed && rest.plan.length === 0) return undefined;
  const text = textAfter({ outcomes, ...rest }, path);
  return text === undefined || LACKING.test(text)
    ? undefined
    : text.replaceAll(/\b(txt|rnd|prg):\/srv\S+/g, '$1:/dev/null');
}

test.each([
  { form: 'for 2.4', options: {}, parts: 8, changed: false, most: 500 },
  { form: 'for both versions', options: { dual: true }, parts: 16, changed: true, most: 150 },
])(
  'what is converted $form without a word passes the configuration test of a real 2.4',
  async ({ options, parts, changed, most }) => {
    const asked = shareOf(cases, parts).flatMap((each) => {
      const text = textOf(each, options, changed);
      // The test has places and accounts of its own: a fixture's are on no machine that runs the tests.
      return text === undefined
        ? []
        : [{ id: each.id, text: text.replace(/^[ \t]*(?:ServerRoot|DocumentRoot|User|Group) .*\n/gim, '') }];
    });
    expect(asked.length).toBeGreaterThan(share(most, parts) / 2);
    const verdicts = await configtestAll(asked);
    const refused = [...verdicts].filter(([, { ok }]) => !ok);
    expect(faults(refused, asked.length)).toEqual([]);
  },
  300_000,
);
