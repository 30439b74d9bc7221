import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { version } from '../../package.json';

const root = join(__dirname, '../..');
const tsc = join(root, 'node_modules/typescript/bin/tsc');

/** A user's program: it converts with the library's rules and one of its own, and leans on the types. */
const PROGRAM = `
import { convert, defineTransform, loadTree, memory, rename, run, SourceError, transforms, unifiedDiff, type Finding } from 'httpd-codemod';

declare const console: { log(text: string): void };

const mine = defineTransform({
  id: 'mine',
  changes: [],
  title: 'OldName is called NewName',
  why: 'We say so.',
  docs: [],
  directives: ['OldName'],
  run(context) {
    context.directives(['OldName'], (node, { file }) => {
      context.report({ file, at: node.from, level: 'info', safety: 'safe', message: node.name, edits: [rename(node, 'NewName')] });
    });
  },
});
const text = 'MaxClients 5\\nOldName a\\n';
const source = memory(new Map([['/a.conf', text]]));
const tree = loadTree(source, ['/a.conf'], { cwd: '/', defines: new Map(), env: new Map() });
const { plan, findings } = convert({ '/a.conf': text }, { transforms: [...transforms, mine] });
const found: readonly Finding[] = findings;
// @ts-expect-error Without the way to read the result again, nothing could be checked.
const unchecked = (): unknown => run(tree, transforms);
// @ts-expect-error A level is one of three.
const level: 'fatal' | undefined = found[0]?.level;
// @ts-expect-error A tree does not change.
tree.files = [];
const [change] = plan;
console.log(JSON.stringify({
  text: change?.text,
  rules: found.map(({ rule }) => rule),
  diff: change === undefined ? '' : unifiedDiff('a.conf', text, change.edits),
  error: new SourceError('/x', 'ENOENT', 'gone').path,
  level,
}));
`;

const OPTIONS = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  // What we build with is not there, and the declarations themselves are checked.
  skipLibCheck: false,
  types: [],
  lib: ['es2022'],
  target: 'es2022',
};

/** What a build takes from node_modules. */
const BUILT_WITH = [
  'esbuild',
  '@esbuild',
  'commander',
  'diff',
  're2js',
  'tslib',
  'vscode-jsonrpc',
  'vscode-languageserver',
  'vscode-languageserver-protocol',
  'vscode-languageserver-textdocument',
  'vscode-languageserver-types',
  'yargs-parser',
];

let scratch: string;
let listed: string[];

/** Compiles the files in the folder of the installed package; what the compiler complains about. */
function compile(files: readonly string[], module: string, more: object): string {
  const options = { ...OPTIONS, module, ...more };
  writeFileSync(join(scratch, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files }));
  const { status, stdout } = spawnSync(process.execPath, [tsc], { cwd: scratch, encoding: 'utf8' });
  return status === 0 ? '' : stdout;
}

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'codemod-package-'));
  // The bundles are those that all tests run: to make them anew would pull them away under other tests.
  execFileSync(process.execPath, [join(root, 'scripts/types.mjs')]);
  const packed = execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', scratch], {
    cwd: root,
    encoding: 'utf8',
  });
  const [{ filename, files }] = JSON.parse(packed) as [{ filename: string; files: { path: string }[] }];
  listed = files.map(({ path }) => path);
  writeFileSync(join(scratch, 'package.json'), '{ "private": true }');
  const quiet = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund'];
  execFileSync('npm', ['install', ...quiet, join(scratch, filename)], { cwd: scratch });
});

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

test('the tarball holds the command, the library, its types, the documents, and nothing else', () => {
  const types = listed.filter((path) => path.startsWith('dist/types/'));
  const pages = listed.filter((path) => path.startsWith('docs/'));
  expect(listed.filter((path) => !types.includes(path) && !pages.includes(path)).toSorted()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'SECURITY.md',
    'bin/collect.sh',
    'bin/httpd-codemod.js',
    'bin/install.sh',
    'dist/THIRD-PARTY-LICENSES.txt',
    'dist/httpd-codemod.cjs',
    'dist/index.cjs',
    'dist/index.d.cts',
    'dist/index.d.mts',
    'dist/index.mjs',
    'dist/linear.cjs',
    'dist/lsp.cjs',
    'dist/messages.cjs',
    'dist/sbom.cdx.json',
    'man/httpd-codemod.1',
    'package.json',
  ]);
  const written = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' });
  expect(pages).toHaveLength(written.filter((path) => /\.(?:md|schema\.json)$/.test(path)).length);
  const reached = new Set<string>();
  const reach = (path: string): void => {
    if (reached.has(path)) return;
    reached.add(path);
    for (const [, name = ''] of readFileSync(join(root, path), 'utf8').matchAll(
      /\b(?:from |import\()['"]([^'"]+)['"]/g,
    )) {
      const target = normalize(join(dirname(path), name.replace(/\.js$/, '')));
      reach(listed.includes(`${target}.d.ts`) ? `${target}.d.ts` : `${target}/index.d.ts`);
    }
  };
  reach('dist/index.d.cts');
  expect(types.toSorted()).toEqual([...reached].filter((path) => path !== 'dist/index.d.cts').toSorted());
});

test('the package needs no other', () => {
  expect(readdirSync(join(scratch, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
    'httpd-codemod',
  ]);
});

test('the installed command prints the script that lies in the package', () => {
  const printed = execFileSync(join(scratch, 'node_modules/.bin/httpd-codemod'), ['collect']);
  expect(printed.equals(readFileSync(join(root, 'bin/collect.sh')))).toBe(true);
});

/** The modules that the installed command loads: those of node without `node:`, its own as it names them. */
function loadedBy(...args: readonly string[]): ReadonlySet<string> {
  const hook = join(scratch, 'name-modules.cjs');
  writeFileSync(
    hook,
    "const Module = require('module'); const { writeSync } = require('fs'); const load = Module._load; Module._load = function (name) { writeSync(2, 'LOAD ' + name + '\\n'); return load.apply(this, arguments); };\n",
  );
  const command = join(scratch, 'node_modules/httpd-codemod/dist/httpd-codemod.cjs');
  const { stderr, status } = spawnSync(process.execPath, ['-r', hook, command, ...args], {
    encoding: 'utf8',
  });
  expect(status).toBeLessThan(2);
  return new Set([...stderr.matchAll(/^LOAD (?:node:)?(.*)/gm)].map(([, name]) => name!));
}

test('a run over one small file loads one file of the package, and nothing that only other runs need', () => {
  mkdirSync(join(scratch, 'small'));
  const file = join(scratch, 'small/.htaccess');
  writeFileSync(file, 'Order allow,deny\nDeny from all\n');
  const loaded = [...loadedBy(file)].filter((name) => !name.startsWith('/'));
  // The library that reads the arguments starts programs, should it be told to.
  expect(loaded.toSorted()).toEqual(['child_process', 'events', 'fs', 'path', 'process', 'tty', 'v8']);
});

test('what lies apart in the package is found where it is needed', () => {
  expect([...loadedBy('why', 'Invalid command Order')]).toContain('./messages.cjs');
  // A pattern with many ways through it, and a name that is long for it.
  const file = join(scratch, 'ways.conf');
  const section = (head: string): string =>
    `<${head}>\nOrder allow,deny\nDeny from all\n</${head.split(' ')[0]}>\n`;
  writeFileSync(file, section('FilesMatch "^(((a*)*)*)*b$"') + section(`Files "${'a'.repeat(60)}"`));
  expect([...loadedBy(file)]).toContain('./linear.cjs');
});

test('the licence of everything in the bundles is in the package', () => {
  const home = join(scratch, 'node_modules/httpd-codemod');
  const read = (path: string): string => readFileSync(join(home, path), 'utf8');
  const texts = read('dist/THIRD-PARTY-LICENSES.txt');
  const { components } = JSON.parse(read('dist/sbom.cdx.json')) as {
    components: { name: string; version: string }[];
  };
  // esbuild names each file it bundles in a comment of the library, which is not minified.
  const bundled = [...read('dist/index.mjs').matchAll(/^\/\/ node_modules\/((?:@[^/]+\/)?[^/]+)\//gm)].map(
    ([, name]) => name!,
  );
  expect(bundled).not.toEqual([]);
  expect(components.map(({ name }) => name)).toEqual(
    expect.arrayContaining([...bundled, 'commander', 'diff']),
  );
  for (const { name, version: of } of components) {
    expect(texts).toContain(`${name} ${of} (`);
    const folder = join(root, 'node_modules', name);
    const licence = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file))!;
    expect(texts).toContain(readFileSync(join(folder, licence), 'utf8').trim());
  }
});

test('another build, elsewhere and by somebody else, gives the same bytes', () => {
  const copy = join(scratch, 'another place');
  mkdirSync(copy);
  for (const name of ['src', 'transforms', 'scripts', 'bin', 'package.json', 'tsconfig.json'])
    cpSync(join(root, name), join(copy, name), { recursive: true });
  for (const name of BUILT_WITH)
    cpSync(join(root, 'node_modules', name), join(copy, 'node_modules', name), { recursive: true });
  execFileSync('sh', ['-c', 'umask 077; exec "$0" scripts/build.mjs', process.execPath], {
    cwd: copy,
    env: { ...process.env, TZ: 'Asia/Tokyo', LC_ALL: 'C', HOME: copy },
  });
  const built = ['dist', 'man'].flatMap((folder) =>
    readdirSync(join(copy, folder)).map((name) => `${folder}/${name}`),
  );
  const packed = built.filter((path) => listed.includes(path));
  expect(packed).toHaveLength(9);
  for (const path of packed) {
    expect(readFileSync(join(copy, path)).equals(readFileSync(join(root, path)))).toBe(true);
    expect(statSync(join(copy, path)).mode & 0o777).toBe(0o644);
  }
});

test('the command of the package runs', () => {
  const ask = (...args: string[]): [number | null, string] => {
    const program = join(scratch, 'node_modules/.bin/httpd-codemod');
    const { status, stdout } = spawnSync(program, args, { cwd: scratch, encoding: 'utf8' });
    return [status, stdout];
  };
  expect(ask('--version')).toEqual([0, `${version}\n`]);
  mkdirSync(join(scratch, 'www'));
  writeFileSync(join(scratch, 'www/.htaccess'), 'Order deny,allow\nDeny from all\n');
  expect(ask('--check', 'www')).toEqual([1, 'www/.htaccess\n']);
});

/**
 * The Node of this run, those that the variable NODES names (their programs, with colons between), and node20, node22, … on the
 * PATH.
 */
function nodes(): string[] {
  const given = (process.env.NODES ?? '').split(':').filter((path) => path !== '');
  const named = (process.env.PATH ?? '').split(':').flatMap((directory) => {
    try {
      return readdirSync(directory)
        .filter((name) => /^node-?\d+$/.test(name))
        .map((name) => join(directory, name));
    } catch {
      return [];
    }
  });
  return [process.execPath, ...given, ...named];
}

test.each(nodes())('the command and both forms of the library run on %s', (node) => {
  const home = join(scratch, 'node_modules/httpd-codemod');
  const htaccess = join(scratch, 'on-node');
  mkdirSync(htaccess, { recursive: true });
  writeFileSync(join(htaccess, '.htaccess'), 'Order deny,allow\nDeny from all\n');
  const { status, stdout } = spawnSync(node, [join(home, 'bin/httpd-codemod.js'), '--check', 'on-node'], {
    cwd: scratch,
    encoding: 'utf8',
  });
  expect([status, stdout]).toEqual([1, 'on-node/.htaccess\n']);
  writeFileSync(join(scratch, 'uses.cjs'), "console.log(typeof require('httpd-codemod').run);");
  writeFileSync(join(scratch, 'uses.mjs'), "import { run } from 'httpd-codemod';\nconsole.log(typeof run);");
  for (const file of ['uses.cjs', 'uses.mjs'])
    expect(execFileSync(node, [join(scratch, file)], { encoding: 'utf8' })).toBe('function\n');
});

test('nothing runs when the package is installed', () => {
  const home = join(scratch, 'node_modules/httpd-codemod');
  const { scripts } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { scripts: object };
  // npm runs `prepare` for a checkout alone, not for a package.
  expect(Object.keys(scripts).filter((name) => /^(?:pre|post)?install$/.test(name))).toEqual([]);
  const before = readdirSync(home, { recursive: true });
  execFileSync('npm', ['rebuild', '--offline', 'httpd-codemod'], { cwd: scratch });
  expect(readdirSync(home, { recursive: true })).toEqual(before);
});

test('a strict TypeScript program compiles against the package and runs, as CommonJS and as an ES module', () => {
  writeFileSync(join(scratch, 'common.cts'), PROGRAM);
  writeFileSync(join(scratch, 'module.mts'), PROGRAM);
  expect(compile(['common.cts', 'module.mts'], 'node16', {})).toBe('');
  const [common, module] = ['common.cjs', 'module.mjs'].map((file) =>
    execFileSync(process.execPath, [join(scratch, file)], { encoding: 'utf8' }),
  );
  expect(JSON.parse(common!)).toEqual({
    text: 'MaxRequestWorkers 5\nNewName a\n',
    rules: ['max-clients', 'third-party-module', 'mine'],
    diff: expect.stringContaining(
      '\n-MaxClients 5\n-OldName a\n+MaxRequestWorkers 5\n+NewName a\n',
    ) as string,
    error: '/x',
    level: 'info',
  });
  expect(module).toBe(common);
});

test('it compiles for a bundler too, and what the types do not allow does not compile', () => {
  writeFileSync(join(scratch, 'bundled.ts'), PROGRAM);
  expect(compile(['bundled.ts'], 'esnext', { moduleResolution: 'bundler', noEmit: true })).toBe('');
  writeFileSync(join(scratch, 'wrong.mts'), "import { run } from 'httpd-codemod';\nrun(1);\n");
  expect(compile(['wrong.mts'], 'node16', {})).toContain('wrong.mts(2,');
});

/** The examples of the library's pages, each with what it prints. */
const EXAMPLES = ['library', 'library-tree', 'library-rules'].flatMap((page) => {
  const text = readFileSync(join(root, `docs/guides/${page}.md`), 'utf8');
  const examples = [...text.matchAll(/^```js\n([^]*?)^```\n\n```text\n([^]*?)^```$/gm)];
  if (examples.length !== text.match(/^```js$/gm)?.length)
    throw new Error(`${page}: an example prints nothing`);
  return examples.map(([, code = '', printed = ''], i) => [`${page}-${i + 1}`, code, printed] as const);
});

test('the examples of the library pages compile against the package', () => {
  expect(EXAMPLES.length).toBeGreaterThan(8);
  const console = 'declare const console: { log(...values: unknown[]): void };\n';
  // What the examples leave to JavaScript: a list without elements has a type only by its use.
  const typed = (code: string): string =>
    code.replace(/^const edits = \[\];$/m, "const edits: import('httpd-codemod').Edit[] = [];");
  for (const [name, code] of EXAMPLES) writeFileSync(join(scratch, `${name}.mts`), console + typed(code));
  const types = { types: ['node'], typeRoots: [join(root, 'node_modules/@types')] };
  expect(
    compile(
      EXAMPLES.map(([name]) => `${name}.mts`),
      'node16',
      { ...types, noEmit: true },
    ),
  ).toBe('');
});

test.each(EXAMPLES)('the example %s prints what stands below it', (name, code, printed) => {
  // One of them reads a folder.
  mkdirSync(join(scratch, 'server/etc/httpd'), { recursive: true });
  writeFileSync(join(scratch, 'server/etc/httpd/httpd.conf'), 'Listen 80\nMaxClients 150\n');
  writeFileSync(join(scratch, `${name}.mjs`), code);
  expect(execFileSync(process.execPath, [`${name}.mjs`], { cwd: scratch, encoding: 'utf8' })).toBe(printed);
});

test('the library runs in a browser: bundled for one, without anything of Node', async () => {
  const entry = "import { convert } from 'httpd-codemod'; globalThis.convert = convert;";
  const { outputFiles, errors } = await build({
    stdin: { contents: entry, resolveDir: scratch },
    bundle: true,
    platform: 'browser',
    format: 'iife',
    write: false,
    logLevel: 'silent',
  });
  expect(errors).toEqual([]);
  const page = createContext({}, { codeGeneration: { strings: false, wasm: false } });
  runInContext(outputFiles[0]!.text, page);
  expect(runInContext('typeof process + typeof require + typeof Buffer', page)).toBe(
    'undefinedundefinedundefined',
  );
  const files = {
    '/w/.htaccess':
      'Order deny,allow\nDeny from all\nAllow from 10.0.0.0/8\n<FilesMatch "\\.(?!php)">\n    Satisfy Any\n</FilesMatch>\n',
  };
  const text = runInContext(`convert(${JSON.stringify(files)}).texts.get('/w/.htaccess')`, page) as string;
  expect(text).toContain('Require ip 10.0.0.0/8');
});

test('each entry that package.json names is there', () => {
  const installed = join(scratch, 'node_modules/httpd-codemod');
  const { main, types, bin, exports } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
    main: string;
    types: string;
    bin: Record<string, string>;
    exports: object;
  };
  const named = JSON.stringify(exports).match(/\.\/[\w./-]+/g) ?? [];
  const paths = [main, types, ...Object.values(bin), ...named.filter((path) => path !== './package.json')];
  expect(paths.length).toBeGreaterThan(6);
  expect(paths.filter((path) => !existsSync(join(installed, path)))).toEqual([]);
});

test('package.json says what a registry shows of a package', () => {
  const installed = join(scratch, 'node_modules/httpd-codemod/package.json');
  const fields = JSON.parse(readFileSync(installed, 'utf8')) as Record<string, unknown>;
  for (const name of [
    'description',
    'license',
    'author',
    'homepage',
    'repository',
    'bugs',
    'keywords',
    'engines',
  ])
    expect([name, fields[name]]).toEqual([name, expect.anything()]);
});
