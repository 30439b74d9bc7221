import { Audiences } from '../../src/access/explain';
import { loadTree, memory, overlay } from '../../src/config';
import { run } from '../../src/engine';
import { transforms } from '../../transforms';

const LOAD = { defines: new Map<string, string>(), env: new Map<string, string>(), cwd: '/' };
const SERVER = 'ServerRoot /\nListen 80\nDocumentRoot /srv\n';

/** Who gets into the section at a word of the file: for each client, `before after` for each user. */
function audienceAt(word: string, files: Readonly<Record<string, string>>, rewritten?: string): object {
  const source = memory(new Map(Object.entries(files)));
  const paths = Object.keys(files);
  const tree = loadTree(source, paths, LOAD);
  const reread = (texts: ReadonlyMap<string, string>): typeof tree =>
    loadTree(overlay(source, texts), paths, LOAD);
  const { plan } = run({ tree, reread }, transforms);
  const texts = new Map(plan.map(({ file, text }) => [file.path, text]));
  if (rewritten !== undefined) texts.set(paths[0]!, rewritten);
  const file = tree.files.find(({ document }) => document.text.includes(word))!;
  const audience = new Audiences(tree, reread(texts)).of(file, file.document.text.indexOf(word))!;
  return {
    section: audience.section,
    users: audience.users.map(({ kind, name }) => (name === undefined ? kind : `${kind} ${name}`)),
    ...Object.fromEntries(
      audience.rows.map(({ kind, name, env, answers }) => [
        [kind, name, ...env].join(' '),
        answers.map(({ before, after }) => before + after).join(' '),
      ]),
    ),
  };
}

describe('who gets in before and after', () => {
  test('a listed network, everybody else, with and without a password', () => {
    const text = `${SERVER}<Directory /srv>
Order deny,allow
Deny from all
Allow from 10.0.0.0/8 203.0.113.0/24
AuthType Basic
Require user anna
Satisfy Any
</Directory>
`;
    expect(audienceAt('Satisfy', { '/httpd.conf': text })).toEqual({
      section: '<Directory /srv>',
      users: ['none', 'named anna', 'other'],
      'listed 10.0.0.0/8': 'PP PP PP',
      'listed 203.0.113.0/24': 'PP PP PP',
      // Not the usual address: that is in one of the networks.
      'unlisted 198.51.100.77': 'UU PP UU',
    });
  });

  test('a variable that lines ask for', () => {
    const text = `${SERVER}<Directory /srv>\nOrder allow,deny\nAllow from env=good\n</Directory>\n`;
    expect(audienceAt('Allow', { '/httpd.conf': text })).toEqual({
      section: '<Directory /srv>',
      users: ['none', 'other'],
      'unlisted 203.0.113.77': 'FF FF',
      'env 203.0.113.77 good': 'PP PP',
    });
  });

  test('the section that decides, not those that a request to it meets as well', () => {
    const text = `${SERVER}<Directory />
Order deny,allow
Deny from all
</Directory>
<Directory /srv>
Order allow,deny
Allow from all
</Directory>
`;
    expect(audienceAt('Deny from all', { '/httpd.conf': text })).toMatchObject({
      section: '<Directory />',
      'unlisted 203.0.113.77': 'FF FF',
    });
    expect(audienceAt('Allow from all', { '/httpd.conf': text })).toMatchObject({
      section: '<Directory /srv>',
      'unlisted 203.0.113.77': 'PP PP',
    });
  });

  test('a result that lets in whom 2.2 refused shows it', () => {
    const text = `${SERVER}<Directory /srv>\nOrder allow,deny\n</Directory>\n`;
    const opened = `${SERVER}<Directory /srv>\nRequire all granted\n</Directory>\n`;
    expect(audienceAt('Order', { '/httpd.conf': text }, opened)).toMatchObject({
      'unlisted 203.0.113.77': 'FP FP',
    });
  });

  test('what is left as it is, or hangs on a conditional that nobody can decide, is not known', () => {
    const text = `${SERVER}<Directory /srv>\nOrder deny,allow\nDeny from all\n<IfDefine Open>\nAllow from all\n</IfDefine>\n</Directory>\n`;
    expect(audienceAt('Order', { '/httpd.conf': text })).toMatchObject({
      'unlisted 203.0.113.77': expect.stringMatching(/^\?. \?.$/),
    });
    const left = `${SERVER}<Directory /srv>\nOrder deny,allow\nDeny from all\n</Directory>\n`;
    expect(audienceAt('Order', { '/httpd.conf': left }, left)).toMatchObject({
      'unlisted 203.0.113.77': 'F? F?',
    });
  });
});
