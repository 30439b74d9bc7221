import { loadLines } from '../run/load-lines';

/**
 * What a server config of the tests of logs begins with: some modules, a DocumentRoot, and a root directory that lets everybody
 * in.
 * @param modules names without `mod_`
 * @param lines beside those of the DocumentRoot
 */
export function serverHead(modules: readonly string[], lines = ''): string {
  const loads = loadLines(modules);
  return `ServerRoot /etc/httpd
Listen 80
${loads}DocumentRoot /srv/www
${lines}<Directory />
    AllowOverride None
    Options None
    Order allow,deny
    Allow from all
</Directory>
`;
}
