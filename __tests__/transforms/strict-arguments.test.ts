import { NEWEST, livesIn, nameOf, parseRelease, type LifeSpan } from '../../src/httpd/release';
import { MESSAGES } from '../../src/httpd/messages';
import { requireHttpd } from '../../testing/httpd/binary';
import { configtestAll, type ConfigTestVerdict } from '../../testing/httpd/check';
import { convertFiles, textAfter } from '../../testing/run/convert';
import { LOST_STATUSES, NEW_STATUSES } from '../../transforms/arguments/status-code-refused';
import { STRICT_ROWS } from '../../transforms/arguments/strict-argument';

interface ArgumentRow {
  readonly id: string;
  readonly text: string;
  readonly rule: string;
  /** The rule that looks after what 2.4 says of it, if that is another one. */
  readonly messageRule?: string | undefined;
  /** Whether the rule is to speak of it; else both versions take it alike. */
  readonly named: boolean;
  /** The releases that refuse the line; undefined where none does. */
  readonly refusedIn: LifeSpan | undefined;
  /** mod_access_compat has to be there. */
  readonly compat?: true;
}

const inDirectory = (line: string): string => `<Directory "/">\n${line}\n</Directory>\n`;

const rows: readonly ArgumentRow[] = [
  ...STRICT_ROWS.flatMap((row) => {
    const shape = (line: string, named: boolean): ArgumentRow => ({
      id: line,
      text: row.at === 'directory' ? inDirectory(line) : `${line}\n`,
      rule: 'strict-argument',
      messageRule: row.messageRule,
      named: named && livesIn(row, NEWEST),
      refusedIn: row.refused && named ? row : undefined,
    });
    return [...row.examples.map((line) => shape(line, true)), ...row.accepted.map((line) => shape(line, false))];
  }),
  ...LOST_STATUSES.flatMap((status) =>
    ['ErrorDocument CODE /x', 'RewriteRule ^/x$ - [R=CODE]', 'RewriteRule ^/x$ /y [L,redirect=CODE]'].map(
      (line): ArgumentRow => ({
        id: line.replace('CODE', String(status.code)),
        text: `${line.replace('CODE', String(status.code))}\n`,
        rule: 'status-code-refused',
        named: status.until === undefined,
        refusedIn: status,
      }),
    ),
  ),
  ...NEW_STATUSES.map((code): ArgumentRow => {
    const line = `ErrorDocument ${code} /x`;
    return { id: line, text: `${line}\n`, rule: 'status-code-refused', named: false, refusedIn: { until: code === 451 ? 20 : 2 } };
  }),
  { id: 'Proxy ~', text: '<Proxy ~ "^http://x">\n</Proxy>\n', rule: 'proxy-section-regex', named: true, refusedIn: { since: 8 } },
  { id: 'Listen', text: 'Listen 127.0.0.1:2\nListen 127.0.0.1:2\n', rule: 'listen-twice', named: true, refusedIn: { since: 28 } },
  { id: 'Listen, others', text: 'Listen 127.0.0.1:2\nListen 127.0.0.2:2\n', rule: 'listen-twice', named: false, refusedIn: undefined },
  { id: 'Allow', text: inDirectory('Allow from ${X} # x'), rule: 'host-list-comment', named: true, refusedIn: { since: 32 }, compat: true },
  { id: 'Deny', text: inDirectory('Deny from ${X} a#b'), rule: 'host-list-comment', named: true, refusedIn: { since: 32 }, compat: true },
  { id: 'Allow env', text: inDirectory('Allow from ${X} env=a#b'), rule: 'host-list-comment', named: false, refusedIn: undefined, compat: true },
  { id: 'Require group', text: inDirectory('Allow from ${X}\nRequire group a%{b}c'), rule: 'require-expression', named: true, refusedIn: { since: 8 }, compat: true },
  { id: 'Require user', text: inDirectory('Allow from ${X}\nRequire user a%{b}c'), rule: 'require-expression', named: true, refusedIn: { since: 8 }, compat: true },
  { id: 'Require, escaped', text: inDirectory('Allow from ${X}\nRequire user a\\%{b}c'), rule: 'require-expression', named: false, refusedIn: undefined, compat: true },
]; // prettier-ignore

const PATH = '/srv/conf/httpd.conf';

interface Judged {
  readonly named: boolean;
  readonly after: string;
  readonly mended: boolean;
}

/** What the tool says of it, as part of a server config, and what it makes of it. */
function judge({ text, rule }: ArgumentRow): Judged {
  const whole = `ServerRoot /srv\n${text}`;
  const result = convertFiles({ [PATH]: whole });
  const outcomes = result.outcomes.filter((outcome) => outcome.rule === rule);
  return {
    named: outcomes.length > 0,
    after: (textAfter(result, PATH) ?? whole).replace('ServerRoot /srv\n', ''),
    mended: outcomes.length > 0 && outcomes.every(({ status }) => status === 'applied'),
  };
}

const judged: ReadonlyMap<ArgumentRow, Judged> = new Map(rows.map((row) => [row, judge(row)]));
const mended = rows.filter((row) => judged.get(row)!.mended);

describe('lines that 2.2 takes and a release of 2.4 refuses, asked of the httpd that is there', () => {
  const { version } = requireHttpd();
  const release = parseRelease(version) as number;
  let before: Map<string, ConfigTestVerdict>;
  let after: Map<string, ConfigTestVerdict>;

  beforeAll(async () => {
    const define = (text: string): string => `Define X 127.0.0.1\n${text}`;
    const asked = rows.map(({ id, text, compat }) => ({ id, text: define(text), compat }));
    before = await configtestAll(asked);
    after = await configtestAll(
      mended.map((row) => ({ id: row.id, text: define(judged.get(row)!.after), compat: row.compat })),
    );
  }, 120_000);

  test.each(rows)('$id: the facts are right about this release', ({ id, refusedIn }) => {
    const refused = refusedIn !== undefined && livesIn(refusedIn, release);
    expect([nameOf(release), before.get(id)!.ok, before.get(id)!.message]).toEqual([
      nameOf(release),
      !refused,
      refused ? expect.stringMatching(/./) : expect.anything(),
    ]);
  });

  test.each(rows)('$id: the tool says so, and of no other', (row) => {
    expect(judged.get(row)!.named).toBe(row.named);
  });

  test.each(mended)('$id: what it becomes is taken', ({ id }) => {
    expect(after.get(id)).toMatchObject({ ok: true });
  });

  test.each(rows)('$id: why finds the rule by what httpd says', ({ id, rule, messageRule = rule }) => {
    const { ok, message } = before.get(id)!;
    const known = MESSAGES.find(({ pattern }) => pattern.test(message));
    // A release in which it is taken says nothing.
    expect(ok ? messageRule : known?.rule).toBe(messageRule);
  });

  test('no two rows have one name', () => {
    const ids = rows.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
