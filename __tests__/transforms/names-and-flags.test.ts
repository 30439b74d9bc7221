import { convertFiles, convertText, textAfter } from '../../testing/run/convert';

const rule = 'RewriteEngine on\nRewriteRule ^/by/([a-z.]+)$ ${m:$1|/srv/x}\n';

test('a map of one virtual host does not decide for another', () => {
  const host = (map: string, rest: string): string =>
    `<VirtualHost *:80>\nRewriteMap m ${map}\n${rest}</VirtualHost>\n`;
  expect(convertText(host('prg:/usr/local/bin/m', rule) + host('txt:/m.txt', ''))).not.toContain('Unsafe');
});

test('a rule without flags gets one block of flags', () => {
  const text = convertText(`RewriteMap m txt:/m.txt\n${rule}`);
  expect(text).toMatch(/ \[[^\]]*Unsafe[^\]]*\]\n/);
  expect(text).not.toMatch(/\] \[/);
});

test('a block for what comes after 2.4 stays', () => {
  const later = '<IfVersion >= 2.6>\nOptions None\n</IfVersion>\n';
  const older = '<IfVersion <= 2.2>\nOptions All\n</IfVersion>\n';
  const result = convertFiles({ '/httpd.conf': later + older }, ['/httpd.conf'], { dual: false });
  expect(textAfter(result, '/httpd.conf')).toContain(later);
  expect(textAfter(result, '/httpd.conf')).not.toContain('Options All');
});

test('a lock file on a disk that somebody chose is no usual one', () => {
  const safetyOf = (file: string): string | undefined =>
    convertFiles({ '/httpd.conf': `LockFile ${file}\n` }).outcomes.find(
      ({ rule: id }) => id === 'accept-mutex',
    )?.safety;
  expect(safetyOf('/mnt/local-disk/run/accept.lock')).not.toBe(safetyOf('logs/accept.lock'));
});
