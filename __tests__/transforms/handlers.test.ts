import { checkAnswers, parseAnswer } from '../../src/cli/options/answers';
import type { Answer, RunOptions } from '../../src/engine';
import { isBlocker } from '../../src/report/content';
import { convertFiles, textAfter } from '../../testing/run/convert';
import { transforms } from '../../transforms';

const CONF = '/etc/httpd/httpd.conf';

const answered = (choice: string): readonly Answer[] => [{ key: 'php', value: true, choice, reason: '' }];

/** What the rules about handlers say of a text, and what becomes of it. */
function converted(text: string, options: RunOptions = {}, path = CONF) {
  const result = convertFiles({ [path]: text }, [path], options);
  expect(result.failure).toBeUndefined();
  const outcomes = result.outcomes.filter(({ rule }) => /^(?:handler-without-module|php-)/.test(rule));
  return { outcomes, blockers: outcomes.filter(isBlocker), text: textAfter(result, path) ?? '' };
}

const withModules = (...names: string[]): RunOptions => ({
  targetModules: new Map(names.map((name) => [name, 'shared' as const])),
});

const GUARD = '<If "-f %{REQUEST_FILENAME}';

describe('a handler that the target has', () => {
  test.each([
    ['<FilesMatch "\\.php$">\nSetHandler application/x-httpd-php\n</FilesMatch>\n', 'php_module'],
    ['AddHandler application/x-httpd-php .php\n', 'php7_module'],
    ['AddHandler php5-script .php\n', 'php5_module'],
    ['<Location /perl>\nSetHandler perl-script\n</Location>\n', 'perl_module'],
    ['AddHandler fastcgi-script .fcgi\n', 'fcgid_module'],
    ['AddHandler wsgi-script .wsgi\n', 'wsgi_module'],
  ])('%j is left alone with %s', (text, module) => {
    const { outcomes, text: result } = converted(text, withModules(module));
    expect(outcomes).toEqual([]);
    expect(result).toBe(text);
  });

  test.each([
    ['AddHandler php5-script .php\n', []],
    ['<FilesMatch "\\.php$">\nSetHandler application/x-httpd-php\n</FilesMatch>\n', ['perl_module']],
    ['<Location /perl>\nSetHandler perl-script\n</Location>\n', ['php_module']],
    ['AddHandler wsgi-script .wsgi\n', ['fcgid_module']],
  ])('%j is a blocker with %j', (text, modules) => {
    const { blockers, text: result } = converted(text, withModules(...modules));
    expect(blockers).toHaveLength(1);
    expect(result).toContain(GUARD);
  });

  test.each([
    ['php_module', 'SetHandler application/x-httpd-php\n'],
    ['php7_module', 'SetHandler application/x-httpd-php\n'],
  ])('php5-script is rewritten for %s, which does not register it', (module, expected) => {
    const { blockers, text } = converted('AddHandler php5-script .php\n', withModules(module));
    expect(blockers).toEqual([]);
    expect(text).toContain(`<FilesMatch "(?i)\\.php$">\n    ${expected}</FilesMatch>\n`);
    expect(text).not.toContain('php5-script');
  });
});

describe('the result of a run', () => {
  const server =
    'Listen 80\nLoadModule php5_module modules/libphp5.so\nAddHandler php5-script .php\nAddType text/html .php\n';

  test('is a blocker again, and stays as it is', () => {
    const first = converted(server);
    expect(first.blockers).toHaveLength(1);
    const second = converted(first.text);
    expect(second.text).toBe(first.text);
    expect(second.blockers).toHaveLength(1);
  });

  test('is rewritten when PHP is answered later, without what refuses the files', () => {
    const uploads = '<Directory /var/www/up>\n    RemoveHandler .php\n</Directory>\n';
    const guarded = converted(server + uploads).text;
    expect(guarded.split(GUARD)).toHaveLength(3);
    const { text, blockers } = converted(guarded, { answers: answered('fpm:/run/php.sock') });
    expect(blockers).toEqual([]);
    expect(text).toContain('SetHandler "proxy:unix:/run/php.sock|fcgi://localhost"');
    // What is left refuses x.php.bak, and PHP among the uploads.
    expect(text.split(GUARD)).toHaveLength(3);
    expect(text).toContain(
      String.raw`<If "-f %{REQUEST_FILENAME} && %{REQUEST_FILENAME} =~ m#\.php\.[^/]*$#i">`,
    );
    expect(text).toContain(
      `RemoveHandler .php\n    ${GUARD} && %{REQUEST_FILENAME} =~ m#\\.php(?:\\.[^/]*)?$#i">`,
    );
    expect(converted(text, { answers: answered('fpm:/run/php.sock') }).text).toBe(text);
  });

  test.each(['none', 'module', 'module:7', 'fpm:127.0.0.1:9000'])('is no blocker with php=%s', (choice) => {
    expect(converted(server, { answers: answered(choice) }).blockers).toEqual([]);
  });

  test('asks how PHP runs until that is answered, with php=none too', () => {
    const asks = (options?: RunOptions): boolean =>
      converted(server, options).outcomes.some(
        ({ task }) => task?.text.startsWith('say how PHP runs') === true,
      );
    expect(asks()).toBe(true);
    expect(asks({ answers: answered('none') })).toBe(false);
  });

  test('needs 2.4.10 to pass anything on', () => {
    const { blockers, text } = converted(server, { answers: answered('fpm:/run/php.sock'), target: 6 });
    expect(blockers).toHaveLength(1);
    expect(text).not.toContain('proxy:');
  });
});

describe('a part of a server', () => {
  const block = '<IfModule mod_php5.c>\n    AddType application/x-httpd-php .php\n</IfModule>\n';

  test.each(['/app/.htaccess', '/app/app.conf'])('keeps its block for PHP 5 in %s, and asks', (path) => {
    const { blockers, text } = converted(block, {}, path);
    expect(text).toBe(block);
    expect(blockers).toHaveLength(1);
    expect(converted(block, { dual: true }, path).text).toBe(block);
  });

  test.each([
    ['a whole server', `Listen 80\n${block}`, CONF],
    ['a line outside of the block', `${block}AddType application/x-httpd-php .inc\n`, '/app/.htaccess'],
    ['a block for a module that says nothing of PHP', block.replace('php5', 'mime'), '/app/.htaccess'],
  ])('refuses the files of %s', (_, text, path) => {
    const { blockers, text: result } = converted(text, {}, path);
    expect(blockers.length).toBeGreaterThan(0);
    expect(result).toContain(GUARD);
  });

  test('needs no refusal where it does not start without the module', () => {
    const text = 'PerlModule Apache2::Status\n<Location /s>\n    SetHandler perl-script\n</Location>\n';
    expect(converted(text, {}, '/app/app.conf').text).toBe(text);
  });

  test.each([
    ['a template that may leave the line out', '<% if perl %>\nPerlModule Apache2::Status\n<% end %>\n'],
    ['a condition', '<IfDefine PERL>\nPerlModule Apache2::Status\n</IfDefine>\n'],
    ['another module', 'WSGIDaemonProcess app\n'],
  ])('does where it may start without it: %s', (_, lines) => {
    const text = `${lines}<Location /s>\n    SetHandler perl-script\n</Location>\n`;
    expect(converted(text, {}, '/app/app.conf').text).toContain(GUARD);
  });

  test.each(['php5-script', 'application/x-httpd-php'])(
    'keeps the refusal beside php_value: %s',
    (handler) => {
      const text = `php_value memory_limit 64M\nAddHandler ${handler} .php\n`;
      expect(converted(text, {}, '/app/app.conf').text).toContain(GUARD);
    },
  );
});

describe('a line that 2.4 does not start with says nothing', () => {
  const perl = '<Location /s>\n    SetHandler perl-script\n</Location>\n';
  const includes = 'Include mods-enabled/*.conf\nInclude conf.d/*.conf\nInclude sites-enabled/*\n';
  const debian = (path: string, text: string, site: string): string => {
    const files = {
      '/etc/apache2/apache2.conf': `ServerRoot /etc/apache2\nListen 80\n${includes}`,
      [`/etc/apache2/${path}`]: text,
      '/etc/apache2/sites-enabled/default': site,
    };
    const result = convertFiles(files, ['/etc/apache2']);
    expect(result.failure).toBeUndefined();
    return textAfter(result, '/etc/apache2/sites-enabled/default') ?? '';
  };

  test('in the file of a module, which a script takes away', () => {
    const site = 'AddHandler application/x-httpd-php .html .inc\n';
    expect(debian('mods-enabled/php5.conf', 'php_value upload_max_filesize 20M\n', site)).toContain(GUARD);
    expect(debian('mods-enabled/perl.conf', 'PerlModule Apache2::Status\n', perl)).toContain(GUARD);
    // Nothing takes that away.
    expect(debian('conf.d/perl.conf', 'PerlModule Apache2::Status\n', perl)).toBe(perl);
  });

  test('of another server', () => {
    const a = `ServerRoot /a\nListen 80\nPerlModule Apache2::Status\n${perl}`;
    const b = `ServerRoot /b\nListen 81\n${perl}`;
    const files = {
      '/a/conf/httpd.conf': a,
      '/b/conf/httpd.conf': b,
      '/a/www/.htaccess': 'SetHandler perl-script\n',
    };
    const result = convertFiles(files, Object.keys(files));
    expect(result.failure).toBeUndefined();
    expect(textAfter(result, '/b/conf/httpd.conf')).toContain(GUARD);
    expect(textAfter(result, '/a/conf/httpd.conf')).not.toContain(GUARD);
    expect(textAfter(result, '/a/www/.htaccess')).toContain(GUARD);
  });
});

test('in a file that goes with its module on Debian nothing is written', () => {
  const path = '/etc/apache2/mods-available/php5.conf';
  const text =
    '<IfModule mod_php5.c>\n<FilesMatch "\\.ph(p3?|tml)$">\nSetHandler application/x-httpd-php\n</FilesMatch>\n</IfModule>\n';
  const server = 'Listen 80\nInclude mods-available/php5.conf\nServerRoot /etc/apache2\n';
  const files = { '/etc/apache2/apache2.conf': server, [path]: text };
  const asked = convertFiles(files, ['/etc/apache2/apache2.conf']);
  expect(textAfter(asked, path)).toBe(text);
  expect(asked.outcomes.filter(({ rule }) => rule === 'handler-without-module').map(isBlocker)).toEqual([
    true,
  ]);
  const told = convertFiles(files, ['/etc/apache2/apache2.conf'], { answers: answered('fpm:/run/php.sock') });
  const outcome = told.outcomes.find(({ rule }) => rule === 'handler-without-module');
  expect(outcome?.commands?.join('\n')).toContain(
    `'    SetHandler "proxy:unix:/run/php.sock|fcgi://localhost"' '</FilesMatch>' '<IfModule !mod_proxy_fcgi.c>' '    <FilesMatch "\\.ph(p3?|tml)$">' '        <If "-f `,
  );
  // httpd sends the sources where no module has the handler.
  expect(outcome?.commands).toEqual(
    expect.arrayContaining(['enable proxy', 'enable proxy_fcgi', 'enable alias']),
  );
});

describe('what goes with its module on Debian and names other files than usual', () => {
  const path = '/etc/apache2/mods-available/x.conf';
  const files = (text: string) => ({
    '/etc/apache2/apache2.conf': 'Listen 80\nInclude mods-available/x.conf\nServerRoot /etc/apache2\n',
    [path]: text,
  });
  const commandsFor = (text: string, options: RunOptions = {}): string =>
    convertFiles(files(text), ['/etc/apache2/apache2.conf'], options)
      .outcomes.filter(({ rule }) => rule === 'handler-without-module')
      .flatMap(({ commands = [] }) => commands)
      .join('\n');

  test.each([
    ['AddHandler php5-script .php .inc .phtml .html\n', String.raw`m#\.(?:inc|html)(?:\.[^/]*)?$#i`],
    ['<FilesMatch "\\.(module|php)$">\nSetHandler application/x-httpd-php\n</FilesMatch>\n', String.raw`m#\.module(?:\.[^/]*)?$#i`],
    ['<FilesMatch "\\.x+$">\nSetHandler application/x-httpd-php\n</FilesMatch>\n', String.raw`'<FilesMatch "\.x+$">' '    <If "-f %{REQUEST_FILENAME}">'`],
    ['AddHandler mod_python .py\n', String.raw`m#\.py(?:\.[^/]*)?$#i`],
  ])('%j: the script refuses them', (text, guard) => {
    expect(commandsFor(text)).toContain(guard);
    expect(commandsFor(text)).toMatch(/^enable alias\n.*>> mods-enabled\/no-sources\.conf$/);
  }); // prettier-ignore

  test.each([
    'AddHandler php5-script .php .phtml .phps\n',
    '<FilesMatch ".+\\.ph(p[345]?|t|tml)$">\nSetHandler application/x-httpd-php\n</FilesMatch>\n',
    '<FilesMatch "\\.phps$">\nSetHandler application/x-httpd-php-source\n</FilesMatch>\n',
  ])('%j: those are refused with the module', (text) => {
    expect(commandsFor(text)).toBe('');
  });

  test('what is answered takes it away', () => {
    const text = 'AddHandler php5-script .inc\n';
    expect(commandsFor(text, { answers: answered('fpm:/run/php.sock') })).toMatch(
      /^rm -f mods-enabled\/no-sources\.conf\n/,
    );
  });
});

test('the script writes the .user.ini', () => {
  const path = '/srv/www/.htaccess';
  const text = 'php_value error_log "it\'s here"\nphp_flag display_errors off\n';
  const { outcomes, text: result } = converted(text, { answers: answered('fpm:/run/php.sock') }, path);
  expect(outcomes.flatMap(({ commands = [] }) => commands)).toEqual([
    String.raw`[ -e '/srv/www/.user.ini' ] || printf '%s\n' 'error_log = "it'\''s here"' 'display_errors = Off' > '/srv/www/.user.ini'`,
  ]);
  expect(result).toBe('<Files ".user.ini">\n    Redirect 403 /\n</Files>\n');
});

describe('a line that httpd refuses, or reads as nothing', () => {
  test.each([
    // The quote is not closed: the extension is empty.
    "AddHandler php5-script '\n",
    '<IfModule mod_php5.c>\n<Directory %{REQUEST_URI}\nphp_admin_flag engine php5_module\n',
    'RewriteRule ^/query/(.*)$ /index.php?q=$1 L\n',
    'RewriteRule ^/query/(.*)$ /index.php?q=$1 [L\n',
  ])('%j is left as it is', (text) => {
    expect(converted(text).text).toBe(text);
  });

  test('an extension beside an empty one is still refused', () => {
    expect(converted("AddHandler php5-script .php '\n").text).toContain('\\.php');
  });
});

describe('--answer', () => {
  const check = (text: string): void => checkAnswers([parseAnswer(text)], transforms);

  test.each([
    'php=fpm:/run/php/php-fpm.sock',
    'php@/srv/www=fpm:[::1]:9000',
    'php=module:8',
    'php=none',
    'handler-without-module=yes',
  ])('takes %s', (text) => expect(() => check(text)).not.toThrow());

  test.each(['php=yes', 'php=fpm:', 'php=fpm:/a b', 'php=fpm:/a"', 'php=module:5', 'load-module=perhaps'])(
    'refuses %s',
    (text) => expect(() => check(text)).toThrow(/, not '/),
  );
});
