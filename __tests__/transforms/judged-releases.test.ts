import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildOf } from '../../src/httpd/builds';
import { allDirectives, findDirective, isIn24 } from '../../src/httpd/directives';
import type { FactName } from '../../src/httpd/facts';
import { requireHttpd } from '../../testing/httpd/binary';
import { configtestAll } from '../../testing/httpd/check';
import { createServerRoot } from '../../testing/httpd/config';
import { faults, heldByJudge, judgingRelease } from '../../testing/httpd/release';

const inside = (line: string): string => `<Location "/a">\n${line}\n</Location>\n`;

/** A line for each fact that a configuration test can tell, and whether httpd takes it where the fact holds. */
const LINES: readonly (readonly [FactName, line: string, taken: boolean])[] = [
  ['auth-digest-one-qop', inside('AuthDigestQop none'), false],
  ['auth-file-one-word', inside('AuthUserFile conf/htpasswd standard'), false],
  ['require-expression', inside('Require user a%{x}'), false],
  ['server-tokens-word-checked', 'ServerTokens Everything\n', false],
  ['listen-twice-refused', 'Listen 127.0.0.1:9\nListen 127.0.0.1:9\n', false],
  ['proxy-section-tilde-refused', '<Proxy ~ "^http://a/">\n</Proxy>\n', false],
  ['error-document-expression', 'ErrorDocument 404 "%{nothing"\n', false],
  ['auth-name-expression', inside('AuthName "%{nothing"'), false],
  ['set-handler-expression', inside('SetHandler "%{nothing"'), false],
  ['ssl-no-crl-for-cert-ok', 'SSLCARevocationCheck chain no_crl_for_cert_ok\n', true],
  ['ssl-tlsv13', 'SSLProtocol all -TLSv1.3\n', true],
  ['index-old-date-format', 'IndexOptions +UseOldDateFormat\n', true],
  ['rewrite-own-host-path', 'RewriteOptions LegacyPrefixDocRoot\n', true],
  ['rewrite-unsafe-prefix', 'RewriteRule ^/(.*) /$1 [UnsafeAllow3F]\n', true],
];

test('a real httpd takes and refuses what the facts say of its release', async () => {
  const verdicts = await configtestAll(LINES.map(([fact, text], i) => ({ id: `${i} ${fact}`, text })));
  const wrong = LINES.flatMap(([fact, line, isTaken], i) => {
    const { ok, message } = verdicts.get(`${i} ${fact}`)!;
    return ok === (heldByJudge(fact) ? isTaken : !isTaken) ? [] : [{ fact, line, ok, message }];
  });
  expect(faults(wrong, LINES.length)).toEqual([]);
});

/** The names that `httpd -L` prints, with the modules that have them. */
function listed(): ReadonlyMap<string, ReadonlySet<string>> {
  const root = createServerRoot({ compat: true });
  try {
    const file = join(root.dir, 'conf/httpd.conf');
    writeFileSync(file, root.preamble);
    const { stdout } = spawnSync(requireHttpd().bin, ['-L', '-f', file], { encoding: 'latin1' });
    const found = new Map<string, Set<string>>();
    for (const [, name = '', module = ''] of stdout.matchAll(/^<?(\w+)>? \((\w+)\.c\)$/gm)) {
      const key = name.toLowerCase();
      found.set(key, (found.get(key) ?? new Set()).add(module.replace(/^mod_|^http_/, '')));
    }
    return found;
  } finally {
    root.dispose();
  }
}

/** Of other systems, or configured in. */
const isOfSomeBuilds = (name: string): boolean => buildOf(name) !== undefined || name === 'UNCList';

test('a real httpd lists the directives that the tables give its release', () => {
  const release = judgingRelease();
  const real = listed();
  const modules = new Set([...real.values()].flatMap((owners) => [...owners]));
  const asked = [...allDirectives()].filter(
    ({ name, owners24 }) => owners24.some((owner) => modules.has(owner)) && !isOfSomeBuilds(name),
  );
  expect(asked.length).toBeGreaterThan(500);
  const wrong = asked.filter((info) => isIn24(info, release) !== real.has(info.name.toLowerCase()));
  expect(
    faults(
      wrong.map(({ name }) => name),
      asked.length,
    ),
  ).toEqual([]);
  const unknown = [...real.keys()].filter((name) => {
    const info = findDirective(name);
    return info === undefined || !isIn24(info, release);
  });
  expect(faults(unknown, real.size)).toEqual([]);
});
