import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunOptions } from '../../src/engine';
import { convertFiles, textAfter } from '../../testing/run/convert';

/** Names that every object of JavaScript has, and words that mean as little to httpd. */
const NAMES = [
  ['constructor', 'qonstructor'],
  ['__proto__', '__qroto__'],
  ['toString', 'qoString'],
] as const;

/** Lines with a word where a table may be asked about it. */
const LINES: readonly ((word: string) => string)[] = [
  (word) => `${word} x`,
  (word) => `<${word} a>\nDeny from all\n</${word}>`,
  (word) => `<${word}Match a>\nDeny from all\n</${word}Match>`,
  (word) => `<IfModule ${word}>\nDeny from all\n</IfModule>`,
  (word) => `<IfModule mod_${word}.c>\nRequire valid-user\n</IfModule>`,
  (word) => `<IfModule !${word}_module>\nAllow from all\n</IfModule>`,
  (word) => `<IfDefine ${word}>\nDeny from all\n</IfDefine>`,
  (word) => `<IfVersion ${word} 2.4>\nDeny from all\n</IfVersion>`,
  (word) => `<Files ${word}>\nDeny from all\n</Files>`,
  (word) => `<FilesMatch "[[:${word}:]]x">\nDeny from all\n</FilesMatch>`,
  (word) => `<Limit ${word}>\nDeny from all\n</Limit>`,
  (word) => `SetEnvIf ${word} ^x ${word}\nAllow from env=${word}`,
  (word) => `Require ${word} x`,
  (word) => `Require expr %{${word}} == 'x'`,
  (word) => `AuthType ${word}\nAuthName x\nRequire user ${word}`,
  (word) => `AuthBasicProvider ${word}`,
  (word) => `AuthLDAPURL ${word}://h/o=x`,
  (word) => `Options +${word}`,
  (word) => `Order ${word}`,
  (word) => `Satisfy ${word}`,
  (word) => `Allow ${word} all`,
  (word) => `RewriteEngine on\nRewriteCond %{${word}} x [${word}]\nRewriteRule a ${word}://b [${word}]`,
  (word) => `AddHandler ${word} .${word}`,
  (word) => `AddOutputFilter ${word} .x\nAddOutputFilterByType ${word} text/html`,
  (word) => `FilterProvider x y ${word} $z`,
  (word) => `ErrorDocument ${word} ${word}`,
  (word) => `Redirect ${word} /a http://b/`,
  (word) => `SSLRequire %{${word}} eq "x"`,
  (word) => `SSLRequire ${word} %{HTTPS}`,
  (word) => `SSLMutex ${word}\nSSLSessionCache ${word}:x\nCacheEnable ${word} /\nDav ${word}`,
  (word) => `<If "%{${word}} == ${word}('x')">\nRequire all denied\n</If>`,
  (word) => `Header ${word} a b env=${word}\nExpiresByType ${word} "${word}"`,
  (word) => `LoadModule ${word}_module modules/mod_${word}.so\nAddModule mod_${word}.c`,
  (word) => `ProxyPass /${word} ${word}://b/\nRewriteMap ${word} ${word}:x\nCustomLog x "%{${word}}i"`,
];

const SERVER = '/etc/httpd/httpd.conf';
const START =
  'ServerRoot /etc/httpd\nLoadModule authz_host_module modules/mod_authz_host.so\nDocumentRoot /h\n';
const ALL = '<Directory /h>\nAllowOverride All\nOrder allow,deny\nAllow from all\n</Directory>\n';
const DENY = 'Order deny,allow\nDeny from all\n';

/** What a run says and makes of the lines with a word: in a user's file each, and in the server's. */
function answerFor(word: string, options: RunOptions): string {
  const texts = LINES.map((line) => `${line(word)}\n${DENY}`);
  const inServer = texts.map((text, i) => `<Directory /s/d${i}>\n${text}</Directory>\n`).join('');
  const files = Object.fromEntries(texts.map((text, i) => [`/h/d${i}/.htaccess`, text]));
  return [{ ...files, [SERVER]: START + ALL }, { [SERVER]: START + ALL + inServer + texts.join('') }]
    .map((given) => {
      const result = convertFiles(
        given,
        ['/etc/httpd', ...('/h/d0/.htaccess' in given ? ['/h'] : [])],
        options,
      );
      const said = result.outcomes.map(({ rule, file, message, status, remedy }) =>
        JSON.stringify([rule, file.path, status, message, remedy]),
      );
      return [...said, ...Object.keys(given).map((path) => textAfter(result, path))].join('\n');
    })
    .join('\n');
}

describe.each([[{}], [{ dual: true }]] as readonly [RunOptions][])('%j', (options) => {
  test.each(NAMES)('%s is a word as any other', (name, other) => {
    const answer = answerFor(name, options);
    expect(answer).not.toContain('a fault of the rule');
    const same = [String, (text: string) => text.toLowerCase(), (text: string) => text.toUpperCase()].reduce(
      (text, cased) => text.replaceAll(cased(name), cased(other)),
      answer,
    );
    expect(same).toBe(answerFor(other, options));
  });
});

/** A table that is asked for any word at all must have no names but its own. None that is inherited has one or two characters. */
test('tables that are asked for any word inherit no names', () => {
  const root = join(__dirname, '../..');
  const found = ['src', 'transforms', 'page'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .flatMap((name) => {
        const text = readFileSync(join(root, folder, name), 'utf8');
        return [
          ...text.matchAll(/const (\w+): Readonly<(?:Partial<)?Record<string,[^;]*?> = \{\s*(\S+ \S+)/g),
        ].map(([, table, first]) => ({ table: `${folder}/${name}: ${table}`, first }));
      }),
  );
  expect(found.length).toBeGreaterThan(50);
  const isShort = (first = ''): boolean => /^(?:\w{1,2}|'.{1,2}'|"'"): /.test(first);
  const inheriting = found.filter(({ first }) => first !== '__proto__: null!,' && !isShort(first));
  expect(inheriting.map(({ table }) => table)).toEqual([]);
});
