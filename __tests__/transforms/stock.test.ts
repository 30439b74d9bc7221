import { APPLICATIONS } from '../../testing/stock/applications';
import { STOCK_SERVERS, type StockTree } from '../../testing/stock/servers';
import { convertFiles } from '../../testing/run/convert';

/** A finding for a person, at warning or above, and why an administrator wants to read it. */
type Wanted = readonly [finding: string, why: string];

/** What is found, in the order of the report: the rule and its place. What is rewritten without a question is none of it. */
function forPersons(files: StockTree, paths: readonly string[]): readonly string[] {
  const { outcomes, failure } = convertFiles(files, paths);
  expect(failure).toBeUndefined();
  return outcomes
    .filter(({ level, status, safety }) => level !== 'info' && (status !== 'applied' || safety === 'strict'))
    .map(({ level, rule, file, at }) => `${level} ${rule} ${file.name}:${file.document.positionAt(at).line}`)
    .toSorted();
}

const DEBIAN: readonly Wanted[] = [
  ['error debian-layout etc/apache2/conf.d/charset:1', 'none of the files in conf.d is read any more'],
  ['error debian-layout etc/apache2/sites-enabled/000-default:1', 'no site is served: its name does not end in .conf'],
  ['error load-module etc/apache2/mods-enabled/alias.load:1', '2.4 does not start before these modules are enabled'],
  ['error load-module etc/apache2/mods-enabled/authz_default.load:1', '2.4 does not start with the line'],
  ['warning mpm-block-above-load etc/apache2/apache2.conf:7', 'the server takes other numbers of requests than it is sized for'],
]; // prettier-ignore

const RED_HAT: readonly Wanted[] = [
  ['warning package-layout etc/httpd/conf/httpd.conf:75', 'systemd ends httpd after 90 seconds without mod_systemd'],
  ['warning ssi-expr etc/httpd/conf/httpd.conf:150', 'every error page says that an error occurred while it was processed'],
]; // prettier-ignore

const SERVERS: Readonly<Record<string, readonly Wanted[]>> = {
  'the sources, with extra/': [],
  FreeBSD: [['error package-layout usr/local/etc/apache22/httpd.conf:3', '2.4 reads another directory']],
  'Debian 6 and Ubuntu 10.04': DEBIAN,
  'Debian 7 and Ubuntu 12.04': DEBIAN,
  'CentOS 5': RED_HAT.map(([finding, why]) => [finding.replace(':150', ':149'), why] as const),
  'CentOS 6': RED_HAT,
  'SUSE 11': [
    [
      'warning timeout-unset etc/apache2/server-tuning.conf:18',
      'no line sets it, and a program of two minutes gets 504',
    ],
  ],
};

describe('the configurations that 2.2 came with', () => {
  test.each(Object.entries(STOCK_SERVERS))('%s', (name, files) => {
    expect(forPersons(files, [Object.keys(files)[0]!])).toEqual(SERVERS[name]!.map(([finding]) => finding));
  });
});

const PAGES: Readonly<Record<string, readonly Wanted[]>> = {
  Magento: [3, 4, 5, 6].map((line) => [
    `warning php-settings srv/app/.htaccess:${line}`,
    'limits of PHP that the application needs are in a block that 2.4 skips',
  ]),
  'MediaWiki, uploads': [
    ['warning if-module-protection srv/app/.htaccess:1', 'the block does nothing else: without the module, what is uploaded can be run by old browsers'],
  ],
}; // prettier-ignore

describe('the .htaccess files of applications', () => {
  const wanted = (name: string): readonly string[] => (PAGES[name] ?? []).map(([finding]) => finding);

  test.each(Object.entries(APPLICATIONS))('%s', (name, text) => {
    expect(forPersons({ '/srv/app/.htaccess': text }, ['/srv/app'])).toEqual(wanted(name));
  });

  test.each(Object.entries(APPLICATIONS))('%s, on a stock server', (name, text) => {
    const files = {
      ...STOCK_SERVERS['CentOS 6'],
      '/etc/httpd/conf.d/app.conf': '<Directory /var/www/html>\n    AllowOverride All\n</Directory>\n',
      '/var/www/html/.htaccess': text,
    };
    // The server shows that the module is there.
    const expected = wanted(name)
      .filter((finding) => !finding.includes('if-module-protection'))
      .map((finding) => finding.replace('srv/app', 'var/www/html'));
    expect(forPersons(files, ['/etc/httpd/conf/httpd.conf', '/var/www/html'])).toEqual(
      [...expected, ...RED_HAT.map(([finding]) => finding)].toSorted(),
    );
  });
});

/** Beside each stock line that nobody wants to read of, a tree in which the same rule has something to say. */
test.each<[rule: string, files: StockTree]>([
  ['options-unset', { '/etc/httpd.conf': 'Listen 80\nLoadModule alias_module modules/mod_alias.so\nAlias /x /srv/x\nDocumentRoot /srv/www\n' }],
  ['allow-override-unset', { '/srv/tree/httpd.conf': 'Listen 80\nServerName x\nDocumentRoot /srv/tree/www\n', '/srv/tree/www/a/.htaccess': 'DirectoryIndex a.html\n' }],
  ['mem-cache', { '/etc/httpd.conf': 'Listen 80\nLoadModule mem_cache_module modules/mod_mem_cache.so\n<IfModule mod_mem_cache.c>\nCacheEnable mem /\nMCacheSize 4096\n</IfModule>\nMCacheSize 4096\n' }],
  ['accept-mutex', { '/etc/httpd.conf': 'Listen 80\nLockFile /var/local/locks/accept.lock\n' }],
  ['accept-mutex', { '/etc/httpd.conf': 'Listen 80\nAcceptMutex fcntl\nLockFile logs/accept.lock\n' }],
  ['ssl-mutex', { '/etc/httpd.conf': 'Listen 80\nSSLMutex file:/var/local/locks/ssl\n' }],
  ['ssl-mutex', { '/etc/httpd.conf': 'Listen 80\nSSLMutex fcntl:logs/ssl_mutex\n' }],
  ['request-header-underscore', { '/etc/httpd.conf': 'Listen 80\nScriptAlias /cgi-bin/ /srv/cgi-bin/\nSetEnvIf X_Role admin ROLE=admin\n' }],
  ['if-module-protection', { '/srv/app/.htaccess': '<IfModule mod_rewrite.c>\nRewriteEngine On\nRewriteRule "^private/" - [F]\n</IfModule>\n' }],
])('%s still speaks where it matters', (rule, files) => {
  const { outcomes } = convertFiles(files, Object.keys(files));
  const spoken = outcomes.filter(({ rule: id, level, safety }) => id === rule && level !== 'info' && (safety !== 'safe' || rule === 'mem-cache'));
  expect(spoken).not.toEqual([]);
}); // prettier-ignore

/** Lines that stand in every configuration of their kind: they are removed, or say nothing, and rest on nothing. */
test.each<[rule: string, text: string]>([
  ['accept-mutex', 'LockFile logs/accept.lock\n'],
  ['accept-mutex', 'LockFile ${APACHE_LOCK_DIR}/accept.lock\n'],
  ['ssl-mutex', 'SSLMutex "file:/usr/local/apache2/logs/ssl_mutex"\n'],
  ['ssl-mutex', 'SSLMutex file:${APACHE_RUN_DIR}/ssl_mutex\n'],
  ['ssl-mutex', 'SSLMutex file:/var/run/apache2/ssl_mutex\n'],
  ['request-header-underscore', 'ScriptAlias /cgi-bin/ /srv/cgi-bin/\nSetEnvIf Request_URI x ROLE=x\n'],
])('%s assumes nothing of %j', (rule, text) => {
  const { outcomes } = convertFiles({ '/etc/httpd.conf': `Listen 80\n${text}` });
  expect(outcomes.filter(({ rule: id, safety, status }) => id === rule && (safety !== 'safe' || status !== 'applied'))).toEqual([]);
}); // prettier-ignore
