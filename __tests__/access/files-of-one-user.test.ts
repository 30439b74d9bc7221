import type { Outcome, RunResult } from '../../src/engine';
import { convertFiles, textAfter } from '../../testing/run/convert';
import { loadLines } from '../../testing/run/load-lines';

// What one user's files say together changes nothing of what a run says and does of all others.

const SERVER = '/etc/httpd/httpd.conf';
const HOME = '/srv/home/m/public_html/';
const LIST = 'Order deny,allow\nDeny from all\nAllow from 10.0.0.0/8\n';
const PASSWORD = 'AuthType Basic\nAuthName x\nAuthUserFile /srv/users\nRequire valid-user\n';
const MODULES = loadLines(
  'authz_host authz_default auth_basic authn_file authz_user authz_groupfile setenvif rewrite alias userdir dir mime ssl',
);
const CONFIG = `ServerRoot /etc/httpd\nListen 80\n${MODULES}DocumentRoot /srv/www\n<Files ~ "^\\.ht">\nOrder allow,deny\nDeny from all\n</Files>\n<Directory /srv/www>\nAllowOverride All\nOrder allow,deny\nAllow from all\n</Directory>\n<Directory /srv/home/*/public_html>\nAllowOverride All\nOrder allow,deny\nAllow from all\nDeny from 6.6.6.6\n</Directory>\nUserDir public_html\n<Location /private>\n${PASSWORD}${LIST}Satisfy any\n</Location>\n`;
const OTHERS = {
  '/srv/home/v/public_html/.htaccess': LIST,
  '/srv/www/v/.htaccess': LIST,
  '/srv/www/w/.htaccess': `${PASSWORD}${LIST}Satisfy Any\n`,
};

const convert = (texts: readonly string[]): RunResult =>
  convertFiles(
    {
      [SERVER]: CONFIG,
      ...OTHERS,
      ...Object.fromEntries(texts.map((text, i) => [`${HOME}d${i}/.htaccess`, text])),
    },
    [SERVER, '/srv/www', '/srv/home'],
  );

/** What is said and done of all files but one user's. */
function ofOthers(result: RunResult): unknown {
  expect(result.failure).toBeUndefined();
  const isOther = ({ file }: Outcome): boolean => !file.path.startsWith(HOME);
  const said = result.outcomes
    .filter(isOther)
    .map(({ rule, file, at, status, message, edits, why }) => ({
      rule,
      at,
      status,
      message,
      edits,
      why,
      path: file.path,
    }))
    .filter(({ message }) => !/^\d+ sections? (?:is|are) written in the strictest form/.test(message));
  return { said, texts: [SERVER, ...Object.keys(OTHERS)].map((path) => textAfter(result, path)) };
}

test.each([
  [
    'one that stays, and one that a check decides anew',
    ['Deny from 192.0.<%= @banned %>\n', '<IfModule mod_authn_alias.c>\nAllow from env=partner\n'],
  ],
  [
    'two that stay for other reasons, one of which a second run would change',
    ['<Limit GET POST OPTIONS>\nDeny from 10.0.0.1\n', 'Deny from 192.0.<%= @banned %>\n'],
  ],
])('%s', (_, texts) => {
  const alone = ofOthers(convert([]));
  for (const some of [texts, [...texts].reverse(), [...texts, ...texts]])
    expect(ofOthers(convert(some))).toEqual(alone);
});

test('twin: what stays alone, and changes nothing in a second run, stays as it is', () => {
  for (const text of ['<Limit GET>\nDeny from 10.0.0.1\n', 'Deny from 192.0.<%= @banned %>\n'])
    expect(textAfter(convert([text]), `${HOME}d0/.htaccess`)).toBe(text);
});

test('a check of TLS that stays in a file is told of the sections alone that a request can meet with it', () => {
  const told = convert(['SSLRequireSSL\n', 'SSLOptions +StrictRequire\n']).outcomes.flatMap(({ message }) =>
    message.includes('SSLRequireSSL stays') ? message.split(':')[0]! : [],
  );
  expect(told).toEqual(['<Files ~ "^\\.ht">']);
});
