import { ACCOUNTS, type Draw, GROUP } from './draw';

const lines = (...text: readonly string[]): string => `${text.join('\n')}\n`;

const address = (draw: Draw): string => `10.${draw(4)}.${draw(3)}.${1 + draw(4)}`;

/** A site's pages go through one script. */
const frontController = (name: string): string =>
  lines(
    '# Everything that is no file goes to the front page',
    '<IfModule mod_rewrite.c>',
    'RewriteEngine On',
    'RewriteBase /',
    `RewriteCond %{HTTP_HOST} ^old\\.${name.replaceAll('.', '\\.')}$ [NC]`,
    `RewriteRule ^(.*)$ http://www.${name}/$1 [R=301,L]`,
    'RewriteRule ^index\\.php$ - [L]',
    'RewriteCond %{REQUEST_FILENAME} !-f',
    'RewriteCond %{REQUEST_FILENAME} !-d',
    'RewriteRule . /index.php [L]',
    '</IfModule>',
  );

const KEEP_OUT = lines('deny from all');

/** A blog: its settings, its uploads, its plugins. */
const blog = (name: string): readonly (readonly [string, string])[] => [
  [
    '',
    `${frontController(name)}\n${lines(
      '# Passwords of the database',
      '<Files wp-config.php>',
      'order allow,deny',
      'deny from all',
      '</Files>',
    )}`,
  ],
  [
    'wp-content/uploads',
    lines(
      '# No scripts among pictures',
      '<FilesMatch "\\.(php|phtml|cgi)$">',
      '  Order Allow,Deny',
      '  Deny from all',
      '</FilesMatch>',
    ),
  ],
  [
    'wp-content/plugins/spamcheck',
    lines(
      'Order Deny,Allow',
      'Deny from all',
      '<FilesMatch "\\.(css|js|png)$">',
      '  Allow from all',
      '</FilesMatch>',
    ),
  ],
];

/** A portal. */
const portal = (): readonly (readonly [string, string])[] => [
  [
    '',
    lines(
      'RewriteEngine On',
      'RewriteCond %{QUERY_STRING} base64_encode[^(]*\\([^)]*\\) [OR]',
      'RewriteCond %{QUERY_STRING} GLOBALS(=|\\[|\\%[0-9A-Z]{0,2})',
      'RewriteRule .* index.php [F]',
      'RewriteCond %{REQUEST_URI} ^/component/',
      'RewriteCond %{REQUEST_FILENAME} !-f',
      'RewriteRule .* index.php [L]',
    ),
  ],
  ['logs', KEEP_OUT],
  ['cache', lines('# Nothing to see', 'Order deny,allow', 'Deny from all')],
];

/** A site of modules and nodes. */
const nodes = (): readonly (readonly [string, string])[] => [
  [
    '',
    lines(
      '<FilesMatch "\\.(engine|inc|info|install|module|profile|po|sh|sql|theme)$|^(code-style\\.pl|Entries.*|Repository|Root|Tag|Template)$">',
      '  Order allow,deny',
      '</FilesMatch>',
      'Options -Indexes',
      'ErrorDocument 404 /index.php',
      '<IfModule mod_expires.c>',
      '  ExpiresActive On',
      '  ExpiresDefault A1209600',
      '</IfModule>',
    ),
  ],
  ['sites/default/files', lines('SetHandler none', 'Options -ExecCGI')],
  ['sites/default/private', lines('Deny from all')],
];

/** The `.htaccess` files that come with an application, by directory. */
export function applicationFiles(draw: Draw, name: string): readonly (readonly [string, string])[] {
  return [blog, portal, nodes][draw(3)]!(name);
}

/** What customers write themselves. */
export const denyLists: readonly { readonly directory: string; readonly text: (draw: Draw) => string }[] = [
  {
    directory: 'guestbook',
    text: (draw) =>
      lines(
        '# Spammers',
        'order allow,deny',
        ...Array.from({ length: 1 + draw(12) }, () => `deny from ${address(draw)}`),
        'allow from all',
      ),
  },
  { directory: 'includes', text: () => KEEP_OUT },
  { directory: 'tmp', text: () => lines('Order deny,allow', 'Deny from all') },
  {
    directory: 'intern',
    text: (draw) => lines('Order deny,allow', 'Deny from all', `Allow from 10.${draw(4)}.0.0/16 127.0.0.1`),
  },
  {
    directory: 'office',
    text: (draw) => lines('order deny,allow', 'deny from all', `allow from 10.${draw(4)}.`),
  },
  {
    directory: 'forum',
    text: (draw) =>
      lines(
        'Order allow,deny',
        'Allow from all',
        `Deny from 10.${draw(4)}.${draw(3)}.0/255.255.255.0 .spam.example`,
      ),
  },
  {
    directory: 'images',
    text: (draw) =>
      lines(
        'RewriteEngine on',
        'RewriteCond %{HTTP_REFERER} !^$',
        `RewriteCond %{HTTP_REFERER} !^http://(www\\.)?site${draw(9)}\\.example/ [NC]`,
        'RewriteRule \\.(gif|jpe?g|png)$ - [F,NC]',
      ),
  },
  {
    directory: 'shop',
    text: () =>
      lines(
        '<FilesMatch "\\.(inc|bak|sql|tpl)$">',
        '    Order allow,deny',
        '    Deny from all',
        '    Satisfy All',
        '</FilesMatch>',
        'Options -Indexes',
      ),
  },
  {
    directory: 'robots',
    text: () =>
      lines(
        'SetEnvIfNoCase User-Agent "(harvester|siphon)" bad_bot',
        'Order Allow,Deny',
        'Allow from all',
        'Deny from env=bad_bot',
      ),
  },
  {
    directory: 'frontpage',
    text: () =>
      lines(
        'IndexIgnore .htaccess */.??* *~ *# */HEADER* */README* */_vti*',
        '<Limit GET POST>',
        'order deny,allow',
        'deny from all',
        'allow from all',
        '</Limit>',
        '<Limit PUT DELETE>',
        'order deny,allow',
        'deny from all',
        '</Limit>',
      ),
  },
  {
    directory: 'moved',
    text: () =>
      lines('Redirect permanent /moved/old.html http://www.example.com/', 'ErrorDocument 404 /missing.html'),
  },
  {
    directory: 'pages',
    text: () => lines('AddType text/html .htm5', 'DirectoryIndex index.html index.php', 'IndexIgnore *.bak'),
  },
  {
    directory: 'download',
    text: () =>
      lines(
        '<Files ~ "\\.(zip|part)$">',
        'Order deny,allow',
        'Deny from all',
        'Allow from 10.1.0.0/16',
        '</Files>',
      ),
  },
  {
    directory: 'setup',
    text: () =>
      lines('<Files "install.php">', 'Order deny,allow', 'Deny from all', 'Allow from 10.2.0.1', '</Files>'),
  },
];

/** The `.htaccess` of a directory with a password. */
export function passwordFile(draw: Draw, passwords: string): string {
  const start = ['AuthType Basic', 'AuthName "Staff only"', `AuthUserFile ${passwords}`];
  switch (draw(8)) {
    case 0:
      return lines(...start, `require user ${ACCOUNTS[draw(ACCOUNTS.length)]}`);
    case 1:
      return lines(...start, `Require user ${ACCOUNTS[0]} ${ACCOUNTS[1]}`);
    case 2:
      return lines(...start, `AuthGroupFile ${passwords}.groups`, `Require group ${GROUP.name}`);
    case 3:
      return lines(
        ...start,
        'Require valid-user',
        'Order deny,allow',
        'Deny from all',
        'Allow from 10.1.0.0/16',
        'Satisfy Any',
      );
    case 4:
      return lines('<Files "index.html">', ...start, 'Require valid-user', '</Files>');
    default:
      return lines(...start, 'Require valid-user');
  }
}
