import { served, vetoesOf as vetoesBetween } from '../../testing/judge/vetoes';

/** With A alone nobody gets in; with both names, with none, and with B alone everybody does. */
const OLD =
  'Order deny,allow\n<IfDefine A>\nDeny from all\n</IfDefine>\n<IfDefine B>\nAllow from all\n</IfDefine>\n';
const RIGHT = `<IfDefine !A>\nRequire all granted\n</IfDefine>
<IfDefine A>
<IfDefine B>\nRequire all granted\n</IfDefine>
<IfDefine !B>\nRequire all denied\n</IfDefine>
</IfDefine>
`;

const inDirectory = (lines: string): ReturnType<typeof served> =>
  served(`<Directory /srv/www/a>\n${lines}</Directory>\n`);

const vetoesOf = (was: string, is: string): readonly string[] =>
  vetoesBetween(inDirectory(was), inDirectory(is));

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
