import { isTemplatePath } from '../../src/access/primitives';
import { memory } from '../../src/config';
import { hasPlaceholder, parse, templateLine } from '../../src/syntax';
import { command } from '../../testing/run/command';

test.each([
  '<%= @x %>', '<%- x %>', '<?php echo $x ?>', '<?= $x ?>', '{{ x }}', '{% if x %}', '[% x %]', '<tmpl_var name="x">', '<TMPL_VAR x>',
  '@BLOCKED@', '@@HOST@@', '%(net)s', '#{x}', '__NET__', '10.1.__MY_NET__', '${X}', '10.1.{{ n }}',
])('%s holds a placeholder', (text) => {
  expect(hasPlaceholder(text)).toBe(true);
}); // prettier-ignore

test.each([
  '10.1.2.3', 'example.com', 'user@example.com', '%{REMOTE_ADDR}', '%h %l %u %t "%r" %>s %b', '^/(?>a|b)$', '[[:alpha:]]{2,3}', '/[\\w-%]+/',
  '/~user/', 'REMOTE_ADDR', 'a__b', '$1', '%1', '/srv/$1', 'm#^/a#',
])('%s holds none', (text) => {
  expect(hasPlaceholder(text)).toBe(false);
}); // prettier-ignore

test.each([
  ['opens', ['<% if @x -%>', '<%- @hosts.each do |h| -%>', '{% for h in hosts %}', '{%- if x -%}', '{{#if x}}', '{{ range .X }}', '[% IF x %]',
    '<?php if ($x): ?>', '<? foreach ($x as $y) { ?>', '<tmpl_if name="x">', '<#if x>', '<c:if test="x">', '% if x:', '@if ($x)']],
  ['divides', ['<% else -%>', '<% elsif @y %>', '{% elif y %}', '{{ else }}', '[% ELSE %]', '<? } else { ?>', '<tmpl_else>']],
  ['closes', ['<% end -%>', '<%- } %>', '{% endif %}', '{{/if}}', '{{- end }}', '[% END %]', '<?php endif; ?>', '<? } ?>', '</tmpl_if>', '</#if>']],
  ['value', ['<%= @x %>', '{{ rules }}', '<%# if a comment %>', '{# if #}', '{% include "x" %}', '<tmpl_var name="x">', '@RULES@', '__X__',
    '{% if x %}Deny from all{% endif %}']],
] as const)('a line that %s', (kind, lines) => {
  for (const line of lines) expect([line, templateLine(line)]).toEqual([line, kind]);
}); // prettier-ignore

test('a line of a template opens no section and closes none', () => {
  const text =
    '<% if a %>\n<tmpl_if name="b">\n<Directory /a>\n{% if c %}\n<tmpl_var x>\n</Directory>\n</tmpl_if>\n';
  const { body } = parse(text);
  expect(body.map(({ kind }) => kind)).toEqual(['stray', 'stray', 'section', 'stray']);
  const [, , section] = body;
  expect(section?.kind === 'section' && section.body.map(({ kind }) => kind)).toEqual(['stray', 'stray']);
});

test('a file that is a template by its name blocks nothing; any other is refused by httpd until it is filled in', async () => {
  const text =
    '<% if @x -%>\n<Directory /a>\n  Order allow,deny\n  Allow from all\n</Directory>\n<% end -%>\n';
  const run = async (name: string): Promise<string> => {
    const source = memory(new Map([[name, text]]));
    const { stdout, stderr } = await command([name, '--diff', '-v'], { cwd: '/' }, { source });
    return stdout + stderr;
  };
  for (const name of ['/a.conf.erb', '/a.conf.EPP', '/a.j2', '/a.conf.tmpl']) {
    const said = await run(name);
    expect([name, said]).toEqual([name, expect.stringContaining('+  Require all granted')]);
    expect([name, said]).toEqual([name, expect.stringContaining('0 blockers')]);
    expect(said).toContain('a template, by its name: its lines (and 1 more such line) and placeholders stay');
  }
  for (const name of ['/a.conf', '/erb.conf'])
    expect(await run(name)).toContain('httpd refuses the file until it is filled in');
});

describe('--templates', () => {
  const text =
    '{% if x %}\n<Directory /a>\n  Order deny,allow\n  Deny from all\n  Allow from {{ office }}\n</Directory>\n{% endif %}\n';
  const source = memory(
    new Map([
      ['/t/a.conf', text],
      ['/t/b.j2', text],
    ]),
  );
  const report = async (
    ...argv: string[]
  ): Promise<{
    findings: { path: string; level: string; blocker: boolean; message: string; answers?: object[] }[];
  }> => JSON.parse((await command([...argv, '--format', 'json'], { cwd: '/t' }, { source })).stdout) as never;

  test('takes a file for a template whatever its name, and its placeholders stay', async () => {
    const { findings } = await report('a.conf', '--templates', '--answer', 'placeholder=ip');
    expect(findings.filter(({ blocker }) => blocker)).toEqual([]);
    const said = findings.map(({ message }) => message).join('\n');
    expect(said).toContain(
      'a template, as --templates says: its lines (and 1 more such line) and placeholders stay',
    );
    // What the placeholder was taken for.
    expect(said).toContain('; as answered, {{ office }} stands for addresses');
    expect(findings.flatMap(({ answers = [] }) => answers)).toEqual([
      expect.objectContaining({ key: 'placeholder', choice: 'ip' }),
    ]);
    const { stdout } = await command(
      ['a.conf', '--templates', '--answer', 'placeholder=ip'],
      { cwd: '/t' },
      { source },
    );
    expect(stdout).toContain('+  Require ip {{ office }}\n');
  });

  test('is needed for names that tell nothing, and makes no difference to the others', async () => {
    const { findings } = await report('a.conf', '--answer', 'placeholder=ip');
    expect(findings.filter(({ blocker }) => blocker).map(({ message }) => message)).toEqual([
      expect.stringContaining('httpd refuses the file until it is filled in'),
    ]);
    expect((await report('b.j2', '--templates')).findings).toEqual((await report('b.j2')).findings);
  });

  test('takes a placeholder among access lines for addresses, and says so, as for any template', async () => {
    for (const name of ['a.conf', 'b.j2']) {
      const { stdout, stderr } = await command([name, '--templates'], { cwd: '/t' }, { source });
      expect(stdout).toContain('+  Require ip {{ office }}\n');
      expect(stderr).toContain('placeholder-addresses: {{ office }} stands for addresses');
      expect(stderr).toContain(' 0 blockers');
    }
    const { stdout } = await command(
      ['b.j2', '--answer', 'placeholder-addresses=no'],
      { cwd: '/t' },
      { source },
    );
    expect(stdout).toBe('');
  });

  test.each([
    '{{ office }}.example.com',
    'env={{ office }}',
    '${office}',
    '$office',
    '{{ a }} office {{ b }}',
  ])('asks about %s, which no template fills in with addresses alone', async (word) => {
    const files = memory(new Map([['/t/b.j2', text.replace('{{ office }}', word)]]));
    const { stdout } = await command(['b.j2'], { cwd: '/t' }, { source: files });
    expect(stdout).not.toContain('Require ip {{');
    expect(stdout).not.toContain('Require ip $');
  });
});

test.each([
  '/srv/{{ app }}',
  '/srv/$app/htdocs',
  '/srv/{app}/htdocs',
  '/srv/%app%',
  '/srv/@APP@',
  '/srv/<app>',
  '@root',
  '/srv/[% app %]',
])('where %s leads is not known', (path) => {
  expect(isTemplatePath(path)).toBe(true);
});

test.each([
  '/srv/a$b',
  '/srv/a{b}',
  '/srv/%{x}',
  '/srv/a@b',
  '/home/me@example.com',
  '/srv/a%b',
  '/srv/[ab]*',
  '/~me',
  '/@@view',
])('%s is a path as it stands', (path) => {
  expect(isTemplatePath(path)).toBe(false);
});
