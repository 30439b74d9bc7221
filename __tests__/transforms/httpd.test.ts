import { accessRows } from '../../testing/access/access-rows';
import { convertFiles, textAfter } from '../../testing/run/convert';
import { type HttpdRequest, ask } from '../../testing/httpd/ask';
import { type Case, type TestServer, serve } from '../../testing/httpd/server';
import { shareOf } from '../../testing/run/size';

const PREFACE = 'SetEnvIf X-Let "in" let_me_in\nSetEnvIf X-Block "yes" block\n';
const users = { alice: 'staff', bob: 'staff', carol: 'admins', 'DOM\\bob': 'staff' };

const SOURCES = ['127.0.0.1', '127.0.0.2', '127.1.0.2', '127.1.0.3', '127.2.0.2'];

/** Every request that a row can tell apart: methods × client addresses × headers × identities. */
function matrix(id: string, sources: readonly string[]): HttpdRequest[] {
  const list: HttpdRequest[] = [];
  for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS', 'PUT'])
    for (const src of sources)
      for (const headers of [{}, { 'X-Let': 'in' }, { 'X-Block': 'yes' }])
        for (const user of [undefined, 'alice', 'bob', 'carol', 'DOM\\bob', 'alice:wrong'])
          list.push({
            case: id,
            method,
            path: '/x.txt',
            src,
            headers,
            ...(user === undefined ? {} : { user }),
          });
  return list;
}

function rowCase(id: string, lines: readonly string[]): Case {
  const body = lines.map((line) => `    ${line}\n`).join('');
  return { id, conf: `${PREFACE}<Directory "@DOCROOT@">\n${body}</Directory>\n`, files: ['x.txt'] };
}

describe('one section answers on 2.4 as its 2.2 text does under mod_access_compat', () => {
  const rows = accessRows
    .map((row, i) => ({ ...row, id: `row${i}` }))
    // With everything in one section mod_access_compat decides as 2.2 did, with the exceptions that the rows name.
    .filter((row) => row.compatDiffers === undefined);
  let before: TestServer;
  let after: TestServer;

  beforeAll(async () => {
    const old = rows.map(({ id, input }) => {
      // mod_access_compat refuses words after a #; 2.2 took them for hosts.
      const lines = input.map((line) => line.replace(/ #(.*)$/, '$1').replace('Valid-User', 'valid-user'));
      return rowCase(
        id,
        lines.map((line) => line.replace('DOM\\bob', 'DOM\\\\bob')),
      );
    });
    before = await serve(old, { compat: true, users });
    after = await serve(
      rows.map(({ id, input }) => {
        const site = rowCase(id, input);
        return { ...site, conf: textAfter(convertFiles({ '/site.conf': site.conf }), '/site.conf') ?? '' };
      }),
      { users },
    );
  });

  afterAll(async () => {
    await before.stop();
    await after.stop();
  });

  test('no text is refused', () => {
    expect([...before.refused.values()]).toEqual([]);
    expect([...after.refused.values()]).toEqual([]);
  });

  test.each(rows)('$name', async ({ id, hosts }) => {
    // A seventh meets all values of each axis, since none has a multiple of seven.
    const requests = hosts ? matrix(id, ['127.0.0.1']) : shareOf(matrix(id, SOURCES), 7);
    const [expected, actual] = await Promise.all([ask(before, requests), ask(after, requests)]);
    const differences = requests
      .map((request, i) => ({ request, before: expected[i], after: actual[i] }))
      .filter((row) => row.before !== row.after);
    expect(differences).toEqual([]);
    expect(new Set(expected).has('E')).toBe(false);
  });
});
