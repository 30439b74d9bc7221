import { checkRewrites } from '../../src/access';
import { loadTree, memory, overlay } from '../../src/config';
import { type Outcome, type RunResult, run } from '../../src/engine';
import { transforms } from '../../transforms';

const LOAD = { defines: new Map<string, string>(), env: new Map<string, string>(), cwd: '/' };
const SERVER = '/etc/httpd/httpd.conf';

interface ConvertedFiles {
  readonly result: RunResult;
  readonly text: (path: string) => string;
  readonly check: (path: string, text: string) => string | undefined;
}

function convert(files: Readonly<Record<string, string>>): ConvertedFiles {
  const source = memory(new Map(Object.entries({ '/w/index.html': '', ...files })));
  const load = (texts: ReadonlyMap<string, string>): ReturnType<typeof loadTree> =>
    loadTree(overlay(source, texts), [SERVER, '/w'], LOAD);
  const tree = loadTree(source, [SERVER, '/w'], LOAD);
  const result = run({ tree, reread: load }, transforms);
  const texts = new Map(result.plan.map(({ file, text }) => [file.path, text]));
  const applied = result.outcomes.filter(
    ({ rule, status }) => rule === 'order-allow-deny' && status === 'applied',
  );
  return {
    result,
    text: (path) => texts.get(path) ?? files[path]!,
    check: (path, text) =>
      [...checkRewrites(tree, load(new Map([...texts, [path, text]])), applied).values()][0]?.why,
  };
}

function left({ outcomes }: RunResult): readonly Outcome[] {
  return outcomes.filter(
    ({ rule, safety, edits }) => rule === 'order-allow-deny' && safety === 'manual' && edits.length === 0,
  );
}

const HEAD = 'ServerRoot /etc/httpd\nListen 80\nDocumentRoot /w\n';
const section = (path: string, lines: string): string =>
  `<Directory ${path}>\nAllowOverride All\n${lines}</Directory>\n`;
const LISTS = 'Order allow,deny\nAllow from 10.1\n';
const ALL = 'Order allow,deny\nAllow from all\nSatisfy All\n';
const ODD = 'Order allow,deny\nAllow from $office\n';
const PASSWORD = 'AuthType Basic\nAuthName x\nAuthUserFile users\nRequire valid-user\n';

describe('a section that cannot be converted', () => {
  const config =
    HEAD + section('/w', LISTS) + section('/w/odd', ODD) + section('/w/other', `${ALL}${PASSWORD}`);

  test('does not keep those that it can meet from it', () => {
    const { result, text } = convert({ [SERVER]: config });
    expect(result.failure).toBeUndefined();
    expect(text(SERVER)).toContain(`<Directory /w/odd>\nAllowOverride All\n${ODD}</Directory>`);
    expect(text(SERVER)).toContain('<Directory /w>\nAllowOverride All\nRequire ip 10.1\n</Directory>');
    expect(text(SERVER).match(/^(?:Order|Allow|Deny|Satisfy) /gm)).toHaveLength(2);
    expect(left(result).map(({ level, message }) => [level, message])).toEqual([
      [
        'error',
        expect.stringMatching(
          /^<Directory \/w\/odd> is left as it is: .*; the sections it can meet are converted, and until it is too, 2\.4 does not start/,
        ),
      ],
    ]);
  });

  test('a second run changes nothing', () => {
    const { text } = convert({ [SERVER]: config });
    const again = convert({ [SERVER]: text(SERVER) });
    expect(again.text(SERVER)).toBe(text(SERVER));
    expect(left(again.result).length).toBeGreaterThan(0);
  });

  test('the others are checked all the same', () => {
    const { text, check } = convert({ [SERVER]: config });
    expect(check(SERVER, text(SERVER))).toBeUndefined();
    expect(check(SERVER, text(SERVER).replace('Require ip 10.1', 'Require all granted'))).toMatch(
      /the rewrite admits/,
    );
    expect(check(SERVER, text(SERVER).replace('Require valid-user', 'Require all granted'))).toMatch(
      /the rewrite admits/,
    );
  });

  test('in a .htaccess: 2.4 answers 500 there', () => {
    const { result, text } = convert({ [SERVER]: HEAD + section('/w', LISTS), '/w/odd/.htaccess': ODD });
    expect(text(SERVER)).toContain('Require ip 10.1');
    expect(text('/w/odd/.htaccess')).toBe(ODD);
    expect(left(result).map(({ message }) => message)).toEqual([
      expect.stringContaining('2.4 answers 500 there'),
    ]);
  });

  test('what inherits from it stays too', () => {
    const below = 'Satisfy Any\nOrder allow,deny\nAllow from all\n';
    const inner = `${PASSWORD}Satisfy Any\n`;
    const { result, text } = convert({
      [SERVER]:
        HEAD +
        section('/w', LISTS) +
        section('/w/odd', ODD) +
        section('/w/odd/in', inner) +
        section('/w/odd/free', below),
    });
    expect(text(SERVER)).toContain(inner);
    expect(text(SERVER)).toContain(
      '<Directory /w/odd/free>\nAllowOverride All\nRequire all granted\n</Directory>',
    );
    expect(left(result).map(({ message }) => message)).toEqual([
      expect.stringContaining('<Directory /w/odd> is left'),
      expect.stringMatching(
        /<Directory \/w\/odd\/in> is left as it is: it inherits from <Directory \/w\/odd>/,
      ),
    ]);
  });

  test('may also have a Require that is not known', () => {
    const odd = 'AuthType Basic\nAuthName x\nRequire planted-thing x\nOrder allow,deny\nAllow from all\n';
    const below = 'Order deny,allow\nDeny from 10.2\n';
    const dots = '<Files ~ "^\\.ht">\nOrder allow,deny\nDeny from all\nSatisfy All\n</Files>\n';
    const { result, text } = convert({
      [SERVER]:
        HEAD +
        section('/w', LISTS) +
        dots +
        section('/w/odd', odd) +
        section('/w/odd/in', below) +
        section('/w/other', ALL),
    });
    expect(text(SERVER)).toContain('<Directory /w>\nAllowOverride All\nRequire ip 10.1\n</Directory>');
    expect(text(SERVER)).toContain('<Files ~ "^\\.ht">\nRequire all denied\n</Files>');
    expect(text(SERVER)).toContain(
      '<Directory /w/other>\nAllowOverride All\nRequire all granted\n</Directory>',
    );
    // Whom that Require lets in, it lets in here, too.
    expect(text(SERVER)).toContain(odd);
    expect(text(SERVER)).toContain(below);
    expect(left(result).map(({ message }) => message)).toEqual([
      expect.stringContaining(
        '<Directory /w/odd> is left as it is: "Require planted-thing" at etc/httpd/httpd.conf:18 is not a keyword',
      ),
      expect.stringMatching(
        /<Directory \/w\/odd\/in> is left as it is: it inherits from <Directory \/w\/odd>/,
      ),
    ]);
  });

  test('what is only met below it stays too, whatever it says', () => {
    const { result, text } = convert({
      [SERVER]: HEAD + section('/w', LISTS),
      '/w/a/.htaccess': ODD,
      '/w/a/b/.htaccess': PASSWORD,
    });
    expect(text(SERVER)).toContain('Require ip 10.1');
    expect(text('/w/a/b/.htaccess')).toBe(PASSWORD);
    expect(left(result).map(({ file }) => file.path)).toEqual(['/w/a/.htaccess', '/w/a/b/.htaccess']);
  });

  test('with all others, where 2.4 would let in through what inherits from it', () => {
    const location = `<Location />\n${PASSWORD}</Location>\n`;
    const { result, text } = convert({
      [SERVER]: HEAD + section('/w', LISTS) + location,
      '/w/a/.htaccess': ODD,
    });
    expect(text(SERVER)).toContain(LISTS);
    expect(left(result).length).toBeGreaterThan(1);
  });

  test('is told of in a file section where one that lets nobody in inherits from it, though others get in by another way', () => {
    const files = '<FilesMatch "\\.x$">\nAllow from env=x\nAllow from 10.0.0.0/8\n</FilesMatch>\n';
    const odd =
      '<Directory /w>\nAllowOverride All\nRequire nosuch x\nSatisfy Any\n<Limit GET>\nRequire user amy\n</Limit>\n</Directory>\n';
    const below = '<Limit GET>\nRequire user amy\n</Limit>\nSatisfy All\n';
    const { result, text } = convert({ [SERVER]: HEAD + files + odd, '/w/a/.htaccess': below });
    // A real 2.2 lets in whoever sends OPTIONS for /a/f.x.
    expect(text(SERVER)).toContain('Require expr %{REQUEST_FILENAME} !~ m#^/w/a(/|$)#');
    expect(result.outcomes.find(({ message }) => message.startsWith('<FilesMatch'))).toMatchObject({
      safety: 'strict',
      message: expect.stringContaining('a section above has become Require all denied') as string,
    });
  });
});
