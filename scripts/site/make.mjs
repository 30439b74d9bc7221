// node scripts/site/make.mjs [OUTPUT [DOCS]]: makes a static site of docs/, in site/, with the page that converts. Fails if a link in it leads nowhere.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makePage } from './page.mjs';
import { escape, render } from './render.mjs';
import { withLinks } from './try-this.mjs';

const home = fileURLToPath(new URL('../..', import.meta.url));
const ours = join(home, 'docs');
const [output = join(home, 'site'), docs = ours] = process.argv.slice(2);

/** What the head of each page links to. */
const NAVIGATION = [
  ['index.md', 'Start'],
  ['guides/index.md', 'Guides'],
  ['rules.md', 'Rules'],
  ['facts/index.md', '2.2 and 2.4'],
  ['messages.md', 'Messages'],
  ['how-we-know.md', 'How we know'],
];

const names = readdirSync(docs, { recursive: true, encoding: 'utf8' })
  .map((name) => name.split(sep).join('/'))
  .filter((name) => name.endsWith('.md'))
  .sort();
const pages = new Map(names.map((name) => [name, render(name, readFileSync(join(docs, name), 'utf8'))]));

const broken = [...pages].flatMap(([name, { links }]) =>
  links
    .filter(({ page, id }) => {
      const target = pages.get(page);
      // A file of the checkout, which the site has not: see render.mjs.
      if (page.startsWith('../')) return !existsSync(join(docs, page));
      return target === undefined || (id !== '' && !target.ids.includes(id));
    })
    .map(({ href }) => `docs/${name}: ${href} leads nowhere`),
);
for (const line of broken) process.stderr.write(`${line}\n`);
if (broken.length > 0) process.exit(1);

rmSync(output, { recursive: true, force: true });
const isWhole = docs === ours;
for (const [name, page] of pages)
  write(page.path, layout(name, isWhole ? { ...page, html: withLinks(name, page.html) } : page));
write('site.css', readFileSync(new URL('site.css', import.meta.url), 'utf8'));
if (isWhole) await makePage(join(output, 'convert'));
process.stdout.write(`${pages.size} pages in ${output}\n`);

function write(path, text) {
  mkdirSync(dirname(join(output, path)), { recursive: true });
  writeFileSync(join(output, path), text);
}

function layout(name, { title, html }) {
  const up = posix.relative(posix.dirname(name), '.') || '.';
  const entries = NAVIGATION.filter(([path]) => pages.has(path)).map(([path, text]) => {
    const current = path === name ? ' aria-current="page"' : '';
    return `<a href="${up}/${path.replace(/md$/, 'html')}"${current}>${text}</a>`;
  });
  if (docs === ours) entries.splice(1, 0, `<a href="${up}/convert/index.html">Convert here</a>`);
  // Whoever comes for one file need not read how the command is installed.
  const start =
    docs === ours && name === 'index.md'
      ? '<p><a href="convert/index.html">Convert a configuration in the browser</a>: nothing to install, and nothing is uploaded.</p>\n'
      : '';
  const heading = name === 'index.md' ? 'httpd-codemod' : `${title} – httpd-codemod`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(heading)}</title>
<link rel="stylesheet" href="${up}/site.css">
</head>
<body>
<header><a class="name" href="${up}/index.html">httpd-codemod</a><nav>${entries.join('\n')}</nav></header>
<main>
${html.replace('</h1>\n', (end) => end + start)}</main>
</body>
</html>
`;
}
