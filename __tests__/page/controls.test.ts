import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { convert } from '../../src';
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
  expect(inControls('give the output with --modules')).toBe(
    'give the output in the field "Modules of the new server"',
  );
  expect(
    inControls(
      'Once 2.4 has mod_jk, say so with --answer jk=yes, or give what its httpd -M prints with --modules',
    ),
  ).toBe(
    'Once 2.4 has mod_jk, say so with Yes at "Is this so?", or give what its httpd -M prints in the field "Modules of the new server"',
  );
  expect(inControls('refuse as well. --explain shows which section decides')).toBe(
    'refuse as well. The box "Ask" shows which section decides',
  );
  expect(inControls('keep those of 2.2 with this command, or set a value')).toBe(
    `keep those of 2.2 with the switch "keep 2.2's defaults", or set a value`,
  );
  expect(inControls('convert it with --comments')).toBe("convert it with the command's --comments");
});

test('a text without an option of the command stays as it is', () => {
  for (const text of ['php=module', '--with-mpm: the MPM is still compiled in', 'a--b'])
    expect(inControls(text)).toBe(text);
});

test('what is asked names no choice as the command takes it', () => {
  const { questions, tasks } = convert(
    {
      '/etc/httpd/httpd.conf':
        'ServerRoot /etc/httpd\nListen 80\nAddHandler php5-script .php\nLoadModule foo_module x.so\n',
    },
    { wording: inControls },
  ).summary();
  expect(questions.map(({ text }) => text)).toContain(
    'say how PHP runs with 2.4: through PHP-FPM, as a module or not at all',
  );
  expect(tasks.map(({ text }) => text).join('\n')).toContain(
    '(then paste what httpd -M prints into the field "Modules of the new server")',
  );
  expect(inControls('it keeps retry (key=word)')).toBe('it keeps retry (key=word)');
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
