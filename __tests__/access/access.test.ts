import { accessRows } from '../../testing/access/access-rows';
import { convertFiles, textAfter } from '../../testing/run/convert';

const indented = (lines: readonly string[]): string => lines.map((line) => `    ${line}\n`).join('');
const section = (lines: readonly string[]): string =>
  `<Directory "/srv/www">\n${indented(lines)}</Directory>\n`;

describe.each(accessRows)('$name', ({ input, output }) => {
  test('in a Directory', () => {
    const result = convertFiles({ '/etc/site.conf': section(input) });
    expect(result.failure).toBeUndefined();
    expect(textAfter(result, '/etc/site.conf')).toBe(section(output));
  });

  test('in a .htaccess without final line end', () => {
    const result = convertFiles({ '/srv/www/.htaccess': input.join('\r\n') });
    expect(result.failure).toBeUndefined();
    expect(textAfter(result, '/srv/www/.htaccess')).toBe(output.join('\r\n'));
  });
});
