import { checkRewrites } from '../../src/access';
import { loadTree, memory, overlay } from '../../src/config';
import { run } from '../../src/engine';
import { transforms } from '../../transforms';

const LOAD = { defines: new Map<string, string>(), env: new Map<string, string>(), cwd: '/' };
const SERVER = '/etc/httpd/httpd.conf';
/** The main server answers at port 8080, where nothing that a client cannot say tells it from the host at port 80. */
const MAIN =
  'ServerRoot /etc/httpd\nListen 80\nListen 8080\nDocumentRoot /w\n<Directory /w>\nOrder allow,deny\nAllow from all\n</Directory>\n';
const PASSWORD = 'Satisfy any\nAuthType Basic\nAuthName x\nAuthUserFile users\nRequire valid-user\n';
const LISTED = 'Order deny,allow\nDeny from all\nAllow from 10.1\n';
const INSIDE = `<Directory /w>\n${LISTED}</Directory>\n`;

interface Converted {
  readonly texts: ReadonlyMap<string, string>;
  readonly strict: number;
  /** What is told of sections in hosts. */
  readonly copied: readonly { readonly at: number }[];
  /** How many groups the check takes back where a part of the text is another. */
  readonly withdrawn: (part: string, other: string) => number;
}

function convert(text: string, more: Readonly<Record<string, string>> = {}): Converted {
  const source = memory(new Map([[SERVER, text], ...Object.entries(more)]));
  const load = (texts: ReadonlyMap<string, string>): ReturnType<typeof loadTree> =>
    loadTree(overlay(source, texts), [SERVER], LOAD);
  const tree = load(new Map());
  const result = run({ tree, reread: load }, transforms);
  expect(result.failure).toBeUndefined();
  const applied = result.outcomes.filter(
    ({ rule, status }) => rule === 'order-allow-deny' && status === 'applied',
  );
  const texts = new Map(result.plan.map((change) => [change.file.path, change.text]));
  const withdrawn = (part: string, other: string): number => {
    expect(texts.get(SERVER)).toContain(part);
    const changed = new Map([...texts].map(([path, after]) => [path, after.replace(part, other)]));
    return checkRewrites(tree, load(changed), applied).size;
  };
  const copied = applied.filter(({ message }) => message.includes('of the main server decides differently'));
  return { texts, copied, strict: applied.filter(({ safety }) => safety === 'strict').length, withdrawn };
}

const host = (lines: string, address = '*:80'): string =>
  `<VirtualHost ${address}>\nServerName h\nDocumentRoot /w\n${lines}</VirtualHost>\n`;

const COPY = '<Files x.txt>\n    Require ip 10.1\n    Require valid-user\n</Files>\n';

test('a section of the main server is written once more in the host in which it decides differently', () => {
  const files = `<Files x.txt>\n${PASSWORD}</Files>\n`;
  const { texts, strict, withdrawn } = convert(MAIN + files + host(INSIDE));
  expect(strict).toBe(0);
  expect(texts.get(SERVER)).toContain(`ServerName h\nDocumentRoot /w\n${COPY}<Directory /w>\n`);
  expect(texts.get(SERVER)).toContain('<Files x.txt>\nRequire all granted\nAuthType Basic\n');
  expect(withdrawn(COPY, '')).toBeGreaterThan(0);
  expect(withdrawn(COPY, COPY.replace('10.1', '10.2'))).toBeGreaterThan(0);
});

test.each([
  ['Files', 'x.txt'],
  ['Location', '/p'],
])('<%s> of the host comes after it', (name, pattern) => {
  const section = (lines: string): string => `<${name} ${pattern}>\n${lines}</${name}>\n`;
  const ofHost = section('Order allow,deny\nAllow from all\nSatisfy all\nRequire user u\n');
  const { texts, strict } = convert(MAIN + section(PASSWORD) + host(INSIDE + ofHost));
  expect(strict).toBe(0);
  const [, inHost = ''] = texts.get(SERVER)!.split('<VirtualHost');
  const copies = inHost.split(`<${name} ${pattern}>\n`);
  expect(copies).toHaveLength(3);
  expect(copies[1]).toContain('Require ip 10.1');
  expect(copies[2]).toContain('Require user u');
});

test('a section that stays as it stands elsewhere is written once more in a host', () => {
  const asks = 'AuthType Basic\nAuthName x\nAuthUserFile users\nRequire user u\n';
  const section = `<Directory /w/p>\n${asks}</Directory>\n`;
  const { texts, strict, withdrawn } = convert(
    MAIN + section + host(`<Directory /w>\n${LISTED}Satisfy any\n</Directory>\n`),
  );
  const copy = '<Directory /w/p>\n    Require ip 10.1\n    Require user u\n</Directory>\n';
  expect(strict).toBe(0);
  expect(texts.get(SERVER)).toContain(section);
  expect(texts.get(SERVER)).toContain(`DocumentRoot /w\n${copy}`);
  expect(withdrawn(copy, '')).toBeGreaterThan(0);
});

test('several sections are written once more in one host', () => {
  const location = `<Location /p>\n${PASSWORD}</Location>\n`;
  const files = `<Files x.txt>\n${PASSWORD}</Files>\n`;
  const { texts, strict, copied } = convert(MAIN + files + location + host(INSIDE));
  expect(strict).toBe(0);
  const [, inHost = ''] = texts.get(SERVER)!.split('<VirtualHost');
  expect(inHost).toContain(COPY);
  expect(inHost).toContain('<Location /p>\n');
  // Each is told where the host begins.
  const opens = (MAIN + files + location).length;
  expect(copied.map(({ at }) => at)).toEqual([opens, opens]);
});

test('what a host includes comes after it, too', () => {
  const files = `<Files x.txt>\n${PASSWORD}</Files>\n`;
  const { texts, strict } = convert(
    `${MAIN}${files}<VirtualHost *:80>\n    Include conf/h.conf\n</VirtualHost>\n`,
    {
      '/etc/httpd/conf/h.conf': `ServerName h\nDocumentRoot /w\n${INSIDE}<Files x.txt>\nRequire user u\n</Files>\n`,
    },
  );
  expect(strict).toBe(0);
  const copy = COPY.replace(/^(?=.)/gm, '    ');
  expect(texts.get(SERVER)).toContain(`<VirtualHost *:80>\n${copy}    Include conf/h.conf\n`);
});

const FILES = `<Files x.txt>\n${PASSWORD}</Files>\n`;
const several = Array.from({ length: 7 }, (_, i) =>
  host(
    `<Directory /w>\nOrder deny,allow\nDeny from all\nAllow from 10.${i}\n</Directory>\n`,
    `10.0.0.${i}:80`,
  ),
).join('');

test.each([
  ['a section of the main server that one request can meet comes later', `${FILES}<FilesMatch "^x">\nOrder allow,deny\nDeny from 10.9\n</FilesMatch>\n${host(INSIDE)}`],
  ['a conditional stands around it', `<IfDefine USERS>\n${FILES}</IfDefine>\n${host(INSIDE)}`],
  ['it would stand in too many hosts', FILES + several],
  ['it is for a pattern of directories', `<DirectoryMatch "^/w">\n${PASSWORD}</DirectoryMatch>\n${host(INSIDE)}`],
])('the strictest form stays where %s', (_, lines) => {
  const { strict, texts } = convert(MAIN + lines);
  expect(strict).toBeGreaterThan(0);
  expect(texts.get(SERVER)!.match(/^<Files x.txt>/gm)?.length ?? 0).toBeLessThan(2);
}); // prettier-ignore
