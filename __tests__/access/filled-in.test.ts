import type { Answer, RunResult } from '../../src/engine';
import { loadRereadable, memory } from '../../src/config';
import { run } from '../../src/engine';
import { transforms } from '../../transforms';
import { textAfter } from '../../testing/run/convert';

const section = (lines: string): string => `<Directory /srv/www>\n${lines}</Directory>\n`;
const LISTS = 'Order deny,allow\nDeny from all\n';

function convert(text: string, choice?: string, variables: Record<string, string> = {}): RunResult {
  const source = memory(new Map([['/part.conf', text]]));
  const load = { cwd: '/', defines: new Map(Object.entries(variables)), env: new Map<string, string>() };
  const answers: Answer[] =
    choice === undefined ? [] : [{ key: 'placeholder', value: true, choice, reason: 'a test' }];
  return run(loadRereadable(source, ['/part.conf'], load), transforms, {
    answers,
    rules: ['order-allow-deny'],
  });
}

/** The text that a host list becomes; undefined where its section stays. */
function becomes(
  words: string,
  choice?: string,
  variables?: Record<string, string>,
  head = '',
): string | undefined {
  const text = head + section(`${LISTS}Allow from ${words}\n`);
  const after = textAfter(convert(text, choice, variables), '/part.conf')!;
  return after === text ? undefined : /^<Directory .*>\n([^]*)<\/Directory>/m.exec(after)![1];
}

describe('a variable in a host list', () => {
  test.each([
    ['a name before it', 'www.${X}', {}, 'Require host www.${X}\n'],
    ['a name before it, which is known', 'www.${X}', { X: 'example.org' }, 'Require host www.${X}\n'],
    ['a name before several', 'a-1.${X}.${Y}', {}, 'Require host a-1.${X}.${Y}\n'],
    ['an address that is known', '${X} 10.0.0.1', { X: '192.168.0.0/16' }, 'Require ip ${X} 10.0.0.1\n'],
    ['several addresses', '${X}', { X: '10.1 10.2' }, 'Require ip ${X}\n'],
    ['a name that is known', '${X}', { X: 'a.example.org' }, 'Require host ${X}\n'],
  ])('%s', (_, words, variables, expected) => {
    expect(becomes(words, undefined, variables)).toBe(expected);
  });

  test.each([
    ['it alone, and nobody knows it', '${X}', {}],
    ['digits before it', '10.${X}', {}],
    ['an environment variable', 'env=a.${X}', {}],
    ['what is an address or a name', '${X}', { X: '10.1.1.1 a.example.org' }],
    ['what may be "all"', '${X}', { X: 'all' }],
    ['a letter before it, which may make it "all"', 'a${X}', {}],
  ])('stays where it is not known what it is: %s', (_, words, variables) => {
    expect(becomes(words, undefined, variables)).toBeUndefined();
  });

  test('Define gives it its value, unless a conditional or another one gives another', () => {
    const define = (value: string): string => `Define X ${value}\n`;
    expect(becomes('${X}', undefined, {}, define('10.1'))).toBe('Require ip ${X}\n');
    expect(becomes('${X}', undefined, {}, define('10.1') + define('a.example.org'))).toBeUndefined();
    expect(becomes('${X}', undefined, {}, `<IfDefine Y>\n${define('10.1')}</IfDefine>\n`)).toBeUndefined();
  });

  test('an answer for placeholders does not make another thing of what is known', () => {
    expect(becomes('${X}', 'ip', { X: '10.1.1.1 a.example.org' })).toBeUndefined();
  });
});

describe('a placeholder of a template', () => {
  const TEMPLATES = ['{{ net }}', '<%= @net %>', '@@NET@@', '__NET__', '<?php echo $net ?>'];

  test.each(TEMPLATES)('%s stays until somebody says what it stands for', (words) => {
    expect(becomes(words)).toBeUndefined();
    expect(becomes(words, 'any')).toBeUndefined();
    expect(becomes(words, 'ip')).toBe(`Require ip ${words}\n`);
    expect(becomes(words, 'host')).toBe(`Require host ${words}\n`);
  });

  test('stands beside addresses', () => {
    expect(becomes('127.0.0.1 {{ net }}', 'ip')).toBe('Require ip 127.0.0.1 {{ net }}\n');
    const result = convert(section('Order allow,deny\nAllow from all\nDeny from {{ net }}\n'), 'ip');
    expect(textAfter(result, '/part.conf')).toContain('Require not ip {{ net }}\n');
    expect(result.unmet?.answers).toEqual([]);
  });

  test('is written as it stands, quotes and all', () => {
    expect(becomes("<%= @nets.join(' ') %>", 'ip')).toBe("Require ip <%= @nets.join(' ') %>\n");
    expect(becomes('"{{ net }}"', 'ip')).toBe('Require ip "{{ net }}"\n');
  });

  test('for a variable, or over several lines, stays', () => {
    expect(becomes('env={{ flag }}', 'ip')).toBeUndefined();
    expect(becomes('{{ net \\\n }}', 'ip')).toBeUndefined();
  });

  test('that says how the lists are joined stays', () => {
    const text = section('Order {{ order }}\nAllow from {{ net }}\n');
    expect(textAfter(convert(text, 'ip'), '/part.conf')).toBe(text);
  });
});
