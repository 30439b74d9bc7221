import { parseModuleList } from '../../src/httpd/modules';
import { convertFiles } from '../../testing/run/convert';

const LINES = ['mime', 'dir', 'alias', 'ssl'];
const target = parseModuleList(' core_module (static)\n mpm_event_module (static)\n unixd_module (static)\n');

/** What is said of the modules that the target lacks. */
function remedy(head: string, directory = 'modules', others: Readonly<Record<string, string>> = {}): string {
  const lines = LINES.map((name) => `LoadModule ${name}_module ${directory}/mod_${name}.so\n`).join('');
  const files = { '/etc/httpd.conf': `${head}Listen 80\n${lines}`, ...others };
  const { outcomes } = convertFiles(files, Object.keys(files), { targetModules: target });
  return (
    outcomes.find(({ level, message }) => level === 'error' && message.startsWith('the target does not load'))
      ?.remedy ?? ''
  );
}

test.each([
  ['RHEL', remedy('ServerRoot "/etc/httpd"\n'), /conf\.modules\.d .*dnf install mod_ssl/],
  ['FreeBSD', remedy('ServerRoot "/usr/local"\n', 'libexec/apache22'), /www\/apache24/],
  ['Gentoo', remedy('ServerRoot "/usr/lib/apache2"\nInclude /etc/apache2/modules.d/*.conf\n', 'modules', { '/etc/apache2/modules.d/a.conf': '' }), /APACHE2_MODULES in make\.conf/],
  ['SUSE', remedy('Include /etc/apache2/sysconfig.d/loadmodule.conf\n', 'modules', { '/etc/apache2/sysconfig.d/loadmodule.conf': '' }), /APACHE_MODULES in \/etc\/sysconfig\/apache2/],
])('the modules that a target lacks come there in the way of %s', (system, text, way) => {
  expect(text).toMatch(way);
  if (system !== 'SUSE') expect(text).not.toContain('a2enmod');
}); // prettier-ignore

test('where nothing shows the system, each way has its name', () => {
  expect(remedy('ServerRoot "/opt/httpd"\n')).toMatch(
    /RHEL and its kin .*mod_ssl\. Debian and SUSE enable them with a2enmod/,
  );
});
