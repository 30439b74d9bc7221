import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inControls } from '../../page/controls';

const FIXTURES = join(__dirname, '../../__fixtures__/transforms');

test('what the page says names its controls, not options of the command', () => {
  expect(inControls('--answer php=fpm:/run/php.sock (or where FPM listens), php=module, or php=none')).toBe(
    '"fpm:/run/php.sock" at "Is this so?" (or where FPM listens), "module", or "none"',
  );
  expect(inControls('set Options (--pin-defaults writes All)')).toBe(
    `set Options (the switch "keep 2.2's defaults" writes All)`,
  );
  expect(inControls("--explain '/PATH?from=ADDRESS', with the same files, prints who gets in")).toBe(
    'the box "Ask" prints who gets in',
  );
  expect(inControls('give the output with --modules')).toBe("give the output with the command's --modules");
});

test('a text without an option of the command stays as it is', () => {
  for (const text of ['php=module', '--with-mpm: the MPM is still compiled in', 'a--b'])
    expect(inControls(text)).toBe(text);
});

test('no finding of the fixtures keeps an option that is not said to be of the command', () => {
  const texts = readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('findings.json'))
    .flatMap((name) => textsOf(JSON.parse(readFileSync(join(FIXTURES, name), 'utf8'))));
  const named = texts.filter((text) => OPTION.test(text));
  expect(named.length).toBeGreaterThan(20);
  expect(
    named.map(inControls).filter((text) => OPTION.test(text.replaceAll("the command's --", ''))),
  ).toEqual([]);
});

const OPTION =
  /--(?:answer|format|pin-defaults|dual|modules|exact|explain|comments|unused|templates|target|server-root|safe-only)\b/;

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}
