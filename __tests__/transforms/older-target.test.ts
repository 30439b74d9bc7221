import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Outcome, RunResult } from '../../src/engine';
import { casesOf, convertCase, HOME, readCase, readOptions } from '../../testing/fixtures/case';
import { newerIn, newerInMessage, newerThan } from '../../testing/fixtures/newer';
import { convertFiles } from '../../testing/run/convert';
import { FULL_SIZE, share, shareOf } from '../../testing/run/size';

/** The 2.4 of RHEL 7, and of RHEL 8. */
const RELEASES = [6, 37];

/** With all rules, unless a case names some. */
const cases = readdirSync(HOME).flatMap((rule) =>
  casesOf(rule).map((name) => {
    const given = readCase(rule, name);
    return { ...given, options: readOptions(given.folder) };
  }),
);

const examples = Object.fromEntries(
  readdirSync('examples', { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => [`/srv/${file}`, readFileSync(file, 'latin1')]),
);

/** What the release lacks of what a run wrote. */
const lacking = (release: number, { plan }: RunResult): string[] =>
  plan.flatMap((change) => newerThan(release, change));

const lineOf = ({ file, at }: Outcome): string => /^.*/.exec(file.document.text.slice(at))![0];

describe.each(RELEASES)('2.4.%i', (target) => {
  test('knows all that is written for it, and all that is recommended', () => {
    const parts = target === RELEASES[0] ? 8 : 16;
    const wrong: string[] = [];
    let written = 0;
    const forms = [{}, { pinDefaults: true }, { dual: true }];
    for (const { id, input, options } of shareOf(cases, parts))
      for (const form of forms) {
        const result = convertCase(input, { ...options, ...form, target });
        if (result.failure !== undefined) wrong.push(`${id}: ${result.failure}`);
        written += result.plan.length;
        wrong.push(...lacking(target, result).map((lack) => `${id}: ${lack}`));
        for (const outcome of result.outcomes)
          if (newerInMessage(target, outcome, lineOf(outcome)).length > 0)
            wrong.push(`${id}: ${outcome.rule}: ${outcome.message}`);
      }
    expect(wrong).toEqual([]);
    expect(written).toBeGreaterThan(share(1000, parts) / 2);
  }, 120_000);

  test('knows all that is written into the examples', () => {
    const result = convertFiles(examples, ['/srv/examples'], { target, pinDefaults: true });
    expect(result.failure).toBeUndefined();
    expect(result.plan.length).toBeGreaterThan(3);
    expect(lacking(target, result)).toEqual([]);
  });
});

describe('what a release lacks is found', () => {
  test.each<[release: number, text: string, found: string]>([
    [38, 'MergeSlashes Off\n', 'MergeSlashes (directive)'],
    [33, '<IfFile "/x">\n</IfFile>\n', 'IfFile (directive)'],
    [20, 'SSLCARevocationCheck chain no_crl_for_cert_ok\n', 'no_crl_for_cert_ok (word)'],
    [35, 'SSLProtocol all -TLSv1.3\n', '-TLSv1.3 (word)'],
    [38, 'RequestReadTimeout handshake=0 header=10\n', 'handshake=0 (word)'],
    [18, '<Location /a>\nRequire not forward-dns a.example\n</Location>\n', 'forward-dns (provider)'],
    [3, "FilterProvider a b \"req_novary('x') == 'y'\"\n", 'req_novary (function)'],
    [25, '<If "%{REMOTE_PORT} -lt 1024">\n</If>\n', 'REMOTE_PORT (variable)'],
    [18, "Require expr %{HTTP2} == 'on'\n", 'HTTP2 (variable)'],
    [4, 'LoadModule cache_socache_module modules/mod_cache_socache.so\n', 'cache_socache (module)'],
    [29, '<IfModule !mod_md.c>\n</IfModule>\n', 'md (module)'],
    [69, 'AuthDigestNonceFormat x\n', 'AuthDigestNonceFormat (directive)'],
  ])('2.4.%i: %s', (release, text, found) => {
    expect(newerIn(release, text)).toEqual([found]);
    expect(newerIn(release === 69 ? 68 : release + 1, text)).toEqual([]);
  });

  test('in lines that a run wrote, and only in those', () => {
    const given = { '/a.conf': 'SSLCARevocationFile /crl\nSSLProtocol all -TLSv1.3\n' };
    const { plan } = convertFiles(given);
    expect(plan.flatMap((change) => newerThan(20, change))).toEqual(['no_crl_for_cert_ok (word)']);
    expect(plan.flatMap((change) => newerThan(21, change))).toEqual([]);
  });

  test('in messages, but for what a rule names because it is lacking', () => {
    const finding = { rule: 'substitute-long-line', message: 'set MergeSlashes Off and add +TLSv1.3' };
    expect(newerInMessage(35, finding, '')).toEqual(['MergeSlashes', '+TLSv1.3']);
    expect(newerInMessage(35, finding, 'MergeSlashes On')).toEqual(['+TLSv1.3']);
    expect(newerInMessage(39, finding, '')).toEqual([]);
    const unset = { ...finding, message: 'there is no SubstituteMaxLineLength' };
    expect(newerInMessage(6, unset, '')).toEqual([]);
    expect(newerInMessage(6, { ...unset, rule: 'options' }, '')).toEqual(['SubstituteMaxLineLength']);
  });

  test('in what the newest release is given', () => {
    const wrong = shareOf(cases).flatMap(({ input, options }) =>
      lacking(6, convertCase(input, { ...options, target: 71, pinDefaults: true })),
    );
    const all = [
      '-TLSv1.3 (word)',
      'DeflateAlterETag (directive)',
      'DirectoryCheckHandler (directive)',
      'MergeSlashes (directive)',
      'Proxy100Continue (directive)',
      'RegexDefaultOptions (directive)',
      'RegisterHttpMethod (directive)',
      '[BCTLS] (word)',
      '[UNC] (word)',
      '[UnsafeAllow3F] (word)',
      '[UnsafePrefixStat] (word)',
      'default (word)',
      'enablereuse=on (word)',
      'no_crl_for_cert_ok (word)',
    ];
    // The flag stands among those that the line has.
    const found = [...new Set(wrong.map((word) => word.replace(/^\[.*,(\w+)\]/, '[$1]')))];
    expect(found).toContain('MergeSlashes (directive)');
    expect(all).toEqual(expect.arrayContaining(found));
    if (FULL_SIZE) expect(found.toSorted()).toEqual(all);
  });
});
