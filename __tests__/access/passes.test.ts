import { collect, factsOf } from '../../src/access/collect';
import { type AccessGroup, PASSES, begin, decideGroup } from '../../src/access/decide';
import { InheritedStates, meetingGroups } from '../../src/access/inherit';
import { splitUnread } from '../../src/access/override';
import { scopeName, setsSomething } from '../../src/access/policy';
import { planTlsLines } from '../../src/access/rewrite';
import { NewlyRefused, VersionBlocks } from '../../src/access/verify';
import { loadTree, memory } from '../../src/config';

const LOAD = { defines: new Map<string, string>(), env: new Map<string, string>(), cwd: '/' };

/** The sections of some files as one group, before the first pass. */
function groupOf(files: Readonly<Record<string, string>>): AccessGroup {
  const tree = loadTree(memory(new Map(Object.entries(files))), Object.keys(files), LOAD);
  const collected = collect(tree);
  const facts = factsOf(collected, tree);
  const { mapping } = collected;
  const { live, overrides } = splitUnread(collected.scopes, mapping, tree);
  const scopes = live.filter(setsSomething);
  const inherited = new InheritedStates(scopes, facts, mapping, overrides.files);
  const groups = meetingGroups(scopes);
  const run = {
    tree,
    dual: false,
    facts,
    collected,
    overrides,
    versionBlocks: new VersionBlocks(scopes, { facts, collected }),
    newlyRefused: new NewlyRefused(scopes, facts, mapping),
    keptChecks: new Map(),
    tls: planTlsLines(groups, inherited, facts, false, false),
    unseen: undefined,
    notGiven: undefined,
  };
  expect(groups).toHaveLength(1);
  return begin({ met: groups[0]!, targets: groups[0]!, inherited, run });
}

/** A group after one pass, which must leave the group that it was given as it was. */
function after(group: AccessGroup, name: string): AccessGroup {
  const pass = PASSES.find((each) => each.name === name);
  const before = { ...group };
  const refusals = new Map(group.refusals);
  const rewrites = new Map(group.rewrites);
  const result = pass!(group);
  expect(group).toEqual(before);
  expect([...group.refusals.keys()]).toEqual([...refusals.keys()]);
  expect([...group.rewrites.keys()]).toEqual([...rewrites.keys()]);
  return result;
}

const kinds = ({ refusals }: AccessGroup): Record<string, string> =>
  Object.fromEntries([...refusals].map(([scope, { kind }]) => [scopeName(scope), kind]));

const section = (path: string, lines: string): string => `<Directory ${path}>\n${lines}\n</Directory>\n`;
const CLOSED = section('/srv', 'Order allow,deny\nDeny from all');

test.each([
  ['Order deny,nobody', { '<Directory /srv/a>': 'invalid-line' }],
  ['Order deny,allow', {}],
])('refuseByLines looks at the lines of each section: %s', (lines, expected) => {
  const group = groupOf({ '/etc/httpd.conf': CLOSED + section('/srv/a', lines) });
  expect(kinds(after(group, 'refuseByLines'))).toEqual(expected);
});

test.each([
  ['Require all granted', { '<Directory /srv>': 'meets-modern' }],
  ['Require user alice', {}],
])('refuseByContext looks at what each section can meet: %s', (lines, expected) => {
  const group = groupOf({ '/etc/httpd.conf': CLOSED + section('/srv/a', lines) });
  expect(kinds(after(group, 'refuseByContext'))).toEqual(expected);
});

test('restateEach gives each section that is not refused its text', () => {
  const group = groupOf({ '/etc/httpd.conf': CLOSED + section('/srv/a', 'Order deny,allow') });
  const restated = after(group, 'restateEach');
  const texts = [...restated.rewrites.values()].map(({ edits }) =>
    edits
      .map(({ text }) => text)
      .join('')
      .trim(),
  );
  expect(texts).toEqual(['Require all denied', 'Require all granted']);
  expect(restated.isKept).toBe(false);
});

test('a pass that writes leaves a group alone that is kept as it is', () => {
  const text = CLOSED + section('/srv/a', '<Limit GET>\n<Limit POST>\nDeny from all\n</Limit>\n</Limit>');
  const kept = after(groupOf({ '/etc/httpd.conf': text }), 'refuseByLines');
  expect(kept.isKept).toBe(true);
  for (const name of [
    'restateEach',
    'restateInSections',
    'restateForAllPlaces',
    'restatePlacesStrictly',
    'markVersion',
  ])
    expect(after(kept, name)).toBe(kept);
});

test('the outcome says of each target what becomes of it', () => {
  const group = groupOf({ '/etc/httpd.conf': CLOSED + section('/srv/a', 'Order deny,nobody') });
  const { decided, conversions, refusals } = decideGroup(group.given);
  expect([...decided.keys()]).toEqual(group.targets.map(({ order }) => order));
  expect([...refusals.values()].map(({ kind }) => kind)).toEqual(['invalid-line']);
  expect(conversions.map(({ scope }) => scopeName(scope))).toEqual(['<Directory /srv>']);
});
