import { CONF, type Files, served, vetoesOf } from '../../testing/judge/vetoes';

const AUTH = 'AuthType Basic\nAuthName x\nAuthUserFile /srv/users\n';

/** Servers before and after, and the last text of a file with a mistake in it that lets somebody in. */
const CASES: readonly (readonly [what: string, was: Files, is: Files, path: string, mistake: string])[] = [
  [
    'a module that the old text does not ask for',
    served('<Directory /srv/www/a>\n<IfDefine A>\nDeny from all\n</IfDefine>\n</Directory>\n'),
    served('<Directory /srv/www/a>\n<IfDefine A>\nRequire all denied\n</IfDefine>\n</Directory>\n'),
    CONF,
    served('<Directory /srv/www/a>\n<IfModule A>\nRequire all denied\n</IfModule>\n</Directory>\n')[CONF]!,
  ],
  [
    'an end that 2.2 never finds in a name of a directory, and 2.4 does',
    served('<DirectoryMatch "/s/x.txt$">\nAllow from all\n</DirectoryMatch>\n<Directory /srv/www/s>\nDeny from all\n</Directory>\n'),
    served('<DirectoryMatch "/s/x.txt$">\nRequire all denied\n</DirectoryMatch>\n<Directory /srv/www/s>\nRequire all denied\n</Directory>\n'),
    CONF,
    served('<DirectoryMatch "/s/x.txt$">\nRequire all granted\n</DirectoryMatch>\n<Directory /srv/www/s>\nRequire all denied\n</Directory>\n')[CONF]!,
  ],
  [
    'what stands beside an end that 2.2 never finds',
    served(`<Directory ~ "/(s|zz$)">\nDeny from all\n</Directory>\n<Location /s>\n${AUTH}Require valid-user\n</Location>\n`),
    served(`<Directory ~ "/(s|zz(?!))">\nRequire all denied\n</Directory>\n<Location /s>\n${AUTH}Require all denied\n</Location>\n`),
    CONF,
    served(`<Directory ~ "/(s|zz$)">\nRequire all denied\n</Directory>\n<Location /s>\n${AUTH}Require valid-user\n</Location>\n`)[CONF]!,
  ],
  [
    'a name in a block that another name hides',
    served('<Directory /srv/www/a>\n<IfDefine !A>\n<IfDefine B>\nDeny from all\n</IfDefine>\n</IfDefine>\n</Directory>\n'),
    served('<Directory /srv/www/a>\n<IfDefine !A>\n<IfDefine B>\nRequire all denied\n</IfDefine>\n</IfDefine>\n</Directory>\n'),
    CONF,
    served('<Directory /srv/www/a>\n<IfDefine !A>\n<IfDefine B>\n</IfDefine>\n</IfDefine>\n</Directory>\n')[CONF]!,
  ],
  [
    'a section below a Require line that 2.2 does not know, which it overrides',
    served('', {
      '/srv/www/.htaccess': '<Files *.php>\nRequire all denied\n</Files>\n',
      '/srv/www/a/.htaccess': `<Files *.php>\n${AUTH}Require valid-user\nDeny from all\n</Files>\n`,
    }),
    served('', {
      '/srv/www/.htaccess': '<Files *.php>\nRequire all denied\n</Files>\n',
      '/srv/www/a/.htaccess': `<Files *.php>\n${AUTH}Require all denied\n</Files>\n`,
    }),
    '/srv/www/a/.htaccess',
    `<Files *.php>\n${AUTH}Require all granted\n</Files>\n`,
  ],
  [
    'a name of a section in a directory, where a Location decides',
    served('<Directory /srv/www/a>\n<Files x.txt>\nAllow from all\n</Files>\n</Directory>\n<Location /a/b>\n<IfVersion < 2.4>\nDeny from all\n</IfVersion>\n</Location>\n'),
    served('<Directory /srv/www/a>\n<Files x.txt>\nRequire all granted\n</Files>\n</Directory>\n<Location /a/b>\nRequire all denied\n</Location>\n'),
    CONF,
    served('<Directory /srv/www/a>\n<Files x.txt>\nRequire all granted\n</Files>\n</Directory>\n<Location /a/b>\n<IfVersion < 2.4>\nDeny from all\n</IfVersion>\n</Location>\n')[CONF]!,
  ],
  [
    'an unanchored LocationMatch below which a file decides',
    served(`<LocationMatch "txt$">\nDeny from 10.1\n</LocationMatch>\n`, { '/srv/www/a/.htaccess': 'Deny from 10.2\n' }),
    served(
      `<LocationMatch "txt$">\n<RequireAll>\nRequire all granted\nRequire not ip 10.1\n</RequireAll>\n</LocationMatch>\n`,
      { '/srv/www/a/.htaccess': '<RequireAll>\nRequire all granted\nRequire not ip 10.2\n</RequireAll>\n' },
    ),
    CONF,
    served(
      `<LocationMatch "txt$">\n<RequireAny>\nRequire expr %{REQUEST_FILENAME} =~ m#^/srv/www/a/#\n<RequireAll>\nRequire all granted\nRequire not ip 10.1\n</RequireAll>\n</RequireAny>\n</LocationMatch>\n`,
    )[CONF]!,
  ],
  [
    'a wildcard in a directory, for a name that a URL has',
    served('<Location /a>\nOptions None\n</Location>\n<Directory /srv/www/*/b>\nDeny from all\n</Directory>\n'),
    served('<Location /a>\nOptions None\n</Location>\n<Directory /srv/www/*/b>\nRequire all denied\n</Directory>\n'),
    CONF,
    served('<Location /a>\nOptions None\n</Location>\n<Directory /srv/www/*/b>\nRequire expr %{REQUEST_URI} =~ m#^/a/#\n</Directory>\n')[CONF]!,
  ],
  [
    'a module that is not there beside a name that is given',
    served('<Directory /srv/www/a>\n<IfDefine B>\n<IfModule !mod_x.c>\nDeny from all\n</IfModule>\n</IfDefine>\n</Directory>\n'),
    served('<Directory /srv/www/a>\n<IfDefine B>\n<IfModule !mod_x.c>\nRequire all denied\n</IfModule>\n</IfDefine>\n</Directory>\n'),
    CONF,
    served('<Directory /srv/www/a>\n<IfDefine B>\n<IfModule !mod_x.c>\nRequire all granted\n</IfModule>\n</IfDefine>\n</Directory>\n')[CONF]!,
  ],
  [
    'an unanchored pattern of a directory',
    served('<Directory ~ "/a/b/">\nDeny from all\n</Directory>\n'),
    served('<Directory ~ "/a/b/">\nRequire all denied\n</Directory>\n'),
    CONF,
    served('<Directory ~ "/a/b/">\nRequire all granted\n</Directory>\n')[CONF]!,
  ],
]; // prettier-ignore

describe.each(CASES)('%s', (_, was, is, path, mistake) => {
  test('is no reason to refuse what is right', () => {
    expect(vetoesOf(was, is)).toEqual([]);
  });

  test('is asked about', () => {
    expect(vetoesOf(was, { ...is, [path]: mistake })).toEqual([expect.stringContaining('2.2 refuses it')]);
  });
});

test('a last line that is to go on behind the end of the file counts for 2.4 alone', () => {
  const files = (text: string): Files => served('', { '/srv/www/.htaccess': text });
  const forgotten = 'Order allow,deny\nAllow from all\nDeny from all \\\n';
  expect(vetoesOf(files(forgotten), files('Require all granted\n'))).toEqual([]);
  expect(vetoesOf(files(forgotten), files('Require all denied\n'))).toEqual([
    expect.stringContaining('2.2 lets'),
  ]);
  const everybody = files('Order deny,allow\nAllow from all\n');
  expect(vetoesOf(everybody, files('Require all denied \\\n'))).toEqual([
    expect.stringContaining('2.2 lets'),
  ]);
  expect(vetoesOf(everybody, files('Require all granted \\\n'))).toEqual([]);
});
