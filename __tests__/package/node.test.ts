import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { engines } from '../../package.json';

// Debian 12 has Node 18. What newer ones have beside it is taken away here, from the libraries in the bundle, too.

const root = join(__dirname, '../..');
const command = join(root, 'bin/httpd-codemod.js');
const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'codemod-node-')));

/** Takes away what came after Node 18, and gives back what the wrong Node would be called. */
const AS_NODE_18 = `
const gone = (from, ...names) => {
  for (const name of names) if (from !== undefined) delete from[name];
};
const Typed = Object.getPrototypeOf(Uint8Array);
for (const kind of [Array, Typed]) gone(kind.prototype, 'toSorted', 'toReversed', 'toSpliced', 'with');
gone(Array, 'fromAsync');
gone(Set.prototype, 'union', 'intersection', 'difference', 'symmetricDifference', 'isSubsetOf', 'isSupersetOf', 'isDisjointFrom');
gone(Object, 'groupBy');
gone(Map, 'groupBy');
gone(Promise, 'withResolvers', 'try');
gone(String.prototype, 'isWellFormed', 'toWellFormed');
gone(RegExp, 'escape');
gone(Error, 'isError');
gone(ArrayBuffer.prototype, 'transfer', 'transferToFixedLength', 'resize');
const iterators = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()));
for (const name of Reflect.ownKeys(iterators)) if (typeof name === 'string' && name !== 'constructor') delete iterators[name];
gone(globalThis, 'Iterator', 'navigator', 'WebSocket', 'Float16Array');
gone(process, 'getBuiltinModule', 'loadEnvFile');
gone(require('node:util'), 'styleText', 'parseEnv', 'getSystemErrorMessage');
gone(require('node:fs'), 'globSync', 'glob');
gone(require('node:crypto'), 'hash');
`;
const asNode18 = join(scratch, 'as-node-18.cjs');
writeFileSync(asNode18, AS_NODE_18);

interface Done {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function node(args: readonly string[], cwd: string = scratch): Done {
  const env = { PATH: process.env['PATH'], HOME: scratch, XDG_STATE_HOME: join(scratch, 'state') };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, env, encoding: 'latin1' });
  return { status, stdout, stderr };
}

let copies = 0;

/** What a run in a fresh copy of the examples prints, and what it leaves there. */
function runOf(argv: readonly string[], before: readonly string[]): readonly unknown[] {
  const home = join(scratch, `${++copies}`);
  cpSync(join(root, 'examples'), home, { recursive: true });
  const said = ({ status, stdout, stderr }: Done): readonly unknown[] =>
    [status, stdout, stderr].map((text) => `${text}`.replaceAll(home, '').replace(/"sha256\w*": "\w*"/g, ''));
  return [
    ...said(node([...before, command, ...argv], home)),
    readFileSync(join(home, 'conf/httpd.conf'), 'latin1'),
  ];
}

describe.each([
  ...['text', 'html', 'markdown', 'json', 'sarif', 'github', 'gitlab', 'junit', 'sh'].map((format) => ['.', '-v', '--format', format]),
  ['-w', '.'],
  ['--dual', '--pin-defaults', '--summary', '.'],
  ['--plan', 'plan.json', '.'],
  ['--explain', '/', '.'],
  ['debug', 'tree', '.'],
  ['debug', 'access', '.'],
  ['debug', 'findings', '.'],
  ['why', 'client denied by server configuration: /srv/www/shop'],
  ['rules'],
  ['completion', 'bash'],
  ['--help'],
])('%s %s %s %s', (...argv) => {
  test('says and does without newer built-ins what it says and does with them', () => {
    const plain = runOf(argv, []);
    expect(plain[1] === '' && plain[2] === '').toBe(false);
    expect(runOf(argv, ['-r', asNode18])).toEqual(plain);
  });
}); // prettier-ignore

test('the library, too', () => {
  const files = "{ '/w/.htaccess': 'Order deny,allow\\nDeny from all\\n' }";
  const done = node([
    '-r',
    asNode18,
    '-p',
    `require(${JSON.stringify(join(root, 'dist/index.cjs'))}).convert(${files}).texts.get('/w/.htaccess')`,
  ]);
  expect(done).toEqual({ status: 0, stdout: 'Require all denied\n\n', stderr: '' });
});

describe('a Node that is too old', () => {
  const lowest = Number(/\d+/.exec(engines.node)![0]);
  const called = (version: string): string[] => {
    const script = join(scratch, `called-${version}.cjs`);
    const value = JSON.stringify(version);
    writeFileSync(
      script,
      `Object.defineProperty(process.versions, 'node', { value: ${value} });\nObject.defineProperty(process, 'version', { value: 'v' + ${value} });\n`,
    );
    return ['-r', script, command, '--version'];
  };

  test.each(['0.12.18', '8.17.0', '16.20.2'])('%s is told in one line what is needed', (version) => {
    const stderr = `httpd-codemod: needs Node.js ${lowest} or newer; this is v${version}\n`;
    expect(node(called(version))).toEqual({ status: 2, stdout: '', stderr });
  });

  test.each([`${lowest}.0.0`, '20.0.0', '101.0.0'])('%s is none', (version) => {
    expect(node(called(version))).toMatchObject({ status: 0, stderr: '' });
  });

  test('can read the file that says so', () => {
    const script = readFileSync(command, 'utf8').replace(/^\s*(?:#!|\/\/).*$/gm, '');
    expect(script).not.toMatch(/\b(?:const|let|class|import|async)\b|=>|`|\?\.|\?\?|\.\.\./);
  });
});
