// Markdown of docs/ as HTML pages: a page is rendered with its links and anchors, so that all of them can be checked.
import { posix } from 'node:path';
import { Marked } from 'marked';

/**
 * @param {string} path of the Markdown file, relative to the folder of the site
 * @param {string} text its Markdown
 * @returns {{ path: string, title: string, html: string, ids: string[], links: { href: string, page: string, id: string }[] }}
 */
export function render(path, text) {
  const ids = [];
  const links = [];
  const slugs = new Map();
  let title;
  const addId = (id) => {
    ids.push(id);
    return id;
  };
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth, text: source }) {
        if (depth === 1) title ??= plain(this.parser.parseInline(tokens, this.parser.textRenderer));
        const id = addId(unused(slugs, slug(source)));
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, title: hint, tokens }) {
        const target = targetOf(path, href);
        if (target !== undefined) links.push({ href, ...target });
        // What lies outside of docs/ is no page: its name is enough.
        if (target?.page.startsWith('../')) return this.parser.parseInline(tokens);
        const to = target === undefined ? href : href.replace(/\.md(?=#|$)/, '.html');
        const tip = hint ? ` title="${escape(hint)}"` : '';
        return `<a href="${escape(to)}"${tip}>${this.parser.parseInline(tokens)}</a>`;
      },
      table(token) {
        const row = (cells, tag) =>
          `<tr>${cells.map((cell) => `<${tag}${cell.align ? ` class="${cell.align}"` : ''}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>\n`;
        const body = token.rows.map((cells) => row(cells, 'td')).join('');
        return `<div class="table"><table>\n<thead>${row(token.header, 'th')}</thead>\n<tbody>${body}</tbody>\n</table></div>\n`;
      },
      code({ text: code, lang = '' }) {
        const [language = ''] = lang.split(' ');
        const lines = language === 'diff' ? code.split('\n').map(diffLine).join('\n') : escape(code);
        return `<pre class="${escape(language)}" tabindex="0"><code>${lines}\n</code></pre>\n`;
      },
      html({ text: html }) {
        for (const [, id] of html.matchAll(/ id="([^"]*)"/g)) addId(id);
        return html;
      },
    },
  });
  const html = marked.parse(text);
  return { path: path.replace(/\.md$/, '.html'), title: title ?? path, html, ids, links };
}

/** The page that a relative link leads to; undefined for a link to elsewhere. */
function targetOf(from, href) {
  if (/^[a-z]+:/i.test(href)) return undefined;
  const [file, id = ''] = href.split('#');
  return { page: file === '' ? from : posix.normalize(posix.join(posix.dirname(from), file)), id };
}

/** As on GitHub. */
function slug(source) {
  return plain(source)
    .toLowerCase()
    .replace(/[`*\\]/g, '')
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
}

function unused(slugs, text) {
  const count = slugs.get(text) ?? 0;
  slugs.set(text, count + 1);
  return count === 0 ? text : `${text}-${count}`;
}

function plain(text) {
  return text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

function diffLine(line) {
  const kind = /^(?:---|\+\+\+) /.test(line)
    ? 'hunk'
    : { '+': 'added', '-': 'removed', '@': 'hunk' }[line[0] ?? ''];
  return kind === undefined ? escape(line) : `<span class="${kind}">${escape(line)}</span>`;
}

export function escape(text) {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
