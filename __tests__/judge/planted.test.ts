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

const ORDER: Mistake = ['src/access/policy/policy.ts', `order: found?.order ?? 'deny,allow'`, `order: 'deny,allow'`]; // prettier-ignore
const ALLOW: Mistake = ['src/access/collect/lines.ts', `line, key === 'allow', mask`, `line, true, mask`];

const COMPAT: Mistake = [
  'src/access/collect/lines.ts',
  'context.compat === true && mayLetIn(meaning)',
  'false',
];
const SERVER = { '/etc/h.conf': 'ServerName a\nListen 80\nDocumentRoot /srv/www\n<Directory /srv/www>\nAllowOverride All\nDeny from all\n</Directory>\n' }; // prettier-ignore
const WITH_COMPAT = '<IfModule mod_access_compat.c>\nSatisfy Any\n</IfModule>\n';

const AUTH = 'AuthType Basic\nAuthName x\nAuthUserFile /srv/users\n';
const BELOW = `ServerName a\nListen 80\nDocumentRoot /srv/www\n<Directory /srv/www>
AllowOverride None\nOrder deny,allow\nDeny from all\nAllow from 10.1.0.0/16\n</Directory>
<Directory /srv/www/a>\n${AUTH}Require valid-user\n</Directory>\n`;

/** A line for 2.4 beside: that a 2.4 without mod_access_compat knows no `Order` may not hide what 2.2 made of it. */
const BESIDE = `ServerName a\nListen 80\nDocumentRoot /srv/www\n<Directory /srv/www>\nAllowOverride All\n</Directory>
<Directory /srv/www/b>\n<IfModule mod_authz_core.c>\nRequire all granted\n</IfModule>\n</Directory>\n`;

const at = (text: string): Record<string, string> => ({ '/srv/www/.htaccess': text });

/** What is converted; a mistake; and a text that opens, which the mistake makes where nobody judges. */
const PLANTED: readonly (readonly [Record<string, string>, Mistake, string])[] = [
  [at('Order allow,deny\nDeny from all\nAllow from 10.0.0.0/8\n'), ORDER, 'Require ip 10.0.0.0/8'],
  [at('Order allow,deny\nAllow from 10.1\nDeny from 10.1.2\n'), ORDER, 'Require'],
  [at('Order allow,deny\n'), ORDER, 'Require all granted'],
  [{ ...at('Order allow,deny\nDeny from all\nAllow from 10.0.0.0/8\n'), '/etc/h.conf': BESIDE }, ORDER, 'Require ip 10.0.0.0/8'],
  [at('Deny from all\n'), ALLOW, 'Require all granted'],
  [at('Order allow,deny\nDeny from all\n'), ALLOW, 'Require all granted'],
  [{ '/etc/h.conf': BELOW.replace('Deny from all\nAllow', 'Deny from all\nDeny') }, ALLOW, 'Require all granted'],
  [{ ...at(`Order deny,allow\nDeny from all\n${WITH_COMPAT}`), ...SERVER }, COMPAT, `Require all denied\n${WITH_COMPAT}`],
  [{ ...at(`Allow from 10.1\nDeny from all\n${WITH_COMPAT}`), ...SERVER }, COMPAT, `Require ip 10.1\n${WITH_COMPAT}`],
]; // prettier-ignore

describe.each(PLANTED)('%j with %j', (files, mistake, opens) => {
  const convert = (planted: Mistake | undefined, judges: boolean): Pick<Conversion, 'texts' | 'findings'> =>
    libraryWith(planted, judges).convert(files);
  const isRefused = ({ findings }: Pick<Conversion, 'findings'>): boolean =>
    findings.some(
      ({ level, status, why }) => level === 'error' && status === 'not-applied' && why?.includes('2.2 refuses it') === true, // prettier-ignore
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
});
