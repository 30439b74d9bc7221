import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { convertText } from '../../testing/run/convert';
import { freePort } from '../../testing/httpd/config';
import { fetchBody } from '../../testing/httpd/http';
import { serveWhole } from '../../testing/httpd/whole';

/** What 2.2 decides for a value (undefined: no such header, type, handler): mod_filter.c, filter_lookup. */
function decides22(match: string, value: string | undefined): boolean {
  const isNegated = match.startsWith('!');
  const test = isNegated ? match.slice(1) : match;
  const atoi = (text: string): number => Number(/^\s*([+-]?\d+)/.exec(text)?.[1] ?? 0);
  const matches = (text: string): boolean => {
    const number = /^([<>]=?|=)(.*)$/.exec(test);
    if (number !== null) {
      const [a, b] = [atoi(text), atoi(number[2]!)];
      return { '<': a < b, '<=': a <= b, '>': a > b, '>=': a >= b, '=': a === b }[number[1]!]!;
    }
    if (test.startsWith('*')) return true;
    if (test.startsWith('/')) {
      const end = test.lastIndexOf('/');
      return new RegExp(test.slice(1, end), test.slice(end + 1).includes('i') ? 'i' : '').test(text);
    }
    if (test.startsWith('$')) return text.toLowerCase().includes(test.slice(1).toLowerCase());
    return text.toLowerCase() === test.toLowerCase();
  };
  return (value !== undefined && matches(value)) !== isNegated;
}

const MATCHES = [
  'abc', 'a.c', '!abc', '$b', '!$B', '$.', '*', '!*', '/^a/', '/^A/i', '!/c$/', '/a#b\\/c/', '/x*/', '!/x*/', '/"/',
  '<5', '<=5', '>5', '>=5', '=5', '!=5', '>-3', '=+5', '=x',
]; // prettier-ignore
const VALUES = [undefined, 'abc', 'ABC', 'xabcx', 'a#b/c', 'a.c', 'a"b', '5', '4', '6', '-7', '5x', 'x5'];

describe('FilterProvider', () => {
  test.each(['req=X-In', 'env=Given', 'resp=X-Out', 'x-out'])('%s decides as 2.2 did', async (dispatch) => {
    const port = await freePort();
    const sections = MATCHES.map(
      (match, i) =>
        `<Location /${i}/>\nFilterProvider f${i} SUBSTITUTE ${dispatch} "${match.replace(/[\\"]/g, '\\$&')}"\n` +
        `FilterChain f${i}\nSubstitute s/index/changed/n\n</Location>\n`,
    );
    const server = await serveWhole(({ dir }) => {
      // What stands in such a file is what the handler answers, headers and all.
      VALUES.forEach((value, i) => {
        const header = value === undefined ? '' : `X-Out: ${value}\n`;
        writeFileSync(join(dir, `htdocs/${i}.asis`), `${header}Content-Type: text/plain\n\nindex\n`);
      });
      return convertText(
        `Listen 127.0.0.1:${port}\n<VirtualHost 127.0.0.1:${port}>\nSetEnvIf X-In "^(.*)$" Given=$1\nAddHandler send-as-is .asis\n` +
          `AliasMatch ^/[0-9]+/(.*) ${dir}/htdocs/$1\n<Directory ${dir}/htdocs>\nOrder allow,deny\nAllow from all\n</Directory>\n` +
          `${sections.join('')}</VirtualHost>\n`,
      );
    });
    try {
      const wrong: string[] = [];
      for (const [i, match] of MATCHES.entries())
        for (const [k, value] of VALUES.entries()) {
          const body = await fetchBody(port, `/${i}/${k}.asis`, value === undefined ? {} : { 'X-In': value });
          const expected = decides22(match, value) ? 'changed\n' : 'index\n';
          if (body !== expected) wrong.push(`${match} on ${value}: ${body}`);
        }
      expect(wrong).toEqual([]);
    } finally {
      await server.stop();
    }
  });

  test.each(['Content-Type', 'resp=content-type', 'handler'])('%s', async (dispatch) => {
    const port = await freePort();
    const matches = ['text/html', '$HTML', '!text/plain', '/^text/', '*', '!$css'];
    const sections = matches.map(
      (match, i) =>
        `<Location /${i}/>\nFilterProvider f${i} SUBSTITUTE ${dispatch} ${match}\nFilterChain f${i}\nSubstitute s/body/changed/n\n</Location>\n`,
    );
    const server = await serveWhole(({ dir }) => {
      for (const name of ['a.html', 'a.txt', 'a.css', 'a.none'])
        writeFileSync(join(dir, 'htdocs', name), 'body\n');
      return convertText(
        `Listen 127.0.0.1:${port}\n<VirtualHost 127.0.0.1:${port}>\nAliasMatch ^/[0-9]+/(.*) ${dir}/htdocs/$1\n` +
          `<Directory ${dir}/htdocs>\nOrder allow,deny\nAllow from all\n</Directory>\n${sections.join('')}</VirtualHost>\n`,
      );
    });
    try {
      const types: Record<string, string | undefined> = {
        'a.html': 'text/html',
        'a.txt': 'text/plain',
        'a.css': 'text/css',
        'a.none': undefined,
      };
      const wrong: string[] = [];
      for (const [i, match] of matches.entries())
        for (const [name, type] of Object.entries(types)) {
          // A file's handler is the name of its type; without either, 2.4 says default-handler (the finding says so).
          if (dispatch === 'handler' && type === undefined) continue;
          const expected = decides22(match, type) ? 'changed\n' : 'body\n';
          const body = await fetchBody(port, `/${i}/${name}`);
          if (body !== expected) wrong.push(`${match} on ${name}: ${body}`);
        }
      expect(wrong).toEqual([]);
    } finally {
      await server.stop();
    }
  });
});

describe('server-side includes', () => {
  const page =
    '<!--#if expr="$QUERY_STRING = /^b$/ && \\"$DOCUMENT_NAME\\" != x" -->yes<!--#else -->no<!--#endif -->\n'.replace(
      /\\"/g,
      '',
    );

  test('pages with the old #if still decide', async () => {
    const port = await freePort();
    const server = await serveWhole(({ dir }) => {
      writeFileSync(join(dir, 'htdocs/a.shtml'), page);
      chmodSync(join(dir, 'htdocs/a.shtml'), 0o644);
      return convertText(
        `Listen 127.0.0.1:${port}\n<VirtualHost 127.0.0.1:${port}>\nDocumentRoot ${dir}/htdocs\nAddOutputFilter INCLUDES .shtml\n` +
          `<Directory ${dir}/htdocs>\nOptions +Includes\nOrder allow,deny\nAllow from all\n</Directory>\n</VirtualHost>\n`,
      );
    });
    try {
      expect([await fetchBody(port, '/a.shtml?b'), await fetchBody(port, '/a.shtml?c')]).toEqual([
        'yes\n',
        'no\n',
      ]);
    } finally {
      await server.stop();
    }
  });
});
