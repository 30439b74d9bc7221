import { convertFiles } from '../../testing/run/convert';

const MAIN = '/etc/h/httpd.conf';
const PART = '/etc/h/part.inc';

/** Longer than the file that is included, so that a place of one is none of the other. */
const COMMENT = '# A line that only makes the file longer.\n'.repeat(8);

const HEADS = [
  '<Directory /srv/www>',
  '<LocationMatch "^/a//">',
  '<Files "*.x">',
  '<Directory /srv/www>\n<Limit POST>',
];

const INCLUDED = [
  'Deny from all\n',
  'Order foo\nDeny from all\n',
  'Require valid-user\nSatisfy Any\n',
  '<IfModule mod_authz_core.c>\nDeny from all\n</IfModule>\n',
  'Order allow,deny\nDeny from 10.0.0.0/99\n',
];

const TAILS = [
  '',
  'Deny from 10.0.0.0/99\n',
  'Order foo\n',
  '<Limit GET>\n<Limit PUT>\nDeny from all\n</Limit>\n</Limit>\n',
];

const cases = HEADS.flatMap((head) =>
  INCLUDED.flatMap((included) =>
    TAILS.flatMap((tail) => [true, false].map((isClosed) => ({ head, included, tail, isClosed }))),
  ),
);

test('each finding about access stands at a line of its file that has something to say', () => {
  const astray: object[] = [];
  for (const { head, included, tail, isClosed } of cases) {
    const close = isClosed
      ? [...head.matchAll(/<(\w+)/g)]
          .reverse()
          .map(([, name]) => `</${name}>\n`)
          .join('')
      : '';
    const files = {
      [MAIN]: `ServerRoot /etc/h\nListen 80\n${COMMENT}${head}\nInclude part.inc\n${tail}${close}`,
      [PART]: included,
    };
    const { outcomes } = convertFiles(files, [MAIN], { rules: ['order-allow-deny'] });
    for (const { at, file, message } of outcomes) {
      const line = file.document.text.slice(at).split('\n', 1)[0]!;
      if (at >= file.document.text.length || !/^<?\w/.test(line))
        astray.push({ head, included, tail, isClosed, at, file: file.name, line, message });
    }
  }
  expect(astray).toEqual([]);
});
