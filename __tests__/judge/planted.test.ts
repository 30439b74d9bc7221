import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Conversion, ConversionOptions } from '../../src';
import { MutantModules } from '../../testing/mutants/modules';

const root = join(__dirname, '../..');
const modules = new MutantModules(root, 0);

type Library = {
  readonly convert: (
    files: Readonly<Record<string, string>>,
    options?: ConversionOptions,
  ) => Pick<Conversion, 'texts' | 'findings'>;
};

/** A mistake of one token: what stands in a file, once, is another text. */
type Mistake = readonly [file: string, right: string, wrong: string];

/** The library with a mistake in it. @param judges whether the judge is asked */
function libraryWith(mistake: Mistake | undefined, judges: boolean): Library {
  const others = new Map<string, string>();
  if (mistake !== undefined) {
    const [file, right, wrong] = mistake;
    const text = readFileSync(join(root, file), 'utf8');
    if (text.split(right).length !== 2) throw new Error(`${file} has not one "${right}"`);
    others.set(join(root, file), text.replace(right, wrong));
  }
  const nobody = 'export const judge = () => ({ vetoes: [], asked: 0, answered: 0 });';
  if (!judges) others.set(join(root, 'src/judge/index.ts'), nobody);
  modules.reset(others);
  return modules.load(join(root, 'src/convert.ts')) as Library;
}

const ORDER: Mistake = [
  'src/access/policy/policy.ts',
  `order: found?.order ?? 'deny,allow'`,
  `order: 'deny,allow'`,
];
const ALLOW: Mistake = [
  'src/access/collect/lines.ts',
  `{ allow: key === 'allow', words`,
  `{ allow: true, words`,
];

const COMPAT: Mistake = [
  'src/access/collect/lines.ts',
  'context.compat === true && mayLetIn(meaning)',
  'false',
];
const SERVER = {
  '/etc/h.conf':
    'ServerName a\nListen 80\nDocumentRoot /srv/www\n<Directory /srv/www>\nAllowOverride All\nDeny from all\n</Directory>\n',
};
const WITH_COMPAT = '<IfModule mod_access_compat.c>\nSatisfy Any\n</IfModule>\n';

const AUTH = 'AuthType Basic\nAuthName x\nAuthUserFile /srv/users\n';
const BELOW = `ServerName a\nListen 80\nDocumentRoot /srv/www\n<Directory /srv/www>
AllowOverride None\nOrder deny,allow\nDeny from all\nAllow from 10.1.0.0/16\n</Directory>
<Directory /srv/www/a>\n${AUTH}Require valid-user\n</Directory>\n`;

/** A line for 2.4 beside: that a 2.4 without mod_access_compat knows no `Order` may not hide what 2.2 made of it. */
const BESIDE = `ServerName a\nListen 80\nDocumentRoot /srv/www\n<Directory /srv/www>\nAllowOverride All\n</Directory>
<Directory /srv/www/b>\n<IfModule mod_authz_core.c>\nRequire all granted\n</IfModule>\n</Directory>\n`;

const at = (text: string): Record<string, string> => ({ '/srv/www/.htaccess': text });

/** A 2.4 runs it, of which the last section lets in everybody on 2.2, and who has a password today. */
const RUN_BY_24 = `ServerName a\nListen 80\nDocumentRoot /srv/www\nLoadModule access_compat_module modules/mod_access_compat.so
<Directory /srv/www>\nOrder allow,deny\nAllow from 10.1\n${AUTH}Require valid-user\nSatisfy any\n</Directory>
<Directory /srv/www/b>\nOrder allow,deny\nAllow from all\n</Directory>\n`;
/** Everybody today, who has a password or an address on 2.2. */
const DROPPED = RUN_BY_24.replace('Order allow,deny\nAllow from all', 'Satisfy any');
const BELOW_24 = `ServerName a\nListen 80\nDocumentRoot /srv/www\n<Directory /srv>\nRequire all denied\n</Directory>
<Directory /srv/www>\nOrder allow,deny\nAllow from all\n</Directory>\n`;

const WRITTEN = `=== AS_WRITTEN[questionAbout(scope)]`;
const NOT_ASKED: Mistake = ['src/access/inherit/wanted-reading.ts', WRITTEN, '!== undefined'];
const NOT_WRITTEN: Mistake = ['src/access/inherit/wanted-reading.ts', WRITTEN, `=== 'no'`];
const NOT_RUN: Mistake = ['src/access/inherit/meeting.ts', 'return collect(tree).showsCompat ||', 'return'];

const answer = (choice: string): ConversionOptions => ({
  answers: [{ key: 'old-lines', value: true, choice, reason: '' }],
});
const TODAY = answer('as-today');
const ON_22 = answer('as-on-2.2');

/** Of slashes that 2.4 takes for one, a section lets in by other URLs. */
const SLASHES = `ServerName a\nListen 80\nDocumentRoot /srv/www\n<Directory /srv/www>\nOrder allow,deny\nDeny from all\n</Directory>
<IfVersion >= 2.4>\nMergeSlashes On\n</IfVersion>\n<LocationMatch ^/p/s/x>\nOrder allow,deny\nAllow from all\n</LocationMatch>\n`;
const NO_MERGING: Mistake = [
  'src/config/tree/slashes.ts',
  `toLowerCase() !== 'off'`,
  `toLowerCase() === 'off'`,
];

/** What is converted; a mistake; a text that opens, which the mistake makes where nobody judges; and what was answered. */
const PLANTED: readonly (readonly [Record<string, string>, Mistake, string, ConversionOptions?])[] = [
  [{ '/etc/h.conf': RUN_BY_24 }, NOT_ASKED, '/b>\nRequire all granted', TODAY],
  [{ '/etc/h.conf': RUN_BY_24 }, NOT_RUN, '/b>\nRequire all granted', TODAY],
  [{ '/etc/h.conf': RUN_BY_24.replace('from 10.1', 'from all\nDeny from all') }, ALLOW, 'Require all granted', TODAY],
  [{ '/etc/h.conf': DROPPED }, NOT_WRITTEN, 'Require all granted', ON_22],
  [{ '/etc/h.conf': BELOW_24 }, NOT_ASKED, 'Require all granted', TODAY],
  [at('Order allow,deny\nDeny from all\nAllow from 10.0.0.0/8\n'), ORDER, 'Require ip 10.0.0.0/8'],
  [at('Order allow,deny\nAllow from 10.1\nDeny from 10.1.2\n'), ORDER, 'Require'],
  [at('Order allow,deny\n'), ORDER, 'Require all granted'],
  [{ ...at('Order allow,deny\nDeny from all\nAllow from 10.0.0.0/8\n'), '/etc/h.conf': BESIDE }, ORDER, 'Require ip 10.0.0.0/8'],
  [at('Deny from all\n'), ALLOW, 'Require all granted'],
  [at('Order allow,deny\nDeny from all\n'), ALLOW, 'Require all granted'],
  [{ '/etc/h.conf': BELOW.replace('Deny from all\nAllow', 'Deny from all\nDeny') }, ALLOW, 'Require all granted'],
  [{ '/etc/h.conf': SLASHES }, NO_MERGING, '/p/s/x>\nRequire all granted'],
  [{ ...at(`Order deny,allow\nDeny from all\n${WITH_COMPAT}`), ...SERVER }, COMPAT, `Require all denied\n${WITH_COMPAT}`],
  [{ ...at(`Allow from 10.1\nDeny from all\n${WITH_COMPAT}`), ...SERVER }, COMPAT, `Require ip 10.1\n${WITH_COMPAT}`],
]; // prettier-ignore

describe.each(PLANTED.map(([files, mistake, opens, options]) => ({ files, mistake, opens, options })))(
  '$files with $mistake',
  ({ files, mistake, opens, options }) => {
    const convert = (planted: Mistake | undefined, judges: boolean): Pick<Conversion, 'texts' | 'findings'> =>
      libraryWith(planted, judges).convert(files, options);
    const isRefused = ({ findings }: Pick<Conversion, 'findings'>): boolean =>
      findings.some(
        ({ level, status, why }) =>
          level === 'error' &&
          status === 'not-applied' &&
          /: (?:2\.2|today 2\.4) (?:refuses it|asks)/.test(why ?? ''),
      );
    const [path, given] = Object.entries(files)[0]!;

    test('opens where nobody judges', () => {
      expect(convert(mistake, false).texts.get(path)).toContain(opens);
    });

    test('is refused, with the request', () => {
      const result = convert(mistake, true);
      expect(isRefused(result)).toBe(true);
      expect(result.texts.get(path)).not.toContain(opens);
    });

    test('is not refused where there is no mistake', () => {
      const result = convert(undefined, true);
      expect(isRefused(result)).toBe(false);
      expect(result.texts.get(path)).not.toBe(given);
      expect([...result.texts]).toEqual([...convert(undefined, false).texts]);
    });
  },
);
