import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { loadTree, overlay } from '../../src/config';
import { disk } from '../../src/config/source/disk';
import { run } from '../../src/engine';
import { transforms } from '../../transforms';

let root: string;
beforeEach(() => {
  root = fs.realpathSync(fs.mkdtempSync(join(os.tmpdir(), 'codemod-links-')));
});
afterEach(() => fs.rmSync(root, { recursive: true }));

/**
 * Converts a server with `data` at /data, and `htdocs/inner/link` a link to it.
 * @returns what the access rule makes of `data/.htaccess`
 */
function convert(inner: string, accessFile: string): { text: string | undefined; refused: string[] } {
  fs.mkdirSync(join(root, 'htdocs/inner'), { recursive: true });
  fs.mkdirSync(join(root, 'data'));
  fs.symlinkSync(join(root, 'data'), join(root, 'htdocs/inner/link'));
  fs.writeFileSync(join(root, 'data/.htaccess'), accessFile);
  const server = `ServerRoot ${root}
Listen 80
DocumentRoot ${root}/htdocs
Alias /data ${root}/data
<Directory ${root}>
AllowOverride All
</Directory>
<Directory ${root}/htdocs/inner>
${inner}
</Directory>
`;
  fs.writeFileSync(join(root, 'httpd.conf'), server);
  const context = { defines: new Map<string, string>(), env: new Map<string, string>(), cwd: root };
  const paths = [join(root, 'httpd.conf'), join(root, 'htdocs'), join(root, 'data')];
  const tree = loadTree(disk, paths, context);
  const { plan, outcomes } = run(
    { tree, reread: (texts) => loadTree(overlay(disk, texts), paths, context) },
    transforms,
  );
  return {
    text: plan.find(({ file }) => file.path.endsWith('data/.htaccess'))?.text,
    refused: outcomes
      .filter(({ rule, safety }) => rule === 'order-allow-deny' && safety === 'manual')
      .map(({ message }) => message),
  };
}

const PASSWORD = 'AuthType Basic\nAuthName a\nAuthUserFile /etc/users\nRequire valid-user';
const ADDRESS = 'Order deny,allow\nDeny from all\nAllow from 10.1\n';

test('a file that two directories have gets a text that asks for the directory where they decide differently', () => {
  const { text, refused } = convert(PASSWORD, ADDRESS);
  expect(refused).toEqual([]);
  expect(text).toBe(
    `<RequireAll>
    Require expr %{REQUEST_FILENAME} =~ m#^${root}/data(/|$)#
    Require ip 10.1
</RequireAll>
<RequireAll>
    Require expr %{REQUEST_FILENAME} !~ m#^${root}/data(/|$)#
    Require ip 10.1
    Require valid-user
</RequireAll>
`,
  );
});

test('a file that two directories have gets a plain text where they decide the same', () => {
  expect(convert('Options None', ADDRESS)).toEqual({ text: 'Require ip 10.1\n', refused: [] });
});
