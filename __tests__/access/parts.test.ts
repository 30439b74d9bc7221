import { convertFiles, textAfter } from '../../testing/run/convert';

const USERS = 'AuthType Basic\nAuthName x\nAuthUserFile /etc/x\nRequire valid-user\n';
const HOSTS = 'Order deny,allow\nDeny from all\nAllow from 10.0.0.1\n';
const inX = (lines: string): string => `<Directory /srv/x>\n${lines}</Directory>\n`;

describe('parts of a server that no configuration reads', () => {
  test('in one directory are asked about together: what lets somebody in beside another is left', () => {
    const result = convertFiles({ '/c/a.conf': inX(USERS), '/c/b.conf': inX(HOSTS) }, ['/c']);
    expect(textAfter(result, '/c/b.conf')).toBe(inX(HOSTS));
    const left = result.outcomes.find(({ level }) => level === 'error');
    expect(left?.file.path).toBe('/c/b.conf');
    expect(left?.why).toMatch(/without a password: 2\.2 asks for a password, the rewrite admits/);
  });

  test('are converted each by itself where that lets nobody in', () => {
    for (const [a, b] of [
      ['/c/a.conf', '/c/b.conf'],
      ['/c/deb/x.conf', '/c/rpm/x.conf'],
    ] as const) {
      const result = convertFiles({ [a]: inX('Order allow,deny\nDeny from all\n'), [b]: inX(HOSTS) }, ['/c']);
      expect(textAfter(result, a)).toBe(inX('Require all denied\n'));
      expect(textAfter(result, b)).toBe(inX('Require ip 10.0.0.1\n'));
    }
  });
});
