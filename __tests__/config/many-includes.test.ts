import { convertFiles, textAfter } from '../../testing/run/convert';
import { soon } from '../../testing/run/soon';

test('thousands of Includes that name nothing are each asked about once', async () => {
  const includes = Array.from({ length: 30_000 }, (_, i) => `Include mods-enabled/m${i}.load\n`).join('');
  const text = `ServerRoot /etc/httpd\nListen 80\n${includes}<Directory />\nOrder deny,allow\nDeny from all\n</Directory>\n`;
  const result = await soon(() =>
    convertFiles({ '/etc/httpd/conf/httpd.conf': text }, ['/etc/httpd/conf/httpd.conf'], { dual: true }),
  );
  expect(textAfter(result, '/etc/httpd/conf/httpd.conf')).toContain('Require all denied');
}, 300_000);
