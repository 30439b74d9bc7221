import { checkRewrites } from '../../src/access';
import { loadRereadable, loadTree, memory, overlay } from '../../src/config';
import { run } from '../../src/engine';
import { transforms } from '../../transforms';

const LIMIT = 'AllowOverride AuthConfig FileInfo Limit\n';
const CONFIG = `ServerRoot /etc/httpd\nListen 80\nDocumentRoot /w\n<Directory />\nAllowOverride None\n</Directory>\n<Directory /w>\n${LIMIT}</Directory>\n`;
const PATHS = ['/etc/httpd/httpd.conf', '/w'];
const source = memory(
  new Map([
    ['/etc/httpd/httpd.conf', CONFIG],
    ['/w/.htaccess', 'ErrorDocument 404 /x\nOrder deny,allow\nDeny from all\nAllow from 10.1\n'],
  ]),
);

/** The groups that the check takes back, after a change to the configuration that is written. */
function takenBack(changed: (config: string) => string): ReadonlyMap<string, string> {
  const options = { defines: new Map<string, string>(), env: new Map<string, string>(), cwd: '/' };
  const load = (texts: ReadonlyMap<string, string>) => loadTree(overlay(source, texts), PATHS, options);
  const { tree, plan, outcomes } = run(loadRereadable(source, PATHS, options), transforms);
  const texts = new Map(plan.map(({ file, text }) => [file.path, text]));
  const config = texts.get('/etc/httpd/httpd.conf') ?? CONFIG;
  texts.set('/etc/httpd/httpd.conf', changed(config));
  const applied = outcomes.filter(({ rule, status }) => rule === 'order-allow-deny' && status === 'applied');
  expect(applied).not.toEqual([]);
  return new Map([...checkRewrites(tree, load(texts), applied)].map(([group, { why }]) => [group, why]));
}

test('a rewrite as it is made loses no AllowOverride', () => {
  expect(takenBack((config) => config)).toEqual(new Map());
});

test.each([
  ['goes', '', /^GET \/: 2\.2 reads this \.htaccess, and 2\.4 does not/],
  ['lets less in', 'AllowOverride AuthConfig Limit\n', /^GET \/: 2\.4 answers 500.* ErrorDocument/],
])('one after which an AllowOverride %s is taken back', (_name, by, why) => {
  const found = takenBack((config) => {
    expect(config).toContain(LIMIT);
    return config.replace(LIMIT, by);
  });
  expect([...found.values()]).toEqual([expect.stringMatching(why)]);
});
