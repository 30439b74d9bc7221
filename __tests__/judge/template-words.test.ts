import { served, vetoesOf } from '../../testing/judge/vetoes';

const inDirectory = (lines: string): ReturnType<typeof served> =>
  served(`<Directory /srv/www/a>\n${lines}</Directory>\n`);

/** How many edits the judge refuses that put one text in the place of another. */
const refused = (was: string, is: string): number => vetoesOf(inDirectory(was), inDirectory(is)).length;

describe.each([
  '@BLOCKED@',
  '<%= @blocked %>',
  '{{ blocked }}',
  '<tmpl_var blocked>',
  '%(blocked)s',
  '[% blocked %]',
  '__BLOCKED__',
  '$blocked',
])('what %s leaves open stands for all and for nobody', (mark) => {
  test('a text that forgets it is refused', () => {
    expect(refused(`Order allow,deny\nAllow from all\nDeny from ${mark}\n`, 'Require all granted\n')).toBe(1);
    expect(refused(`Order deny,allow\nDeny from all\nAllow from ${mark}\n`, 'Require all denied\n')).toBe(1);
  });

  test('a text that takes it for a name, as nobody has said, is refused', () => {
    const lines = `<RequireAll>\nRequire all granted\nRequire not host ${mark}\n</RequireAll>\n`;
    expect(refused(`Order allow,deny\nAllow from all\nDeny from ${mark}\n`, lines)).toBe(1);
  });

  test('the same lines are not', () => {
    const lines = `Order allow,deny\nAllow from all\nDeny from ${mark}\n`;
    expect(refused(lines, `${lines}# read by mod_access_compat\n`)).toBe(0);
  });
});

describe.each([
  ["<% if @apache_version >= '2.4' -%>", '<% else -%>', '<% end -%>'],
  ["{% if apache_version is version('2.4', '>=') %}", '{% else %}', '{% endif %}'],
])('between %s and its end', (asks, otherwise, end) => {
  const old = 'Order deny,allow\nDeny from all\n';
  const branches = (for24: string): string => `${asks}\n${for24}${otherwise}\n${old}${end}\n`;

  test('2.4 reads the branch that is for it', () => {
    expect(refused(old, branches('Require all granted\n'))).toBe(1);
    expect(refused(old, branches('Require all denied\n'))).toBe(0);
  });

  test('2.2 reads the other', () => {
    const was = branches('Require all denied\n');
    expect(refused(was, 'Require all granted\n')).toBe(1);
    expect(refused(was, 'Require all denied\n')).toBe(0);
  });
});
