import { type ConfigTree, loadTree, memory } from '../../src/config';
import { judge } from '../../src/judge';

const PATH = '/etc/httpd/httpd.conf';
/** With A alone nobody gets in; with both names, with none, and with B alone everybody does. */
const OLD =
  'Order deny,allow\n<IfDefine A>\nDeny from all\n</IfDefine>\n<IfDefine B>\nAllow from all\n</IfDefine>\n';
const RIGHT = `<IfDefine !A>\nRequire all granted\n</IfDefine>
<IfDefine A>
<IfDefine B>\nRequire all granted\n</IfDefine>
<IfDefine !B>\nRequire all denied\n</IfDefine>
</IfDefine>
`;

const conf = (lines: string): string =>
  `ServerRoot /etc/httpd\nListen 80\nDocumentRoot /srv/www\n<Directory /srv/www>\nAllowOverride None\n${lines}</Directory>\n`;

const tree = (text: string): ConfigTree =>
  loadTree(memory(new Map([[PATH, text]])), [PATH], { cwd: '/', defines: new Map(), env: new Map() });

function vetoesOf(old: string, lines: string): readonly unknown[] {
  const before = tree(conf(old));
  const start = before.files[0]!.document.text.indexOf(old);
  const edits = [{ start, end: start + old.length, text: lines }];
  const finding = {
    rule: 'x',
    file: before.files[0]!,
    at: start,
    level: 'error',
    safety: 'safe',
    status: 'applied',
    edits,
  };
  return judge(before, tree(conf(lines)), [finding]).vetoes;
}

test.each([
  ['lets everybody in', 'Require all granted\n', 1],
  ['lets nobody in', RIGHT.replaceAll('granted', 'denied'), 1],
  ['says the same', RIGHT, 0],
])('names that stand in several blocks are given one by one: what %s', (_, lines, expected) => {
  expect(vetoesOf(OLD, lines)).toHaveLength(expected);
});

test.each(['mod_authz_core', 'mod_rewrite', 'mod_ssl.so', '!mod_authz_core'])(
  'a name of no module opens no block: <IfModule %s>',
  (name) => {
    const lines = `Order allow,deny\nAllow from all\n<IfModule ${name}>\nAuthType Basic\nAuthName x\nAuthUserFile /u\nRequire valid-user\n</IfModule>\n`;
    const isRead = name.startsWith('!');
    const result = (asked: boolean): string =>
      asked ? lines.replace(/^Order.*\nAllow.*\n/, '') : 'Require all granted\n';
    expect(vetoesOf(lines, result(isRead))).toHaveLength(0);
    expect(vetoesOf(lines, isRead ? result(false) : 'Require all denied\n')).toHaveLength(1);
  },
);
