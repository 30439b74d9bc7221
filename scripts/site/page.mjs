// node scripts/site/page.mjs OUTPUT: builds the page that converts in the browser: static files, which work from a disk too.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { build, transform } from 'esbuild';
import { minify } from 'terser';

const home = fileURLToPath(new URL('../..', import.meta.url));
const source = join(home, 'page');

/** @returns what a policy calls a script or a style sheet in the page */
const hashOf = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * What the page may do: run its own scripts, and workers made of them, and nothing with the network. A page from a disk has no
 * origin that `'self'` could mean, hence `file:`; where the page is served, that leads nowhere.
 * @param {string} style the style sheet in the page
 * @param {string} begin the script in the page
 */
const policy = (style, begin) =>
  [
    "default-src 'none'",
    `script-src 'self' file: ${hashOf(begin)}`,
    // The page's own sheet, which the first view does not have to wait for, and those of the editor.
    `style-src ${hashOf(style)} 'nonce-editor'`,
    "worker-src 'self' blob:",
    'img-src data:',
    "connect-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');

/** Leaves out what counts logs, of which the page reads none. */
const withoutLogs = {
  name: 'without-logs',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/log$/ }, ({ importer }) =>
      importer === join(home, 'src/convert.ts') ? { path: join(source, 'no-logs.ts') } : undefined,
    );
  },
};

/** Leaves out the changes and the sections of the manual that rules name, and what their documents alone say of sources. */
const withoutDocs = {
  name: 'without-docs',
  setup({ onLoad }) {
    onLoad({ filter: /\/transforms\/.*\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8')
        .replace(/\n(?: {2}| {4})(?:docs|changes): (?:\[[^\]]*\]|'[^'\n]*'),/g, '')
        .replace(/\n {4,8}(?:in2[24]|source(?:2[24])?): ['`].*['`],(?=\n)/g, '')
        .replace(/\n( {4,8})(?:examples|accepted): \[(?:.*|\n(?:\1 .*\n)*\1)\],(?=\n)/g, ''),
      loader: 'ts',
    }));
    onLoad({ filter: /\/httpd\/(?:facts|third-party)\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(
        /(?<=, source: '|^ {2}row\(.*, ')[^']+(?='(?:\)| \}),)/gm,
        '',
      ),
      loader: 'ts',
    }));
  },
};

/** Leaves out the style of a report that is a page of its own: this page has it already. */
const withoutStyle = {
  name: 'without-style',
  setup({ onLoad }) {
    onLoad({ filter: /\/report\/html\/style\.ts$/ }, () => ({ contents: "export const STYLE = '';" }));
  },
};

/** Leaves out in which line of httpd's sources a message stands: the page names the file alone. */
const withoutLines = {
  name: 'without-lines',
  setup({ onLoad }) {
    onLoad({ filter: /\/httpd\/messages\/(?:log-numbers|config-errors)\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(/(?<= \d+[mace])\d+|(?<=^ |\|\| )\d+(?= )/gm, ''),
      loader: 'ts',
    }));
  },
};

/** The one door of that library that is used, and nothing in the place of three parts that only make it faster. */
const MATCHING = `const Backtracker = { maxBitStateLen: () => -1 };
const OnePass = { compile: () => null };
const Prefilter = { Type: {} };
const PrefilterTree = { build: () => ({}) };
const Matching = {
  compile(source) {
    const regex = RE2.compile(source);
    return { test: (text) => regex.match(text) };
  },
};
export { Matching as RE2JS, RE2JSException };`;

/**
 * Leaves of the regex library what tells whether a text matches. Which characters have the properties of Unicode is left out, too:
 * a pattern of httpd's is of bytes, and names none.
 */
const matchingAlone = {
  name: 'matching-alone',
  setup({ onLoad }) {
    onLoad({ filter: /\/re2js\/build\/index\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8')
        .replace(/^\t\t\w+: \(\) => new UnicodeRangeTable\(decodeRanges\("[^"]*", \w+\)\),?\n/gm, '')
        .replace(/(?<=new UnicodeRangeTable\(decodeRanges\(")[^"]+/g, '')
        .replace(
          /^\/\/ src\/(?:MatcherInput|Matcher|Backtracker|OnePass|Prefilter|Set|TranslateRegExpString|index)\.js$[^]*?(?=^\/\/ |^export )/gm,
          '',
        )
        .replace(/^export \{.*/m, MATCHING),
    }));
  },
};

/** @returns the bundle of a file of the page, as a classic script */
async function bundle(entry) {
  // Without an export the bundler takes it for CommonJS, and wraps each module that it imports in a function.
  const contents = `${readFileSync(join(source, entry), 'utf8')}\nexport {};\n`;
  const { outputFiles } = await build({
    stdin: { contents, sourcefile: entry, resolveDir: source, loader: 'ts' },
    absWorkingDir: home,
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    minify: true,
    charset: 'ascii',
    legalComments: 'eof',
    logLevel: 'warning',
    tsconfig: join(source, 'tsconfig.json'),
    plugins: [withoutLogs, withoutDocs, withoutStyle, withoutLines, matchingAlone],
  });
  return shortened(outputFiles[0].text);
}

/** @returns a program that does the same, and is shorter than esbuild makes it; the licences at its end stay */
async function shortened(program) {
  const { code } = await minify(program, {
    ecma: 2022,
    compress: {
      passes: 3,
      ecma: 2022,
      unsafe_arrows: true,
      inline: 1,
      sequences: false,
      lhs_constants: false,
    },
    format: { quote_style: 2, ascii_only: true, comments: /^!|@license|@preserve/ },
  });
  return code;
}

/** The script and the style of the report, as the library has them. */
async function reportParts() {
  const { outputFiles } = await build({
    stdin: { contents: "export { CLIENT, STYLE } from './src/report';", resolveDir: home },
    absWorkingDir: home,
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'parts',
    logLevel: 'warning',
  });
  const context = { TextDecoder, TextEncoder };
  runInNewContext(outputFiles[0].text, context);
  return context.parts;
}

/** @returns the same, shorter; names that other scripts may know stay */
const minified = async (text, loader) =>
  (await transform(text, { loader, minify: true, charset: 'ascii' })).code;

/** @returns a text as a string of a script; programs have more of the other quotes */
const inQuotes = (text) => `'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`;

/**
 * Writes the page into a folder.
 * @param {string} output
 */
export async function makePage(output) {
  const [page, worker, parts] = await Promise.all([bundle('main.ts'), bundle('worker.ts'), reportParts()]);
  const read = (name) => readFileSync(join(source, name), 'utf8');
  const style = await minified(parts.STYLE + read('page.css'), 'css');
  const markup = read('index.html').replace(/\n +/g, '\n');
  const [, begin] = /<script>([^]*?)<\/script>/.exec(markup);
  const files = {
    'index.html': markup
      .replace('@POLICY@', policy(style, begin))
      .replace(/<link rel="stylesheet" href="page.css" ?\/?>/, () => `<style>${style}</style>`),
    'page.js': page,
    // As a string: the page itself does not run it, and reads a string much faster than a program.
    'worker.js': `self.workerProgram=${inQuotes(worker)};\n`,
    'report.js': await minified(`${parts.CLIENT}self.showReport = showReport;\n`, 'js'),
  };
  const version = createHash('sha256').update(Object.values(files).join('\0')).digest('hex').slice(0, 16);
  files['service-worker.js'] = read('service-worker.js').replace('@VERSION@', version);
  mkdirSync(output, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(output, name), text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await makePage(process.argv[2]);
