// Makes editors/vscode ready to be packaged: bundles its client, and puts the licences beside it. Where `vsce` is installed,
// `cd editors/vscode && vsce package --no-dependencies` then makes the .vsix.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { bundledPackages, licenceTexts } from './notices.mjs';

const home = 'editors/vscode';
const { metafile } = await build({
  bundle: true,
  platform: 'node',
  format: 'cjs',
  // Of the Node in the oldest editor that the manifest names.
  target: 'node20',
  mainFields: ['module', 'main'],
  external: ['vscode'],
  entryPoints: [`${home}/src/extension.ts`],
  outfile: `${home}/dist/extension.cjs`,
  minify: true,
  legalComments: 'inline',
  logLevel: 'warning',
  metafile: true,
});
writeFileSync(`${home}/THIRD-PARTY-LICENSES.txt`, licenceTexts(bundledPackages([metafile])));
copyFileSync('LICENSE', `${home}/LICENSE`);
// One version for all that is released together.
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const path = `${home}/package.json`;
const manifest = readFileSync(path, 'utf8');
const released = manifest.replace(/"version": "[^"]*"/, `"version": "${version}"`);
if (released !== manifest) writeFileSync(path, released);
