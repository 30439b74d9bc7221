import { addressMatches } from '../../src/access/primitives';
import { convertFiles, convertText, textAfter } from '../../testing/run/convert';

function converted(lines: string): string | undefined {
  const text = `AuthType Basic\nAuthName a\nAuthUserFile u\nAuthGroupFile g\n${lines}Order allow,deny\nAllow from all\n`;
  return textAfter(convertFiles({ '/w/.htaccess': text }, ['/w/.htaccess']), '/w/.htaccess');
}

test('all lines of a module count, where several are asked', () => {
  const lines = 'Require user ann\nRequire user bob\nRequire group staff\nRequire group guests\n';
  // 2.2 asks the module of groups first, and nobody else if it decides alone.
  expect(converted(lines)).toMatch(/(?<!Require user.*)\nRequire group staff\nRequire group guests\n/);
  const both = converted(`AuthzGroupFileAuthoritative Off\n${lines}`);
  for (const line of lines.trimEnd().split('\n')) expect(both).toContain(line);
});

test.each([
  '10..',
  '10.1.2.3./32',
  '10.1.2.3..',
  '1.2.3.4.5',
  '1.2.3.4.5.',
  '10.1.2.000000003.',
  '.',
  '10..1',
])('%s is no range of addresses', (word) => {
  const { outcomes, plan } = convertFiles(
    { '/w/.htaccess': `Order deny,allow\nDeny from all\nAllow from ${word}\n` },
    ['/w/.htaccess'],
  );
  const text = plan[0]?.text ?? '';
  expect(text).not.toContain('Require ip');
  expect(outcomes.some(({ level }) => level === 'error') || text.includes(`Require host ${word}`)).toBe(true);
});

// Asked of a real 2.2 and a real 2.4, which agree.
test.each(['10.1.2.3.', '10.', '010.1', '010.1.2.3', '010.1.2.3/32', '10.1.2.000000003'])(
  '%s is a range of addresses',
  (word) => {
    const { outcomes, plan } = convertFiles(
      { '/w/.htaccess': `Order deny,allow\nDeny from all\nAllow from ${word}\n` },
      ['/w/.htaccess'],
    );
    expect(plan[0]?.text).toBe(`Require ip ${word}\n`);
    expect(outcomes.filter(({ status, level }) => level === 'error' && status !== 'applied')).toEqual([]);
    expect(addressMatches(word, '10.1.2.3')).toBe(true);
    expect(addressMatches(word, '8.1.2.3')).toBe(false);
  },
);

// Group lines are for mod_authz_dbm where it alone has a file, and that ends the search unless it is told not to.
test.each([
  ['Require group staff\nRequire user ann', 'Require dbm-group staff'],
  ['Require user ann\nRequire group staff\nAuthzDBMAuthoritative Off', 'Require user ann\nRequire dbm-group staff'],
  ['Require user ann', 'Require user ann'],
])('with the groups of a DBM file, %j is %j', (lines, expected) => {
  const auth = 'AuthType Basic\nAuthName x\nAuthUserFile /u\nAuthDBMGroupFile /g';
  const modules = ['host', 'dbm', 'user'].map((name) => `LoadModule authz_${name}_module modules/mod_authz_${name}.so\n`).join('');
  const text = convertText(`Listen 80\n${modules}<Directory /w>\n${auth}\n${lines}\n</Directory>\n`);
  expect(text).toContain(`<Directory /w>\n${auth}\n${expected}\n</Directory>`);
}); // prettier-ignore
