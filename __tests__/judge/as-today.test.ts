import { AS_TODAY, convertFiles, textAfter } from '../../testing/run/convert';

const AUTH = 'AuthType Basic\nAuthName x\nAuthUserFile /etc/httpd/users\nAuthGroupFile /etc/httpd/groups\n';
const FOR_24 = '<Files *.php>\nRequire all denied\n</Files>\n';
/** In 2.2 the addresses still count for these files; a 2.4 drops them with the Satisfy (mod_access_compat has no merge). */
const OLD =
  `<Directory /w>\n${AUTH}Require user alice\nOrder deny,allow\nDeny from all\nAllow from 10.1\nSatisfy Any\n` +
  '<Files *.txt>\nSatisfy All\nRequire group staff\n</Files>\n</Directory>\n';

function runOn(text: string, answers: typeof AS_TODAY | []): { text: string; vetoes: number } {
  const result = convertFiles({ '/httpd.conf': `Listen 80\nDocumentRoot /w\n${text}` }, undefined, {
    answers,
  });
  const vetoes = result.outcomes.filter(({ why }) => why?.includes('the check of the result') === true);
  return { text: textAfter(result, '/httpd.conf') ?? '', vetoes: vetoes.length };
}

test('takes what a 2.4 with mod_access_compat answers for lines of 2.2 alone, where a person wants that to stay', () => {
  const { text, vetoes } = runOn(FOR_24 + OLD, AS_TODAY);
  expect(vetoes).toBe(0);
  expect(text).toContain('<Files *.txt>\nRequire group staff\n</Files>');
});

test('holds such lines to what 2.2 answers where no line for 2.4 stands in the configuration', () => {
  const { text, vetoes } = runOn(OLD, AS_TODAY);
  expect(vetoes).toBe(0);
  expect(text).toContain('Require ip 10.1\n    Require group staff\n');
});

test('lets refuse what fails in a 2.4 today', () => {
  const both =
    '<Files *.php>\n<IfModule mod_alias.c>\nRequire all denied\nOrder allow,deny\nAllow from all\n</IfModule>\n</Files>\n';
  const { text, vetoes } = runOn(
    `${both}<Directory /w/a>\n${AUTH}Order allow,deny\nAllow from all\n</Directory>\n`,
    AS_TODAY,
  );
  expect(vetoes).toBe(0);
  expect(text).toContain(`<Directory /w/a>\n${AUTH}Require all denied\n</Directory>`);
});
