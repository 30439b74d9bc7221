import { convertText } from '../../testing/run/convert';

const SERVER =
  'ServerRoot /etc/httpd\nListen 80\nDocumentRoot /w\n<Directory /w>\nOrder allow,deny\nAllow from all\n</Directory>\nAlias /app/ui /srv/ui\n';
const UI = '<Directory /srv/ui>\nSatisfy Any\nAllow from all\n</Directory>\n';
const APP =
  '<Location /app>\nAuthType Basic\nAuthName x\nAuthUserFile users\nRequire valid-user\n</Location>\n';

const convert = (...sections: readonly string[]): string => convertText(SERVER + sections.join(''));
const open = (path: string): string => `<Location ${path}>\nSatisfy Any\nAllow from all\n</Location>\n`;

test('a Location says nothing of URLs that a later one below it opens to everybody', () => {
  const text = convert(UI, APP, open('/app/ui'));
  expect(text).toContain('AuthUserFile users\nRequire valid-user\n</Location>');
  expect(text).not.toContain('Require expr');
  expect(text).toContain('<Location /app/ui>\nRequire all granted\n');
});

test('nor does the check ask it about the directory of an Alias below it', () => {
  const locked =
    '<Directory /srv/ui>\nAuthType Basic\nAuthName y\nAuthUserFile users\nRequire user bob\n</Directory>\n';
  const all = `${locked}<Location /app>\nOrder deny,allow\nDeny from 10\n</Location>\n`;
  const text = convert(
    'Alias /app /w/app\n',
    '<Directory /w/app>\nAuthType Basic\nAuthName x\nAuthUserFile users\nRequire user alice\n</Directory>\n',
    all,
    open('/app/ui'),
  );
  expect(text).not.toMatch(/^(?:Order|Satisfy)/m);
  expect(text).toContain('<Location /app/ui>\nRequire all granted\n');
});

test.each([
  ['stands before it', [UI, open('/app/ui'), APP]],
  ['is for a part of these URLs', [UI, APP, open('/app/ui/public')]],
  ['is for others', [UI, APP, open('/app/u')]],
  ['does not let in everybody', [UI, APP, '<Location /app/ui>\nOrder deny,allow\nDeny from all\nAllow from 10.1\n</Location>\n']],
  ['stands in a conditional', [UI, APP, `<IfDefine UI>\n${open('/app/ui')}</IfDefine>\n`]],
  ['is a virtual host\'s', [UI, APP, `<VirtualHost *:80>\n${open('/app/ui')}</VirtualHost>\nListen 8080\n`]],
  ['is not the only way there', [UI, 'Alias /app/old /srv/ui/old\n', APP, open('/app/ui')]],
])('it does where that %s', (_, sections) => {
  expect(convert(...sections)).toContain('%{REQUEST_FILENAME} =~ m#^/srv/ui');
}); // prettier-ignore
