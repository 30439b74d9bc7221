import { convert } from '../../src';
import { soon } from '../../testing/run/soon';

/** Converts a section with a comment beside its old lines. */
const convertBeside = (comment: string): ReturnType<typeof convert> =>
  convert({
    '/etc/httpd/conf/httpd.conf': `<Directory /x>\n${comment}\nOrder allow,deny\nAllow from all\n</Directory>\n`,
  });

// A pattern that tries every way to part such a line takes minutes.
test('a switched-off line of many digits is read at once', async () => {
  expect((await soon(() => convertBeside(`#Allow from ${'1'.repeat(24)} x y`))).texts.size).toBe(1);
}, 300_000);

test('a comment with many blanks inside is read at once', async () => {
  expect((await soon(() => convertBeside(`#Require a${' '.repeat(150_000)}b`))).texts.size).toBe(1);
}, 300_000);
