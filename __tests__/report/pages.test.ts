import { createHash } from 'node:crypto';
import { Script } from 'node:vm';
import { command } from '../../testing/run/command';
import { services } from '../../testing/run/services';
import { directory } from '../../testing/write/directory';

import { stateDirectory, storeIn } from '../../testing/write/store';
import { memory } from '../../src/config';

const openStore = storeIn(stateDirectory());

async function page(
  argv: readonly string[],
  files: Readonly<Record<string, string>>,
): Promise<{ status: number; stdout: string }> {
  const source = memory(new Map(Object.entries(files)));
  return command([...argv, ...Object.keys(files)], {}, { ...services, source });
}

const utf8 = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8');

/** What the page's script is given. */
function dataOf(html: string): {
  files: {
    name: string;
    hunks: [number, number, string[]][];
    findings: { state: string; blocker: boolean; line: number; hunk?: number; audience?: number }[];
  }[];
  rules: string[];
  servers: string[];
  audiences: {
    section: string;
    columns: string[];
    rows: { client: string; cells: { before: string; after: string }[] }[];
  }[];
} {
  return JSON.parse(
    /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html)![1]!,
  ) as ReturnType<typeof dataOf>;
}

const SITE = `ServerRoot /
Listen 80
DocumentRoot /srv
<VirtualHost *:80>
ServerName shop.example.com
<Directory /srv>
Order allow,deny
Allow from 10.0.0.0/8
</Directory>
</Oops>
</VirtualHost>
`;
const HOSTILE = `</script><script>alert(1)</script><!-- "'><img src=x onerror=alert(1)> \x1b[31m`;

describe('--format html', () => {
  test('holds the changes, the questions, and who gets in', async () => {
    const { stdout, status } = await page(['--format', 'html'], { '/httpd.conf': SITE });
    expect(status).toBe(1);
    const { files, rules, servers, audiences } = dataOf(stdout);
    expect(files.map(({ name }) => name)).toEqual(['httpd.conf']);
    expect(files[0]!.hunks.flatMap(([, , lines]) => lines)).toContain('+Require ip 10.0.0.0/8');
    expect(rules).toContain('order-allow-deny');
    expect(servers).toContain('shop.example.com');
    expect(audiences).toContainEqual({
      section: '<Directory /srv>',
      request: 'GET shop.example.com/w.html, file /srv/w.html',
      columns: ['no password', 'any user'],
      rows: [
        {
          client: '10.0.0.0/8',
          cells: [
            { before: 'yes', after: 'yes' },
            { before: 'yes', after: 'yes' },
          ],
        },
        {
          client: 'anywhere else',
          cells: [
            { before: 'no', after: 'no' },
            { before: 'no', after: 'no' },
          ],
        },
      ],
    });
    expect(stdout).toMatch(
      /<span class="mark blocker">blocker<\/span> <strong>[^]*?<p><a href="#file-0">httpd\.conf:10<\/a>/,
    );
    expect(files[0]!.findings).toContainEqual(expect.objectContaining({ blocker: true, line: 10 }));
  });

  test('says in its overview who gets in where, and what to do', async () => {
    const { stdout } = await page(['--format', 'html'], { '/httpd.conf': SITE });
    const [, overview] = /<h2>Who gets in<\/h2>(.*?)<(?:h2|details)/s.exec(stdout)!;
    expect(overview).toContain('1 section was asked who gets in: 1 answers as before.');
    expect(overview).toContain(
      '<caption>&lt;Directory /srv&gt; <a href="#file-0">httpd.conf:6</a></caption><thead><tr><th scope="col">From</th><th scope="col">no password</th><th scope="col">any user</th></tr></thead><tbody><tr><th scope="row">10.0.0.0/8</th><td>yes</td><td>yes</td></tr><tr><th scope="row">anywhere else</th><td>no</td><td>no</td></tr></tbody>',
    );
    expect(stdout).toContain('<p><strong>Do:</strong> mend the line;');
  });

  test('says of a section that is left who got in, and that the rest is not known', async () => {
    const text = `ServerRoot /\nListen 80\nDocumentRoot /srv\n<Directory /srv>\nOrder allow,deny\nAllow from 10.0.0.0/8\nRequire what-is-this\n</Directory>\n`;
    const { stdout } = await page(['--format', 'html'], { '/httpd.conf': text });
    const { files, audiences } = dataOf(stdout);
    expect(
      files[0]!.findings.filter(({ blocker, audience }) => blocker && audience !== undefined),
    ).toHaveLength(1);
    const cells = audiences.flatMap(({ rows }) => rows.flatMap((row) => row.cells));
    expect(cells.some(({ before, after }) => before === 'not known' || after === 'not known')).toBe(true);
    const [, overview] = /<h2>Who gets in<\/h2>(.*?)<(?:h2|details)/s.exec(stdout)!;
    expect(overview).toContain('1 section was asked who gets in: 1 is not known.');
    expect(overview).not.toContain('as before');
  });

  test('shows what asks something of the reader first, and each change at its lines', async () => {
    const block = (name: string): string =>
      `<Directory /srv/${name}>\nOrder allow,deny\nAllow from all\n</Directory>\n`;
    const { stdout } = await page(['--format', 'html'], {
      '/a.conf': `MaxClients 5\n`,
      '/b.conf': `Oops>\n</Oops>\n`,
      '/httpd.conf': `${SITE}${'# far\n'.repeat(20)}${block('y')}`,
    });
    const { files } = dataOf(stdout);
    expect(files.map(({ name }) => name)).toEqual(['b.conf', 'httpd.conf', 'a.conf']);
    expect(
      files[1]!.findings.filter(({ state }) => state !== 'open').map(({ line, hunk }) => [line, hunk]),
    ).toEqual(
      expect.arrayContaining([
        [6, 0],
        [32, 1],
      ]),
    );
  });

  test('needs no network, and its policy lets only its script and style act', async () => {
    const { stdout } = await page(['--format', 'html'], { '/httpd.conf': SITE });
    expect(stdout).not.toMatch(/\b(?:https?:)?\/\/[a-z0-9]+\.|@import|url\(|<link|<img|<iframe/i);
    const policy = /content="(default-src 'none';[^"]*)"/.exec(stdout)![1]!;
    const hash = (text: string): string =>
      `'sha256-${createHash('sha256').update(text, 'latin1').digest('base64')}'`;
    const [, style] = /<style>(.*?)<\/style>/s.exec(stdout)!;
    const [, script] = /<script>(.*?)<\/script>/s.exec(stdout)!;
    expect(policy).toContain(`style-src ${hash(style!)}; script-src ${hash(script!)};`);
    expect(policy).not.toContain('unsafe');
    expect(() => new Script(script!)).not.toThrow();
  });

  test('nothing in a configuration or a name is read as HTML', async () => {
    const files = {
      [`/${HOSTILE.replace(/\//g, '|')}.conf`]: `MaxClients 5 # ${HOSTILE}\n<Directory "${HOSTILE}">\nOrder allow,deny\nAllow from all\n</Directory>\n${HOSTILE}\nCookieLogg ${HOSTILE}\n`,
    };
    const { stdout } = await page(['--format', 'html'], files);
    const plain = stdout.replace(/<script type="application\/json" id="data">.*?<\/script>/s, '');
    expect(stdout.match(/<script/g)).toHaveLength(2);
    expect(stdout).not.toMatch(/<img|<!--|\x1b/);
    expect(plain).not.toContain('alert(1)</');
    expect(
      dataOf(stdout)
        .files[0]!.hunks.flatMap(([, , lines]) => lines)
        .join('\n'),
    ).toContain('<img src=x onerror=alert(1)>');
  });

  test('shows the commands that remain as the bytes of a UTF-8 terminal would', async () => {
    const name = Buffer.from('caf\u00e9').toString('latin1');
    const files = {
      '/etc/apache2/apache2.conf': 'ServerRoot "/etc/apache2"\nLockFile ${APACHE_LOCK_DIR}/accept.lock\nInclude mods-enabled/*.load\nInclude conf.d/\nInclude sites-enabled/\n',
      [`/etc/apache2/sites-enabled/${name}`]: '<VirtualHost *:80>\nServerName x\n</VirtualHost>\n',
    }; // prettier-ignore
    const { stdout } = await page(['--format', 'html'], files);
    const [, script] = /<summary>The script of these steps<\/summary>.*?<pre[^>]*>(.*?)<\/pre>/s.exec(
      utf8(stdout),
    )!;
    expect(script).toContain('rename the files of caf\u00e9, ');
  });

  test('says why a run could not be done', async () => {
    const { stdout, status } = await page(['--format', 'html', '/gone<b>.conf'], {});
    expect(status).toBe(2);
    expect(stdout).toMatch(/The run could not be done: [^<]*\/gone&lt;b&gt;\.conf/);
  });
});

describe('--format markdown', () => {
  test('says what changes, what blocks, and folds the diff', async () => {
    const { stdout } = await page(['--format', 'markdown'], { '/httpd.conf': SITE });
    expect(stdout).toMatch(
      /^### httpd 2.2 to 2.4\n\nThis is a 2\.2 server [^\n]*\n\n?\*\*Plan: [^\n]* 2 blockers\*\*<br>\*\*2\.4 does not start[^\n]*\*\*\n/,
    );
    expect(stdout).toMatch(/\n1\. \*\*blocker\*\* [^\n]* \(<code>httpd\.conf:10<\/code>\)\n/);
    expect(stdout).toMatch(/\n {3}- <code>httpd\.conf:3<\/code>: /);
    expect(stdout).toContain('<code>httpd-codemod --write /httpd.conf</code>');
    expect(stdout).toMatch(
      /^- \*\*Order, Allow, [^\n]*\(1 change in 1 file[;)][^\n]* 2\.2 decides access from host lists.* <code>order-allow-deny<\/code>$/m,
    );
    expect(stdout).toContain('\n```diff\ndiff --git a/httpd.conf b/httpd.conf\n');
    expect(stdout).toContain('\n+Require ip 10.0.0.0/8\n');
  });

  test('nothing in a configuration is a mention, a link, HTML or the end of a fence', async () => {
    const text = `MaxClients 5 # \`\`\`\`\nInclude "/none/@team #1 ![x](http://x.example) www.x.example <b> | \`a\`"\n`;
    const { stdout } = await page(['--format', 'markdown'], { '/a@b.conf': text });
    expect(stdout).toContain('\n`````diff\n');
    const outside = utf8(stdout).replace(/`````diff\n[^]*?\n`````\n/, '');
    expect(outside.replace(/&#[0-9]+;/g, '')).not.toMatch(/[@`]|<b>|!\[|http:\/\/|www\./);
    // In code, nobody is mentioned; elsewhere the space without width keeps the name apart from what would make it one.
    const plain = outside.replace(/<code>.*?<\/code>/g, '');
    expect(plain).toContain('&#64;&#8203;team &#35;&#8203;1');
    expect(plain).not.toMatch(/&#(?:64|35);(?!&#8203;)/);
  });

  test('stays below what a comment may hold', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 500 }, (_, i) => [`/${i}.conf`, `${'# x\n'.repeat(40)}MaxClients ${i}\n`]),
    );
    const { stdout } = await page(['--format', 'markdown'], files);
    expect(utf8(stdout).length).toBeLessThan(65_536);
    expect(stdout).toContain('too long for a comment');
  });
});

describe('--format markdown as the text of a pull request', () => {
  const text = (argv: string[]): Promise<{ stdout: string }> =>
    page(['--format', 'markdown', ...argv], { '/www/.htaccess': 'Deny from all\n' });

  test('says what a maintainer for both versions asks first, and with --dual alone', async () => {
    const both = (await text(['--dual'])).stdout;
    expect(both).toMatch(/\*\*\n\nBoth versions read these files: [^\n]*\n\n/);
    expect((await text([])).stdout).not.toContain('Both versions');
  });

  test('has no entities where Markdown needs none', async () => {
    const { stdout } = await text(['--dual']);
    expect(stdout).toMatch(/^### httpd 2\.2 and 2\.4\n\n\*\*Plan: 1 change in 1 file \(\+\d+ -\d+ lines\)/);
    expect(stdout).not.toContain('To do');
    expect(stdout).toMatch(
      /\nTo make these changes: <code>httpd-codemod --write --dual [^\n]*<\/code> \(write the changes, then run httpd -t[^\n]*\)\.\n$/,
    );
    expect(stdout).not.toContain('&#');
  });

  test('says what is assumed as a statement, and leaves out what only whoever runs the program can do', async () => {
    const conf = '#Order allow,deny\n<Directory /a>\nOrder deny,allow\nDeny from all\n</Directory>\n';
    const { stdout } = await page(['--format', 'markdown', '--dual'], { '/a.conf': conf });
    expect(stdout).toMatch(
      /\n- no other file, such as .htaccess below \/a, restricts access here or below \(1 change\)\n/,
    );
    expect(stdout).toContain('2.4 refuses the lines once somebody uncomments them');
    expect(stdout).not.toContain('--comments');
    expect(stdout).not.toContain('nothing in this run');
  });

  test('says once what is to be done about all findings of an item', async () => {
    const conf = ['a', 'b']
      .map(
        (name) =>
          `<Directory /${name}>\nOrder deny,allow\nDeny from all\nRequire all granted\n</Directory>\n`,
      )
      .join('');
    const { stdout } = await page(['--format', 'markdown'], { '/a.conf': conf });
    expect(stdout).toContain('2 findings');
    expect(stdout.match(/<br>Do: /g)).toHaveLength(1);
  });

  test('names nothing to undo once it is written', async () => {
    const at = directory({ '.htaccess': 'Deny from all\n' });
    const { stdout } = await command(['--format', 'markdown', '--dual', '--write', at], {}, { openStore });
    expect(stdout).toContain('see whether 2.2 and 2.4 start with it');
    expect(stdout).not.toContain('undo');
  });
});
