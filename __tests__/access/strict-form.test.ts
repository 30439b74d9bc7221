import { checkRewrites } from '../../src/access';
import { loadTree, memory, overlay } from '../../src/config';
import { type Outcome, type RunOptions, type RunResult, run } from '../../src/engine';
import { needsPerson } from '../../src/report';
import { mistakesIn } from '../../testing/access/mistakes';
import { transforms } from '../../transforms';

const LOAD = { defines: new Map<string, string>(), env: new Map<string, string>(), cwd: '/' };
const SERVER = '/etc/httpd/httpd.conf';
const ACCESS = '/w/a/.htaccess';

/**
 * Two hosts with one DocumentRoot, and names that are no name in a request: nothing that 2.4 can ask tells their requests apart.
 */
function site(first: string, second: string): string {
  const host = (name: string, lines: string): string =>
    `<VirtualHost *:80>\nServerName ${name}\nDocumentRoot /w\n<Directory /w>\nAllowOverride All\n${lines}</Directory>\n</VirtualHost>\n`;
  return `ServerRoot /etc/httpd\nListen 80\nDocumentRoot /w\nNameVirtualHost *:80\nUseCanonicalName DNS\n${host('one.example', first)}${host('two.example', second)}`;
}

const LISTS = 'Order allow,deny\nAllow from 10.1 10.2\n';
const AUTH = 'AuthType Basic\nAuthName x\nAuthUserFile users\n';
const PASSWORD = `${AUTH}Require valid-user\n`;
const INNER = 'Order allow,deny\nAllow from 10.2\n';

interface ConvertedSite {
  readonly result: RunResult;
  readonly text: (path: string) => string | undefined;
  /** Why another text in place of one that is written would be taken back. */
  readonly check: (path: string, text: string) => string | undefined;
}

function convert(files: Readonly<Record<string, string>>, options: RunOptions = {}): ConvertedSite {
  const source = memory(new Map(Object.entries(files)));
  const load = (texts: ReadonlyMap<string, string>): ReturnType<typeof loadTree> =>
    loadTree(overlay(source, texts), [SERVER, '/w'], LOAD);
  const tree = loadTree(source, [SERVER, '/w'], LOAD);
  const result = run({ tree, reread: load }, transforms, options);
  const texts = new Map(result.plan.map(({ file, text }) => [file.path, text]));
  const applied = ofAccess(result).filter(({ status }) => status === 'applied');
  return {
    result,
    text: (path) => texts.get(path),
    check: (path, text) =>
      [...checkRewrites(tree, load(new Map([...texts, [path, text]])), applied).values()][0]?.why,
  };
}

function ofAccess({ outcomes }: RunResult): readonly Outcome[] {
  return outcomes.filter(({ rule }) => rule === 'order-allow-deny');
}

const files = { [SERVER]: site(LISTS + AUTH, LISTS + PASSWORD), [ACCESS]: INNER };

test('what differs in something that 2.4 cannot ask gets what lets in fewest', () => {
  const { result, text } = convert(files);
  expect(result.failure).toBeUndefined();
  expect(text(ACCESS)).toBe('<RequireAll>\n    Require ip 10.2\n    Require valid-user\n</RequireAll>\n');
  const strict = ofAccess(result).filter(({ safety }) => safety === 'strict');
  expect(strict).toHaveLength(1);
  expect(strict[0]).toMatchObject({ level: 'error', status: 'applied', file: { path: ACCESS } });
  expect(strict[0]!.message).toContain('newly refused is GET /a/');
  expect(strict[0]!.message).toContain('2.2 admits, 2.4 ');
  expect(needsPerson(strict[0]!)).toBe(true);
  // All else is exact.
  expect(text(SERVER)).not.toMatch(/^(?:Order|Allow|Deny) /m);
});

test('what asks for a password lets nobody in where no AuthType is in force for any request', () => {
  // 2.2 answers 500 there, and so would 2.4, to those whom their address lets in as well.
  const any = `${LISTS}Satisfy Any\n`;
  const { result, text } = convert({ [SERVER]: site(any, LISTS), [ACCESS]: 'Require valid-user\n' });
  expect(text(ACCESS)).toBe('Require all denied\n');
  const strict = ofAccess(result).filter(({ safety }) => safety === 'strict');
  expect(strict).toHaveLength(1);
  expect(strict[0]!.message).toContain('2.2 admits, 2.4 refuses');
});

test('nobody is asked for a password where 2.4 would answer 500 to some whom 2.2 asked for none', () => {
  const { result, text } = convert({ [SERVER]: site(LISTS, LISTS + PASSWORD), [ACCESS]: INNER });
  // No AuthType is in force on the first host.
  expect(text(ACCESS)).toBe('Require all denied\n');
  const strict = ofAccess(result).find(({ safety }) => safety === 'strict');
  expect(strict?.message).toContain('2.2 admits, 2.4 refuses');
});

describe('behind files that nobody may have', () => {
  const server = (dots: string): string =>
    `${site(AUTH, `${LISTS}${PASSWORD}Satisfy Any\n`)}<Files ~ "^\\.ht">\n${dots}Satisfy All\n</Files>\n<Location /status>\n${INNER}</Location>\n`;
  const textFor = (dots: string): [string | undefined, string | undefined] => {
    const { result, text } = convert({ [SERVER]: server(dots), '/w/index.html': '' });
    const strict = ofAccess(result).find(({ safety }) => safety === 'strict');
    return [/<Location \/status>\n([^]*?)<\/Location>/.exec(text(SERVER) ?? '')?.[1], strict?.message];
  };

  test('no more is asked of all other requests, and these files are refused', () => {
    const [text, message] = textFor('Order allow,deny\nDeny from all\n');
    expect(text).toBe(
      '<RequireAll>\n    Require ip 10.2\n    Require expr %{REQUEST_FILENAME} !~ m#/(?=[^/]*$)\\.ht#\n</RequireAll>\n',
    );
    expect(message).toContain(', and so is who asks for a file of <Files ~ "^\\.ht">');
  });

  test('what asks more of some files is asked of all where somebody may have these', () => {
    const [text, message] = textFor('Order allow,deny\nAllow from 10.9\n');
    expect(text).toBe('<RequireAll>\n    Require ip 10.2\n    Require valid-user\n</RequireAll>\n');
    expect(message).not.toContain('who asks for a file of');
  });
});

test('what two sections with one pattern ask is asked once', () => {
  const satisfy = '<Location ~ "^/a">\nSatisfy Any\n</Location>\n';
  const password = `<Location ~ "^/a">\n${PASSWORD}</Location>\n`;
  const inner = `<LocationMatch "b$">\n${INNER}</LocationMatch>\n`;
  const server = `Listen 80\nDocumentRoot /w\n<Directory />\nAllowOverride None\n</Directory>\n${satisfy}${password}${inner}`;
  const { text } = convert({ [SERVER]: server, '/w/index.html': '' });
  const asked = [...text(SERVER)!.matchAll(/Require expr (.*)/g)].map(([, test]) => test);
  expect(asked).toContain('%{REQUEST_URI} !~ m#^/a#');
  for (const test of asked) expect(test).not.toMatch(/&&|\|\|/);
});

test('it says so where nobody is refused who got in, or nobody can say', () => {
  // Requests that are proxied are not tried.
  const lists = 'Order allow,deny\nAllow from 10.1 10.2 10.3\n';
  const proxied = `${site(LISTS, LISTS)}ProxyPass /p/ http://127.0.0.1:8081/\n<ProxyMatch "\\bin\\b">\n${lists}</ProxyMatch>\n<Location />\n${PASSWORD}Satisfy Any\n</Location>\n`;
  const found = ofAccess(convert({ [SERVER]: proxied, '/w/index.html': '' }).result);
  expect(found.find(({ safety }) => safety === 'strict')?.message).toContain(
    'no request that was tried is newly refused',
  );
  const nobody = `${PASSWORD.replace('valid-user', 'file-owner')}Require user alice\n`;
  const { result, text } = convert({ [SERVER]: site(LISTS, LISTS), [ACCESS]: nobody });
  expect(text(ACCESS)).toContain('Require all denied\n');
  const strict = ofAccess(result).filter(({ safety }) => safety === 'strict');
  expect(strict).toHaveLength(1);
  expect(strict[0]!.message).toContain('which requests are newly refused has not been found out');
});

test('Require lines that let nobody in let nobody in, and a remark says so', () => {
  const nobody = `${PASSWORD.replace('valid-user', 'group staff')}AuthzGroupFileAuthoritative On\n`;
  const { result, text } = convert({ [SERVER]: site(LISTS, LISTS), [ACCESS]: nobody });
  expect(text(ACCESS)).toContain('Require all denied\n');
  const found = ofAccess(result);
  expect(found.filter(({ safety }) => safety === 'strict')).toEqual([]);
  expect(found.find(({ level }) => level === 'warning')?.message).toContain('no group file is in effect');
});

test('what is said in other words is no other decision', () => {
  const other = 'Order deny,allow\nDeny from all\nAllow from 10.2 10.1\n';
  const { result, text } = convert({ [SERVER]: site(LISTS, other), [ACCESS]: PASSWORD });
  expect(text(ACCESS)).toContain(
    '<RequireAll>\n    Require ip 10.1 10.2\n    Require valid-user\n</RequireAll>\n',
  );
  expect(ofAccess(result).filter(needsPerson)).toEqual([]);
});

test.each([
  ['--exact', { exact: true }],
  ['--safe-only', { safeOnly: true }],
] as [string, RunOptions][])('%s leaves it as it is, with all that hangs on it', (_, options) => {
  const { result, text } = convert(files, options);
  expect(text(ACCESS)).toBeUndefined();
  expect(text(SERVER) ?? '').not.toMatch(/Require ip/);
  expect(ofAccess(result).filter(({ status }) => status === 'applied')).toEqual([]);
  expect(ofAccess(result).filter(needsPerson).length).toBeGreaterThan(0);
});

describe('where the directory makes the difference', () => {
  const HT = '<Files ~ "^\\.ht">\nOrder allow,deny\nDeny from all\n</Files>\n';
  const server = (hosts: string): string =>
    `ServerRoot /etc/httpd\nListen 80\nDocumentRoot /w\nNameVirtualHost *:80\n<Directory /w>\nAllowOverride All\nOrder allow,deny\nAllow from all\n</Directory>\nAlias /w /w\n${HT}${hosts}`;
  const host = (i: number): string =>
    `<VirtualHost *:80>\nServerName h${i}.example\nDocumentRoot /w/h${i}\n<Directory /w/h${i}>\nOrder allow,deny\nAllow from all\n</Directory>\n</VirtualHost>\n`;
  const anyOf = (i: number, user: string): string =>
    `${AUTH}Require ${user}\nSatisfy Any\nOrder deny,allow\nDeny from all\nAllow from 10.${i}\n`;
  const ofFiles = (text: string | undefined): string =>
    /<Files [^>]*>\n([^]*?)<\/Files>/.exec(text ?? '')![1]!;
  const tenants = (count: number, user: (i: number) => string): Record<string, string> =>
    Object.fromEntries(
      Array.from({ length: count }, (_, i) => [`/w/h${i + 1}/.htaccess`, anyOf(i + 1, user(i + 1))]),
    );
  const hosts = (count: number): string => Array.from({ length: count }, (_, i) => host(i + 1)).join('');

  test.each([1, 3, 5, 20, 40])('%d directories are named, in whatever host they are met', (count) => {
    const { result, text } = convert({
      [SERVER]: server(hosts(count)),
      ...tenants(count, () => 'valid-user'),
    });
    const lines = ofFiles(text(SERVER));
    for (let i = 1; i <= count; i++) expect(lines).toContain(`^/w/h${i}(/|$)`);
    expect(lines).toMatch(/^<RequireAll>\n    Require expr .*\n    Require valid-user\n<\/RequireAll>\n$/);
    expect(ofAccess(result).filter(({ safety }) => safety === 'strict')).toEqual([]);
  });

  test('each of twenty lets in its own user, and nobody another one', () => {
    const { text } = convert({ [SERVER]: server(''), ...tenants(20, (i) => `user u${i}`) });
    const parts = ofFiles(text(SERVER)).split('</RequireAll>\n').slice(0, -1);
    expect(parts).toHaveLength(20);
    for (const part of parts) {
      const [, directory, user] = /\^\/w\/h(\d+)\(.*\n    Require user u(\d+)\n$/.exec(part)!;
      expect(user).toBe(directory);
    }
  });

  test('kinds that are too many get what is sure in all directories, and keep none of the others', () => {
    const several = { '/w/x/a/.htaccess': anyOf(1, 'user a'), '/w/x/b/.htaccess': anyOf(2, 'user a') };
    const { result, text } = convert({
      [SERVER]: server(''),
      ...tenants(60, (i) => `user u${i}`),
      ...several,
    });
    const lines = ofFiles(text(SERVER));
    expect(lines).toContain('Require user a\n');
    expect(lines).not.toContain('all granted');
    expect(lines.match(/Require user /g)!.length).toBeLessThan(40);
    expect(ofAccess(result).filter(({ safety }) => safety === 'strict')).toHaveLength(1);
  });

  /** Directories that ask for other users, before a section for files that an address, too, opens. */
  const asking = (count: number, user: (i: number) => string): Record<string, string> => {
    const directories = Array.from(
      { length: count },
      (_, i) => `<Directory /w/${i}>\nRequire user ${user(i)}\n</Directory>\n`,
    );
    const files = '<Files a.php>\nOrder deny,allow\nDeny from all\nAllow from 10.9\nSatisfy Any\n</Files>\n';
    return { [SERVER]: server('').replace(HT, AUTH) + directories.join('') + files, '/w/a.php': '' };
  };

  test('kinds that are too many keep no other section from its text, and no address that opens all', () => {
    const { result, text } = convert(asking(60, (i) => `u${i}`));
    const sections = ofAccess(result).filter(({ file, edits }) => file.path === SERVER && edits.length > 0);
    expect(sections.filter(({ status }) => status !== 'applied')).toEqual([]);
    expect(sections.filter(({ safety }) => safety === 'strict')).toHaveLength(1);
    expect(ofFiles(text(SERVER))).toMatch(/\/w\/59\(.*\n    Require ip 10\.9\n<\/RequireAll>\n$/);
  });

  test('thousands of directories are told apart', () => {
    const { text } = convert(asking(2000, (i) => (i % 2 === 0 ? 'a' : 'b')));
    const lines = ofFiles(text(SERVER));
    for (const i of [0, 1, 1999]) expect(lines).toContain(`/w/${i}(/|$)`);
  });

  test('where two hosts disagree about one directory, that one alone has the strictest form', () => {
    const none = host(2).replace('Order', 'AllowOverride None\nOrder');
    const { result, text } = convert({
      [SERVER]: server(host(1) + none + hosts(30).slice((host(1) + host(2)).length)),
      ...tenants(30, () => 'valid-user'),
    });
    const lines = ofFiles(text(SERVER));
    expect(lines).toContain('^/w/h1(/|$)');
    expect(lines).not.toContain('^/w/h2(/|$)');
    const strict = ofAccess(result).filter(({ safety }) => safety === 'strict');
    expect(strict).toHaveLength(1);
    expect(strict[0]!.message).toContain('newly refused is GET /w/h2/');
  });
});

test('no severity of the project makes it less than an error', () => {
  const { result } = convert(files, { levels: { 'order-allow-deny': 'info' } });
  expect(ofAccess(result).filter(({ safety }) => safety === 'strict')).toMatchObject([{ level: 'error' }]);
});

describe('the check of the result', () => {
  const { text, check } = convert(files);
  const strictText = text(ACCESS)!;

  test('finds what lets in anybody in the strictest form', () => {
    const opened = [
      strictText.replace('    Require valid-user\n', ''),
      strictText.replace('    Require ip 10.2\n', ''),
      strictText.replace('ip 10.2', 'ip 10'),
      strictText.replace(/RequireAll/g, 'RequireAny'),
      strictText.replace('valid-user', 'all granted'),
      'Require all granted\n',
      INNER.replace(INNER, ''),
    ];
    for (const wrong of opened) {
      expect(wrong).not.toBe(strictText);
      expect([wrong, check(ACCESS, wrong)]).toEqual([wrong, expect.stringMatching(/the rewrite admits/)]);
    }
  });

  test('lets it refuse more', () => {
    for (const wrong of ['Require all denied\n', strictText.replace('valid-user', 'user alice')])
      expect(check(ACCESS, wrong)).toBeUndefined();
  });

  test('lets no other section refuse more', () => {
    const others = mistakesIn(text(SERVER)!);
    expect(others.length).toBeGreaterThan(5);
    const denied = text(SERVER)!.replace('Require ip 10.1 10.2', 'Require all denied');
    expect(check(SERVER, denied)).toMatch(/the rewrite refuses/);
  });
});
