import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import { version } from '../../package.json';

const HOME = join(__dirname, '../../editors/vscode');
const read = (path: string): string => readFileSync(join(HOME, path), 'utf8');

interface Manifest {
  readonly version: string;
  readonly main: string;
  readonly license: string;
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly configuration: { readonly properties: Readonly<Record<string, unknown>> };
    readonly languages: readonly { readonly id: string; readonly configuration: string }[];
    readonly grammars: readonly {
      readonly language: string;
      readonly scopeName: string;
      readonly path: string;
    }[];
  };
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] };
  };
}

const manifest = JSON.parse(read('package.json')) as Manifest;
const source = read('src/extension.ts');
const { commands, configuration, languages, grammars } = manifest.contributes;

test('the manifest names what the client has', () => {
  expect([manifest.version, manifest.license, manifest.main]).toEqual([
    version,
    'Apache-2.0',
    'dist/extension.cjs',
  ]);
  for (const { command } of commands) expect(source).toContain(`registerCommand('${command}'`);
  for (const name of Object.keys(configuration.properties)) {
    expect(source).toContain(`'${name.replace(/^httpdCodemod\./, '')}'`);
    // A folder that somebody has sent must not start programs.
    expect(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations).toContain(name);
  }
  expect(source).toContain(`const LANGUAGE = '${languages[0]!.id}'`);
  for (const path of [languages[0]!.configuration, ...grammars.map((grammar) => grammar.path)])
    expect(() => JSON.parse(read(path)) as unknown).not.toThrow();
});

test('the client is one file, which needs the editor alone', async () => {
  const { outputFiles } = await build({
    bundle: true,
    platform: 'node',
    format: 'cjs',
    mainFields: ['module', 'main'],
    external: ['vscode'],
    entryPoints: [join(HOME, 'src/extension.ts')],
    write: false,
  });
  const text = outputFiles[0]!.text;
  const needed = [...text.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name = '']) =>
    name.replace(/^node:/, ''),
  );
  expect(needed).toContain('vscode');
  expect(needed.filter((name) => name !== 'vscode' && !builtinModules.includes(name))).toEqual([]);
  expect(text).toContain('activate: () => activate');
  expect(text).toContain('deactivate: () => deactivate');
});

test.each([
  ['  <VirtualHost *:80>', 'entity.name.tag.apacheconf', 'VirtualHost'],
  ['\tOrder allow,deny', 'support.function.apacheconf', 'Order'],
])('the grammar knows %j', (line, name, word) => {
  const { patterns } = JSON.parse(read(grammars[0]!.path)) as {
    patterns: { match?: string; captures?: Record<string, { name: string }> }[];
  };
  const found = patterns.flatMap(({ match, captures }) => {
    const groups = match === undefined || captures === undefined ? null : new RegExp(match).exec(line);
    return groups === null
      ? []
      : Object.entries(captures!).map(([i, capture]) => [capture.name, groups[Number(i)]]);
  });
  expect(found).toContainEqual([name, word]);
});
