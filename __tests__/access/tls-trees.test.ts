import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { Authority, type ClientIdentity } from '../../testing/httpd/certificates';
import { convertFiles, textAfter } from '../../testing/run/convert';
import { SEED, share } from '../../testing/run/size';
import { answers24 } from '../../testing/tls/serve';
import {
  REQUESTS,
  type TlsTree,
  answerOf,
  textsOf,
  tlsTree,
  tlsTreeWithBlocks,
} from '../../testing/tls/trees';

let home: string;
let ca: Authority;
let alice: ClientIdentity;

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'httpd-ca-'));
  ca = new Authority(join(home, 'ca'));
  ca.issue('server');
  alice = ca.issue('alice');
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

/** What became of a tree: the same answers, fewer let in as it is said, or lines that are left. */
type Outcome = 'same' | 'strict' | 'left';

async function outcomeOf(tree: TlsTree): Promise<Outcome> {
  const { conf, htaccess } = textsOf(tree);
  const files = { '/etc/httpd.conf': conf, ...(htaccess === '' ? {} : { '/DOCROOT/p/.htaccess': htaccess }) };
  const result = convertFiles(files);
  expect(result.failure).toBeUndefined();
  const [after, fileAfter] = Object.keys(files).map((path) => textAfter(result, path) ?? '');
  const access = result.outcomes.filter(
    ({ rule, level }) => rule === 'order-allow-deny' && level === 'error',
  );
  // So are lines for 2.4 that stay, of which it is said that they let in others.
  const isLeft = access.some(
    ({ status, message }) =>
      status === 'not-applied' ||
      /is left as it is|say in them who may|write it for both versions/.test(message),
  );
  if (isLeft) return 'left';
  const mayRefuse = access.some(({ safety }) => safety === 'strict');
  const is = await answers24(after!, fileAfter ?? '', ca, alice);
  const differences = REQUESTS.map((request, i) => ({
    ...request,
    was: answerOf(tree, request),
    is: is[i],
  })).filter(({ was, is: now }) => was !== now && (now === 'P' || !mayRefuse));
  expect({ conf, htaccess, after, fileAfter, differences }).toMatchObject({ differences: [] });
  return mayRefuse ? 'strict' : 'same';
}

async function outcomesOf(trees: readonly TlsTree[]): Promise<readonly Outcome[]> {
  const found: Outcome[] = [];
  for (const tree of trees) found.push(await outcomeOf(tree));
  return found;
}

test('servers with TLS at random answer as before', async () => {
  const trees = fc.sample(tlsTree, { numRuns: share(60, 6), seed: SEED });
  const found = await outcomesOf(trees);
  expect(found.filter((outcome) => outcome === 'same').length).toBeGreaterThanOrEqual(0.7 * trees.length);
  expect(found.filter((outcome) => outcome === 'left').length).toBeLessThanOrEqual(0.1 * trees.length);
}, 600_000);

test('servers with TLS whose lines stand in blocks for 2.2, too, or are left and told', async () => {
  const trees = fc.sample(tlsTreeWithBlocks, { numRuns: share(60, 6), seed: SEED });
  const found = await outcomesOf(trees);
  expect(found.filter((outcome) => outcome !== 'left').length).toBeGreaterThanOrEqual(0.3 * trees.length);
}, 600_000);
