import { command } from '../../testing/run/command';

const remedies = async (message: string): Promise<readonly string[]> => {
  const { stdout } = await command(['why', '-'], { stdin: () => message });
  return [...stdout.matchAll(/^ {2}remedy: (.*)$/gm)].map(([, text = '']) => text);
};

const NO_NAME =
  "AH00558: apache2: Could not reliably determine the server's fully qualified domain name, using 127.0.1.1.";

describe('a message about which nothing must be done', () => {
  test.each([
    ['[Mon Nov 23 10:00:00.1 2015] [access_compat:error] [pid 1] [client 192.0.2.1:5] AH01797: client denied by server configuration: /srv/site/', /^convert the access lines/],
    ['(13)Permission denied: AH00072: make_sock: could not bind to address 0.0.0.0:80', /^start httpd as root/],
    ['AH00526: Syntax error on line 2 of /etc/apache2/ports.conf:\nInvalid command \'LockFile\', perhaps misspelled', /^2\.4 no longer has LockFile/],
  ])('stands behind %s', async (message, first) => {
    const said = await remedies(`${NO_NAME}\n${NO_NAME}\n${message}`);
    expect(said).toEqual([expect.stringMatching(first), expect.stringMatching(/^nothing must be done/)]);
  }); // prettier-ignore

  test('leaves the words beside it to be answered', async () => {
    const said = await remedies(`Since the upgrade to 2.4 all of my sites say 403 Forbidden.\n${NO_NAME}`);
    expect(said).toEqual([
      expect.stringMatching(/^write `Require all granted`/),
      expect.stringMatching(/^nothing/),
    ]);
  });

  test('is told alone where the words say no more', async () => {
    expect(await remedies(`What does this line mean?\n${NO_NAME}`)).toEqual([
      expect.stringMatching(/^nothing/),
    ]);
  });
});

test('a message that says what is wrong is told, and not what the words beside it may mean', async () => {
  const said = await remedies(
    'I get 403 Forbidden.\nAH00037: Symbolic link not allowed or link target not accessible: /srv/a',
  );
  expect(said).toEqual([expect.stringMatching(/^set Options FollowSymLinks/)]);
});

test.each<[string, RegExp]>([
  ['SSLOpenSSLConfCmd DHParameters calls an error on my Apache/2.4.7', /^2\.4 has SSLOpenSSLConfCmd since 2\.4\.8, and with OpenSSL 1\.0\.2 .*remove the line/],
  ['what about SSLHonorCipherOrder?', /^give the line with SSLHonorCipherOrder/],
  ["Invalid command 'IdentityCheck', perhaps misspelled", /a2enmod ident where mods-available has it; else remove the line/],
  ["Invalid command 'Header', perhaps misspelled", /Debian: a2enmod headers\)/],
  ['mod_x.c:230:31: error: \'conn_rec\' has no member named \'remote_ip\'', /^take a release of this module that is for 2\.4/],
  ["mod_x.c:263:5: warning: implicit declaration of function 'ap_default_type'", /^take a release of this module that is for 2\.4/],
  ["mod_x.c:12:9: error: 'unixd_config' undeclared (first use in this function)", /^take a release of this module that is for 2\.4/],
  ['our module is not able to build against apache 2.4', /^take a release of this module that is for 2\.4/],
  ['RewriteRule: cannot compile regular expression \'^[\\w-.]\' for 192.0.2.4', /^(?!take a release)/],
  ['Apache running a threaded MPM php module is not compile threadsafe.', /^run PHP by PHP-FPM/],
  ['May not include both apache::mod::prefork and apache::mod::worker on the same node', /Puppet: `mpm_module => 'prefork'`/],
  ['When mod_evasive is enabled my websites respond with a 500 error', /^look into the error log/],
  ['[error] jk_uri_worker_map.c (564): Could not find worker with name \'jk-status\' in uri map post processing.', /^name jk-status in `worker\.list=`/],
  ['Syntax error on line 13 of /etc/apache2/sites-enabled/jk.conf:\nJkWorkersFile only allowed once', /^leave one JkWorkersFile line/],
  ['With FastCGI and SuEXEC all sites run as www-data, which gives a 404', /^see which handler runs the \.php files/],
  ['Suexec gives a 404 for everything', /^(?!see which handler)/],
  ['AuthType NTLM works on 2.2 and does not work on 2.4', /^this AuthType is of /],
  ['lines that work with 2.2 and 2.4', /<IfModule !mod_authz_core\.c>/],
  ['(26)Text file busy: AH00649: could not open transfer log file /docker.stdout.', /`ErrorLog "\|\/bin\/cat"`/],
  ['(2)No such file or directory: AH00649: could not open transfer log file /var/log/a/b.', /^create the directory/],
  ['SSLUseStapling: 2.4 does not start without SSLStaplingCache', /^write `SSLStaplingCache shmcb:/],
  ['SSLStaplingCache: Invalid argument: size has to be >= 8192 bytes', /^(?!write `SSLStaplingCache shmcb:)/],
  ['ProxyPassMatch interferes with serving index.html as the directory index', /^write SetHandler "proxy:/],
  ['404 for php: ProxyPassMatch ^/(.+\\.php)$ fcgi://127.0.0.1:9000/var/www/$1', /^write SetHandler "proxy:/],
  ['500 for php: ProxyPassMatch ^/(.+\\.php)$ fcgi://127.0.0.1:9000/var/www/$1', /^load mod_proxy_fcgi/],
  ['permalinks are broken, AllowOverride is not set by conf-available/docker-php.conf', /^write `AllowOverride FileInfo`/],
  ['where is conf-available?', /^put the file into \/etc\/apache2\/conf-available/],
  ['all pretty links are 404', /^write `AllowOverride FileInfo`/],
])('%s', async (message, expected) => {
  expect(await remedies(message)).toEqual([expect.stringMatching(expected)]);
}); // prettier-ignore
