import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { allDirectives, findDirective } from '../../src/httpd/directives';
import { type DirectiveContext, judge, soundLine } from '../../src/httpd/judge';
import { parse } from '../../src/syntax';
import { convertFiles, textAfter } from '../../testing/run/convert';
import { type DirectiveUse, useFiles, uses22 } from '../../testing/httpd/directive-uses';
import { requireHttpd } from '../../testing/httpd/binary';
import { testFile } from '../../testing/httpd/check';
import { createServerRoot } from '../../testing/httpd/config';
import { loadModules } from '../../testing/httpd/modules';
import { transforms } from '../../transforms';

const uses = uses22();

test('there is a use for every directive of 2.2', () => {
  const known = [...allDirectives()].filter(({ owners22 }) => owners22.length > 0);
  expect(uses.map(({ name }) => name)).toEqual(known.map(({ name }) => name));
  expect(uses.length).toBeGreaterThanOrEqual(433);
});

interface Converted extends DirectiveUse {
  readonly text: string;
  /** What is said at the directive's own line, and left to a person. */
  readonly open: readonly string[];
}

/** Rules are named after what they find: `suexec-user-group`. */
const isCalled = (rule: string, name: string): boolean => rule.replaceAll('-', '') === name.toLowerCase();

/** Each use as a server of its own, so that all that is said is about it. */
function convertUse(use: DirectiveUse, index: number, root: string): Converted {
  const path = join(root, 'conf/use.conf');
  const lines = [`Listen 127.0.0.1:${9000 + index}`, ...use.lines, ''];
  const result = convertFiles({ [path]: lines.join('\n').replaceAll('@ROOT@', root) }, [path]);
  expect([use.name, result.failure]).toEqual([use.name, undefined]);
  const owner = transforms.find(({ directives }) => directives.includes(use.name))?.id;
  const open = result.outcomes
    .filter(
      ({ file, at, status }) => status !== 'applied' && file.document.positionAt(at).line === use.ownLine + 2,
    )
    .filter(({ level, message }) => level !== 'info' || message.includes('does not start'))
    .filter(({ rule, message }) => rule === owner || message.includes(use.name) || isCalled(rule, use.name))
    .map(({ message }) => message);
  return { ...use, text: textAfter(result, path) ?? '', open };
}

/** Extra modules that are not in every test server's list, but have a directive of 2.2. */
function moreModules(): string[] {
  const { modules, moduleDir } = requireHttpd();
  const loaded = loadModules(requireHttpd(), false).join('\n');
  const wanted = new Set(uses.flatMap(({ owners24 }) => owners24));
  return [...wanted]
    .filter(
      (name) =>
        modules.has(name) && !/^mpm_|^access_compat$/.test(name) && !loaded.includes(`${name}_module `),
    )
    .map((name) => `LoadModule ${name}_module "${moduleDir}/mod_${name}.so"`);
}

/** What 2.4 says about those that it does not take, each with its name. */
async function refusedOf(batch: readonly Converted[], root: string, preamble: string): Promise<string[]> {
  const refused: string[] = [];
  for (let rest = batch; rest.length > 0 && refused.length < 20;) {
    for (const { name, text } of rest) writeFileSync(join(root, `cases/${name}.conf`), text, 'latin1');
    const main = join(root, 'conf/httpd.conf');
    const includes = rest.map(({ name }) => `Include "${root}/cases/${name}.conf"`);
    writeFileSync(main, [preamble, ...moreModules(), ...includes, ''].join('\n'), 'latin1');
    const { ok, message } = await testFile(main);
    if (ok) break;
    const culprit = rest.find(({ name }) => message.includes(`cases/${name}.conf:`));
    refused.push(`${culprit?.name}: ${message.split('\n').slice(-2).join(' ')}`);
    rest = culprit === undefined ? [] : rest.filter((use) => use !== culprit);
  }
  return refused;
}

test('2.4 takes every directive of 2.2 as it is converted, or a finding names it', async () => {
  const httpd = requireHttpd();
  const root = createServerRoot();
  try {
    const secrets = ['server.crt', 'server.key', 'server.crl', 'both.pem', 'ticket.key'];
    const files = { ...useFiles, ...Object.fromEntries(secrets.map((name) => [`conf/${name}`, 'x\n'])) };
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(root.dir, path)), { recursive: true });
      writeFileSync(join(root.dir, path), content);
    }
    const converted = uses.map((use, index) => convertUse(use, index, root.dir));
    // One whose module this httpd does not have cannot be asked.
    const has = (owner: string): boolean =>
      httpd.modules.has(owner) || httpd.statics.has(owner) || /^(?:core|http|so|mpm_.*)$/.test(owner);
    const asked = converted.filter(
      ({ open, owners24 }) => open.length === 0 && (owners24.length === 0 || owners24.some(has)),
    );
    const isForked = ({ owners24 }: DirectiveUse): boolean => owners24.join() === 'mpm_prefork';
    const forking = root.preamble.replace(/mpm_(?:event|worker)/g, 'mpm_prefork');
    const batches = [
      [asked.filter((use) => !isForked(use)), root.preamble],
      [asked.filter(isForked), forking],
    ] as const;
    for (const [batch, preamble] of batches) expect(await refusedOf(batch, root.dir, preamble)).toEqual([]);
    const unasked = converted.filter(
      ({ open, owners24 }) => open.length === 0 && owners24.length > 0 && !owners24.some(has),
    );
    expect(asked.length).toBeGreaterThan(330);
    // On Debian: the directives of example modules. A directive of another system's module is named.
    expect(unasked.filter(({ owners24 }) => !/^(?:case_filter|example)/.test(owners24[0] ?? ''))).toEqual([]);
  } finally {
    root.dispose();
  }
}, 120_000);

/** The sections that a command may refuse by itself, each with what to write for it. */
const SECTIONS = {
  virtualhost: () => ['<VirtualHost 127.0.0.1:9000>', '</VirtualHost>'],
  directory: (dir: string) => [`<Directory "${dir}/htdocs">`, '</Directory>'],
  location: () => ['<Location "/a">', '</Location>'],
  files: () => ['<Files "a">', '</Files>'],
} as const;

test('2.4 refuses each directive where it is said to refuse it by itself', async () => {
  const httpd = requireHttpd();
  const root = createServerRoot();
  try {
    for (const [path, content] of Object.entries(useFiles)) {
      mkdirSync(dirname(join(root.dir, path)), { recursive: true });
      writeFileSync(join(root.dir, path), content);
    }
    const main = join(root.dir, 'conf/httpd.conf');
    const taken: string[] = [];
    let asked = 0;
    for (const { name, owners24, lines } of uses) {
      const { spec24 } = findDirective(name) ?? {};
      const has = owners24.some((owner) => httpd.modules.has(owner) || /^(?:core|mpm_event)$/.test(owner));
      if (!has || lines.length !== 1 || spec24?.includes('-') !== true) continue;
      for (const [section, around] of Object.entries(SECTIONS)) {
        if (judge(name.toLowerCase(), { sections: [section] }, undefined, '2.4')?.problem !== 'place')
          continue;
        const [open = '', close = ''] = around(root.dir);
        const text = [root.preamble, ...moreModules(), open, ...lines, close, ''].join('\n');
        writeFileSync(main, text.replaceAll('@ROOT@', root.dir), 'latin1');
        const { ok, message } = await testFile(main);
        // Some builds have not all that a module may have.
        if (message.includes('Invalid command')) continue;
        asked++;
        if (ok) taken.push(`${name} in ${section}`);
      }
    }
    expect(taken).toEqual([]);
    expect(asked).toBeGreaterThan(100);
  } finally {
    root.dispose();
  }
}, 120_000);

describe('what each version thinks of a directive at a place', () => {
  const at = (...sections: string[]): DirectiveContext => ({ sections });
  const inHtaccess = (classes: string): DirectiveContext => ({ sections: [], htaccess: { classes } });
  const args =
    (...words: string[]) =>
    () =>
      words;

  test.each([
    ['Order', at('directory'), args('deny,allow'), undefined, undefined],
    ['order', at(), args('deny,allow'), 'place', 'place'],
    ['KeepAlive', at(), args('yes'), undefined, 'arguments'],
    ['KeepAlive', at('virtualhost'), args('on'), undefined, undefined],
    ['KeepAlive', at('directory'), args('on'), 'place', 'place'],
    ['IndexIgnore', at('directory'), args(), undefined, 'arguments'],
    ['AuthUserFile', at('location'), args('users', 'standard'), undefined, 'arguments'],
    ['RewriteLock', at(), args('x'), undefined, 'unknown'],
    ['RequireAll', at('directory'), undefined, 'unknown', undefined],
    ['Port', at(), args('80'), 'refused', 'refused'],
    ['Limit', at(), undefined, undefined, 'place'],
    ['Limit', at('directory'), undefined, undefined, undefined],
    ['ProxyPass', at('directory'), undefined, undefined, 'place'],
    ['ProxyPass', at('location'), undefined, undefined, undefined],
    ['LDAPTrustedClientCert', at(), args('a', 'b'), undefined, 'place'],
    ['ServerTokens', at('virtualhost'), args('Prod'), 'place', 'place'],
    ['AuthName', at('virtualhost'), args('x'), 'place', 'place'],
    ['AuthName', at('virtualhost', 'files'), args('x'), undefined, undefined],
    ['AuthName', inHtaccess('L'), args('x'), 'place', 'place'],
    ['AuthName', inHtaccess('LA'), args('x'), undefined, undefined],
    ['Options', inHtaccess('O'), undefined, undefined, undefined],
    ['LoadModule', inHtaccess('LOFAI'), args('a', 'b'), 'place', 'place'],
    ['Include', at('directory'), args('a'), undefined, undefined],
    ['SSLRequireSSL', at('directory'), args('on'), undefined, undefined],
    ['SSLProxyEngine', at('proxy'), args('on'), 'place', undefined],
    ['SetEnv', at(), args('a', 'b', 'c'), 'arguments', 'arguments'],
    ['SetEnv', at(), args('a', '${B}', 'c'), undefined, undefined],
    ['NobodyKnowsThis', at(), args('x'), undefined, undefined],
  ] as const)('%s %j', (name, context, words, in22, in24) => {
    expect(judge(name, context, words, '2.2')?.problem).toBe(in22);
    expect(judge(name, context, words, '2.4')?.problem).toBe(in24);
  });
});

test('a line that looks sound is one that nothing speaks against', () => {
  const contexts: DirectiveContext[] = [
    { sections: [] },
    { sections: ['virtualhost', 'directory'] },
    { sections: ['files'], htaccess: { classes: 'LOFAI' } },
  ];
  const rests = [
    '', ' a', ' on', ' Off b', ' "a b"', ' a b', ' a "b c" d', ' a b c', ' ""', ' a ""', ' "a"b', ' "a', " 'a b'", ' a\\\\ b', ' onward',
    '\ta\tb  c d', ' a\u00a0b', ' "a" "b', ' ${x} a', '"a"', " a'b c'", ' "\\\\" b',
  ]; // prettier-ignore
  const seen = { sound: 0, other: 0 };
  const wrong: string[] = [];
  for (const { name } of allDirectives())
    for (const context of contexts)
      for (const version of ['2.2', '2.4'] as const)
        for (const rest of rests) {
          const text = `X\n${name}${rest}\nY a b c d\n`;
          const node = parse(text).body[1]!;
          if (node.kind !== 'directive') continue;
          const sound = soundLine(node.key, context, version);
          const verdict = judge(node.key, context, () => node.args.map(({ value }) => value), version);
          if (sound === undefined ? verdict === undefined : sound === true && verdict !== undefined)
            wrong.push(text);
          if (!(sound instanceof RegExp)) continue;
          sound.lastIndex = node.from;
          const fits = sound.test(text) && sound.lastIndex === node.to;
          seen[fits ? 'sound' : 'other']++;
          if (fits && verdict !== undefined) wrong.push(text);
          // What needs no reading of quotes is never left to it.
          if (!fits && verdict === undefined && /^ (?:a|on)(?: b)*$/.test(rest)) wrong.push(text);
        }
  expect(wrong).toEqual([]);
  expect(seen.sound).toBeGreaterThan(1000);
  expect(seen.other).toBeGreaterThan(1000);
});
