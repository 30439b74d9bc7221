import { convert } from '../../src';

/** The milliseconds for a section with a comment beside its old lines. */
function timeWith(comment: string): number {
  const start = performance.now();
  const text = `<Directory /x>\n${comment}\nOrder allow,deny\nAllow from all\n</Directory>\n`;
  convert({ '/etc/httpd/conf/httpd.conf': text });
  return performance.now() - start;
}

// A pattern that tries every way to part such a line takes minutes.
test('a switched-off line of many digits is read at once', () => {
  expect(timeWith(`#Allow from ${'1'.repeat(24)} x y`)).toBeLessThan(5000);
}, 300_000);

test('a comment with many blanks inside is read at once', () => {
  expect(timeWith(`#Require a${' '.repeat(150_000)}b`)).toBeLessThan(5000);
}, 300_000);
