// What the bundles hold of others: their licence texts, and a list of them for machines (CycloneDX).
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The package that a bundled file belongs to: the innermost below a node_modules. */
const PACKAGE = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/** The folders of the packages that went into the bundles, by esbuild's metafiles. */
export function bundledPackages(metafiles) {
  const files = metafiles.flatMap(({ inputs }) => Object.keys(inputs));
  const folders = files.map((file) => PACKAGE.exec(file)?.[1] ?? '').filter((folder) => folder !== '');
  return [...new Set(folders)].toSorted((a, b) => (a < b ? -1 : 1));
}

function describe(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const texts = readdirSync(folder)
    .filter((file) => /^(?:licen[cs]e|notice|copying)/i.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  if (typeof license !== 'string' || texts.length === 0)
    throw new Error(`${name} goes into the bundle, but its licence is not to be found in ${folder}`);
  return { name, version, license, texts };
}

/** The text of dist/THIRD-PARTY-LICENSES.txt. Throws where a package has no licence text. */
export function licenceTexts(folders) {
  const parts = folders.map(describe).map(({ name, version, license, texts }) => {
    const title = `${name} ${version} (${license})`;
    return `${title}\n${'='.repeat(title.length)}\n\n${texts.join('\n\n')}\n`;
  });
  return `httpd-codemod contains the following packages, under their own licences.\n\n${parts.join('\n\n')}`;
}

/** The text of dist/sbom.cdx.json. Without a date or a random number in it: the same sources give the same bytes. */
export function billOfMaterials(folders, bundles) {
  const { name, version, license } = JSON.parse(readFileSync('package.json', 'utf8'));
  const component = (of, type) => ({
    'bom-ref': `pkg:npm/${of.name}@${of.version}`,
    type,
    name: of.name,
    version: of.version,
    licenses: [{ license: { id: of.license } }],
    purl: `pkg:npm/${of.name}@${of.version}`,
  });
  const root = { ...component({ name, version, license }, 'application'), components: bundles.map(fileOf) };
  const libraries = folders.map((folder) => component(describe(folder), 'library'));
  const dependencies = [{ ref: root['bom-ref'], dependsOn: libraries.map((library) => library['bom-ref']) }];
  const bom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: root },
    components: libraries,
    dependencies,
  };
  return `${JSON.stringify(bom, undefined, 2)}\n`;
}

function fileOf(path) {
  const content = createHash('sha256').update(readFileSync(path)).digest('hex');
  return { type: 'file', name: path, hashes: [{ alg: 'SHA-256', content }] };
}
