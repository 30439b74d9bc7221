// Writes the library's declarations: of every file that src/index.ts reaches by types, in dist/types as the sources lie, and an
// entry for each kind of module. It takes as long as the type check, so only packing asks for it.
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the declarations are read as CommonJS, a name without an ending is found, and a folder by its index. */
const SPECIFIER = /(?<!['"])\b(?:from|import)\s*\(?\s*(['"])([^'"\s]+)\1/g;

/** A comment, which may say `from` too. */
const COMMENT = /\/\*[^]*?\*\//g;

const root = fileURLToPath(new URL('..', import.meta.url));
const target = join(root, 'dist/types');

/** The declarations that `file` reaches, itself among them, added to `reached`. */
function reach(file, reached) {
  if (reached.has(file)) return reached;
  reached.add(file);
  for (const [, , name] of readFileSync(file, 'utf8').replace(COMMENT, '').matchAll(SPECIFIER)) {
    const path = join(dirname(file), name);
    const next = [`${path}.d.ts`, `${path}/index.d.ts`].find((candidate) => existsSync(candidate));
    // What we have only to build with is not there where the library is used.
    if (!name.startsWith('.') || next === undefined) throw new Error(`${file} needs the types of ${name}`);
    reach(next, reached);
  }
  return reached;
}

// What is packed is the same whoever builds it.
process.umask(0o022);
const scratch = mkdtempSync(join(tmpdir(), 'httpd-codemod-types-'));
try {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const args = ['--project', join(root, 'tsconfig.types.json'), '--outDir', scratch];
  execFileSync(process.execPath, [tsc, ...args], { stdio: 'inherit' });
  rmSync(target, { recursive: true, force: true });
  for (const file of reach(join(scratch, 'src/index.d.ts'), new Set())) {
    const copy = join(target, relative(scratch, file));
    mkdirSync(dirname(copy), { recursive: true });
    copyFileSync(file, copy);
  }
  for (const ending of ['cts', 'mts'])
    writeFileSync(join(root, `dist/index.d.${ending}`), "export * from './types/src/index.js';\n");
} finally {
  rmSync(scratch, { recursive: true });
}
