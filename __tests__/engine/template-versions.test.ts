import { readdirSync } from 'node:fs';
import { HOME, casesOf, readCase } from '../../testing/fixtures/case';
import { convertFiles, textAfter } from '../../testing/run/convert';
import { soon } from '../../testing/run/soon';

const lines = (...list: string[]): string => list.map((line) => `${line}\n`).join('');

function converted(
  text: string,
  options: { dual?: boolean | undefined; path?: string; others?: Readonly<Record<string, string>> } = {},
): string {
  const { path = '/w/site.conf.erb', others = {} } = options;
  const dual = 'dual' in options ? options.dual : true;
  const result = convertFiles(
    { [path]: text, ...others },
    [path, ...Object.keys(others)],
    dual === undefined ? {} : { dual },
  );
  expect(result.failure).toBeUndefined();
  return textAfter(result, path) ?? text;
}

const INC = '<FilesMatch "\\.inc$">';
const LIB = '<FilesMatch "\\.lib$">';
const OLD = ['    Order allow,deny', '    Deny from all'];
const NEW = '    Require all denied';

/** A template that chooses in one section, with another that it still has to choose in. */
const template = (first: readonly string[], second: readonly string[] = OLD): string =>
  lines(INC, ...first, '</FilesMatch>', LIB, ...second, '</FilesMatch>');

const CONDITIONS: [what: string, condition: string][] = [
  ['Chef', "node[:apache][:version].to_f >= 2.4"],
  ['Chef, by strings', "node['apache']['version'] == '2.4'"],
  ['Chef, as Gem has it', "Gem::Version.new(node['apache']['version']) >= Gem::Version.new('2.4')"],
  ['Puppet', "@apache_version >= '2.4'"],
  ['Puppet, by a function', "scope.function_versioncmp([@apache_version, '2.4']) >= 0"],
  ['Puppet 4', "scope.call_function('versioncmp', [@apache_version, '2.4']) >= 0"],
  ['EPP', "versioncmp($apache::apache_version, '2.4') >= 0"],
]; // prettier-ignore

describe('a template goes on as it chooses between the versions', () => {
  test.each(CONDITIONS)('of %s', (_, condition) => {
    const branches = [`<% if ${condition} -%>`, NEW, '<% else -%>', ...OLD, '<% end -%>'];
    expect(converted(template(branches))).toBe(template(branches, branches));
  });

  test.each([
    ['a filter', "apache_version is version('2.4', '>=')"],
    ['the older filter', "apache_version | version_compare('2.4', 'ge')"],
    ['the second number', 'apache_version.split(".")[1] == "4"'],
    ['a number', 'apache_version|float >= 2.4'],
  ])('of Jinja, by %s', (_, condition) => {
    const branches = [`    {% if ${condition} %}`, NEW, '    {% else %}', ...OLD, '    {% endif %}'];
    expect(converted(template(branches), { path: '/w/site.conf.j2' })).toBe(template(branches, branches));
  });

  test.each([
    ['2.2 first', ["    <%- if @apache_version < '2.4' -%>", ...OLD, '    <%- else -%>', NEW, '    <%- end -%>']],
    ['unless', ["    <% unless @apache_version >= '2.4' %>", ...OLD, '    <% else %>', NEW, '    <% end %>']],
    ['deeper lines', ["    <% if @apache_version >= '2.4' %>", `  ${NEW}`, '    <% else %>', ...OLD.map((line) => `  ${line}`), '    <% end %>']],
  ])('written with %s', (_, branches) => {
    expect(converted(template(branches))).toBe(template(branches, branches));
  }); // prettier-ignore

  test('a choice without else, or with a second question, gets one', () => {
    const asks = ["<% if @apache_version == '2.4' -%>", "<% elsif @apache_version == '2.2' -%>"];
    for (const first of [
      [asks[0]!, NEW, '<% end -%>'],
      [asks[0]!, NEW, asks[1]!, ...OLD, '<% end -%>'],
    ])
      expect(converted(template(first))).toBe(
        template(first, [asks[0]!, NEW, '<% else -%>', ...OLD, '<% end -%>']),
      );
  });

  test('as another template of the run does, and a file that is none does not', () => {
    const branches = ['<% if @apache_version >= 2.4 -%>', NEW, '<% else -%>', ...OLD, '<% end -%>'];
    const others = { '/w/a.conf.erb': template(branches, branches) };
    const section = (body: readonly string[]): string => lines('<Files x>', ...body, '</Files>');
    expect(converted(section(OLD), { others })).toBe(section(branches));
    for (const path of ['/w/plain.conf', '/w/site.conf.j2', '/w/site.conf.epp']) {
      const other = converted(section(OLD), { others, path });
      expect(other).toContain('<IfModule mod_authz_core.c>');
      expect(other).not.toContain('<%');
    }
  });

  test('as a template of the same project does that is no part of the run', () => {
    const branches = [
      '    <%- if node[:apache][:version].to_f < 2.4 %>',
      ...OLD,
      '    <%- else %>',
      NEW,
      '    <%- end %>',
    ];
    const section = (body: readonly string[]): string => lines('<Files x>', ...body, '</Files>');
    const path = '/w/templates/default/mods/status.conf.erb';
    const files = {
      [path]: section(OLD),
      '/w/templates/suse/mods/fastcgi.conf.erb': section(branches),
      '/w/templates/suse/mods/other.conf.erb': 'x <% if @apache_version >= 2.4 %>\n',
    };
    const result = convertFiles(files, [path], { dual: true });
    expect(textAfter(result, path)).toBe(section(branches));
    expect(result.plan).toHaveLength(1);
  });

  test('no program that a line of another template runs is taken over', () => {
    const branches = ['<% if @apache_version >= 2.4 %>', NEW, '<% else %>', ...OLD, '<% end; system("x") %>'];
    const section = (body: readonly string[]): string => lines('<Files x>', ...body, '</Files>');
    const others = { '/w/a.conf.erb': section(branches) };
    expect(converted(section(OLD), { others })).not.toContain('system');
  });

  test('lines that go for 2.4 stay under the condition alone', () => {
    const used = ['<% if @apache_version >= 2.4 -%>', 'KeepAlive On', '<% end -%>'];
    expect(converted(lines(...used, 'DefaultType text/plain'))).toBe(
      lines(
        ...used,
        '<% if @apache_version >= 2.4 -%>',
        '<% else -%>',
        'DefaultType text/plain',
        '<% end -%>',
      ),
    );
  });
});

test('what a template writes for 2.2 alone stays as it is, with --dual and without', () => {
  const text = lines('<% if @apache_version < 2.4 %>', 'MaxClients 5', 'LockFile /a', '<% end %>');
  expect(converted(text)).toBe(text);
  expect(converted(text, { dual: undefined })).toBe(text);
});

test.each([
  ['another version', '<% if @platform_version >= 2.4 %>'],
  ['two questions', "<% if @apache_version >= '2.4' && @deny %>"],
  ['what both pass', '<% if @apache_version >= 2.0 %>'],
])('a condition on %s is none on the version', (_, condition) => {
  const branches = [condition, NEW, '<% else %>', ...OLD, '<% end %>'];
  const text = template(branches);
  // What is chosen among access lines is not known, so that they stay.
  expect(converted(text)).toBe(text);
});

describe('for 2.4 alone', () => {
  test.each([
    ['2.4 first', ['<% if @apache_version >= 2.4 -%>', NEW, '<% else -%>', ...OLD, '<% end -%>']],
    ['2.2 first', ['    <% if @apache_version < 2.4 -%>', ...OLD, '    <% else -%>', NEW, '    <% end -%>']],
    ['deeper', ['    <% if @apache_version < 2.4 -%>', '      Order allow,deny', '      Deny from all', '    <% else -%>', '      Require all denied', '    <% end -%>']],
    ['three', ["<% if @apache_version == '2.2' %>", ...OLD, "<% elsif @apache_version == '2.4' %>", NEW, '<% else %>', '# none', '<% end %>']],
  ])('the choice goes, of which the branch for 2.4 stays: %s', (_, branches) => {
    expect(converted(template(branches, branches), { dual: false })).toBe(template([NEW], [NEW]));
  }); // prettier-ignore

  test('what stands deeper than lines of the template outside of sections moves out with them', () => {
    const text = lines(
      '{% if apache_version >= 2.4 %}',
      '  <Files x>',
      '    Require all denied',
      '  </Files>',
      '{% endif %}',
    );
    expect(converted(text, { dual: false })).toBe(lines('<Files x>', '  Require all denied', '</Files>'));
  });

  test('a branch in which 2.4 would read old lines keeps the whole choice', () => {
    const branches = ['<% if @apache_version >= 2.4 -%>', ...OLD, '<% else -%>', NEW, '<% end -%>'];
    const text = template(branches, branches);
    expect(converted(text, { dual: false }).match(/<%/g)).toHaveLength(6);
  });
});

test('thousands of conditions in each other, and of blanks, take no time and no depth', async () => {
  const nested = ['{% if apache_version >= 2.4 %}\n'.repeat(5000), '{% endif %}\n'.repeat(5000)].join('');
  const blanks = `<% if${' '.repeat(8000)}apache_version${' '.repeat(8000)}%>\n`.repeat(50);
  for (const text of [nested, blanks, `<% if${' '.repeat(60_000)}\n`]) {
    expect(await soon(() => converted(`${text}${lines(INC, ...OLD, '</FilesMatch>')}`))).toContain(
      'Deny from all',
    );
  }
});

describe('a condition of a template is read as <IfVersion> is', () => {
  const ASKS = /^([ \t]*)<IfVersion (>=|<) ?2\.4>/gim;
  const asVersion = (text: string): string =>
    text
      .replace(/\{% if apache_version (>=|<) 2\.4 %\}/g, '<IfVersion $1 2.4>')
      .replaceAll('{% endif %}', '</IfVersion>');
  const asTemplate = (text: string): string =>
    text
      .replace(ASKS, '$1{% if apache_version $2 2.4 %}')
      .replace(/^([ \t]*)<\/IfVersion>/gim, '$1{% endif %}');
  const ofVersion = readdirSync(HOME)
    .flatMap((rule) => casesOf(rule).map((name) => readCase(rule, name)))
    .filter(({ single }) => single)
    .flatMap(({ id, input }) => Object.values(input).map((text) => [id, text] as const))
    .filter(
      ([, text]) => text.match(ASKS)?.length === text.match(/<IfVersion/gi)?.length && text.search(ASKS) >= 0,
    );

  test.each(ofVersion)('%s', (id, text) => {
    const dual = id.startsWith('version-block/') ? false : undefined;
    const template = asTemplate(text);
    // A template needs no module to ask.
    const withoutLoad = (whole: string): string =>
      whole.replace(/<IfModule !version_module>\n.*\n<\/IfModule>\n/, '');
    const expected = converted(asVersion(template), { dual, path: '/w/a.conf' });
    const read = asVersion(converted(template, { dual, path: '/w/a.conf.j2' }));
    expect(withoutLoad(read)).toBe(withoutLoad(expected));
  });
});
