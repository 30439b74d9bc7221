import { type ConfigTree, loadTree, memory } from '../../src/config';

const MAIN = '/copy/etc/apache2/apache2.conf';

function variables(envvars: string, conf = '', env: Record<string, string> = {}): ConfigTree['variables'] {
  const files = new Map([
    [MAIN, `ServerRoot /etc/apache2\nListen 80\n${conf}`],
    ['/copy/etc/apache2/envvars', envvars],
  ]);
  const options = { cwd: '/', defines: new Map([['GIVEN', 'by -D']]), env: new Map(Object.entries(env)) };
  return loadTree(memory(files), [MAIN], options).variables;
}

test.each([
  ['export NET=10.1.0.0/16', '10.1.0.0/16'],
  ['NET="10.1 10.2" # the office', '10.1 10.2'],
  ["export OTHER=1 NET='10.1'", '10.1'],
  ['NET=10.1\nNET=10.2', '10.2'],
  ['unset HOME\nif [ -e /x ]; then\n SUFFIX=-x\nfi\nexport NET=10.1', '10.1'],
])('%j sets it', (text, value) => {
  expect(variables(text).get('NET')).toBe(value);
});

test.each([
  'NET=$OFFICE',
  'NET="`cat /etc/net`"',
  'if [ -e /x ]; then NET=10.1; fi',
  'NET=10.1\nNET+=.1',
  'NET=10.1\nunset NET',
  '. /etc/more\nNET=10.1\n. /etc/more',
  '# NET=10.1',
])('%j leaves open what it is', (text) => {
  expect(variables(text).has('NET')).toBe(false);
});

test('the server’s own counts before what this run has, and after -D and Define', () => {
  expect(variables('NET=10.1', '', { NET: '192.168.0.1' }).get('NET')).toBe('10.1');
  expect(variables('NET=10.1', 'Define NET 10.2\n').get('NET')).toBe('10.2');
  expect(variables('GIVEN=envvars').get('GIVEN')).toBe('by -D');
  expect(variables('', '', { NET: '192.168.0.1' }).get('NET')).toBe('192.168.0.1');
});

describe('the environment of this run', () => {
  const read = (main: string, conf: string): ConfigTree => {
    const source = { ...memory(new Map([[main, conf]])), isMachine: true as const };
    const env = new Map([['NET', '192.168.0.1']]);
    return loadTree(source, [main], { cwd: '/', defines: new Map([['GIVEN', 'x']]), env });
  };
  const server = 'ServerRoot /etc/apache2\nListen 80\n';

  test.each([
    ['a server of this machine', '/etc/apache2/apache2.conf', server],
    [
      'a server of this machine that lies where its ServerRoot is',
      '/srv/httpd/conf/httpd.conf',
      'ServerRoot /srv/httpd\nListen 80\n',
    ],
    ['a part of this machine’s server', '/etc/apache2/sites-enabled/shop.conf', 'Order allow,deny\n'],
  ])('is that of %s', (_, main, conf) => {
    expect(read(main, conf).variables.get('NET')).toBe('192.168.0.1');
  });

  test.each([
    ['a copy', '/copy/etc/apache2/apache2.conf', server],
    ['a part of some server', '/home/me/shop.conf', 'Order allow,deny\n'],
    ['a copy whose ServerRoot is somewhere else', '/home/me/httpd.conf', server],
  ])('says nothing of %s', (_, main, conf) => {
    const { variables: found } = read(main, conf);
    expect(found.has('NET')).toBe(false);
    expect(found.get('GIVEN')).toBe('x');
  });
});
