import fc from 'fast-check';
import { type Expr, and, exprKey, matchAtom, not, or } from '../../src/access/primitives';
import { joinRegions } from '../../src/access/rewrite';
import { checkRewrites } from '../../src/access';
import { loadTree, memory, overlay } from '../../src/config';
import { SEED } from '../../testing/run/size';
import { run } from '../../src/engine';
import { transforms } from '../../transforms';

const below = (path: string): Expr => matchAtom('REQUEST_FILENAME', `^${path}(/|$)`);
const DIRECTORIES = ['/w', '/w/a', '/w/a/x', '/w/ab', '/w/b'];
const NAMES = [matchAtom('REQUEST_FILENAME', '/[^/]*\\.php$'), matchAtom('REQUEST_URI', '^/b(/|$)')];

/** Whether an expression holds for a file in a directory, where some of the names match. */
function holds(expr: Expr, directory: string, names: readonly boolean[]): boolean {
  switch (expr.kind) {
    case 'and':
      return expr.of.every((part) => holds(part, directory, names));
    case 'or':
      return expr.of.some((part) => holds(part, directory, names));
    case 'not':
      return !holds(expr.of, directory, names);
    case 'atom': {
      const name = NAMES.findIndex((atom) => exprKey(atom) === exprKey(expr));
      if (name >= 0) return names[name]!;
      const asked = DIRECTORIES.find((path) => exprKey(below(path)) === exprKey(expr))!;
      return `${directory}/`.startsWith(`${asked}/`);
    }
    default:
      return expr.kind === 'true';
  }
}

const literal = fc
  .tuple(fc.constantFrom(...DIRECTORIES.map(below), ...NAMES), fc.boolean())
  .map(([atom, is]) => (is ? atom : not(atom)));
const region = fc
  .array(fc.oneof(literal, fc.array(literal, { minLength: 2, maxLength: 3 }).map(or)), { maxLength: 5 })
  .map(and);

test('regions in fewer questions are the same regions', () => {
  fc.assert(
    fc.property(
      fc.array(region, { minLength: 1, maxLength: 5 }),
      fc.constantFrom('/', ...DIRECTORIES, '/w/c'),
      fc.array(fc.boolean(), { minLength: 2, maxLength: 2 }),
      (regions, directory, names) => {
        const joined = joinRegions(regions);
        expect(joined.length).toBeLessThanOrEqual(regions.length);
        expect(holds(or(joined), directory, names)).toBe(holds(or(regions), directory, names));
      },
    ),
    { seed: SEED, numRuns: 500 },
  );
});

const section = (path: string, from: string, files: string, inside: string): string =>
  `<Directory ${path}>\nOrder deny,allow\nDeny from all\nAllow from ${from}\n<Files ${files}>\nOrder deny,allow\nDeny from all\nAllow from ${inside}\n</Files>\n</Directory>\n`;

test('a Location asks no file in one directory for what stands in one beside it', () => {
  const server = `Listen 80\nDocumentRoot /w\n${section('/w/a', '10.1', '*.php', '10.2')}${section('/w/b', '10.3', '*.txt', '10.4')}<Location />\nSatisfy Any\nAuthType Basic\nAuthName x\nAuthUserFile users\nRequire valid-user\n</Location>\n`;
  const source = memory(new Map([['/httpd.conf', server]]));
  const load = (texts: ReadonlyMap<string, string>): ReturnType<typeof loadTree> =>
    loadTree(overlay(source, texts), ['/httpd.conf'], { defines: new Map(), env: new Map(), cwd: '/' });
  const tree = load(new Map());
  const { plan, outcomes } = run({ tree, reread: load }, transforms);
  const { text } = plan[0]!;
  const found = [...text.matchAll(/Require expr (.*)/g)].map(([, expr]) =>
    expr!.replaceAll('%{REQUEST_FILENAME} ', ''),
  );
  expect(found.sort()).toEqual([
    '!~ m#/[^/]*\\.php$# && =~ m#^/w/a(/|$)#',
    '!~ m#/[^/]*\\.txt$# && =~ m#^/w/b(/|$)#',
    '!~ m#^/w/a(/|$)# && !~ m#^/w/b(/|$)#',
    '=~ m#^/w/a(/|$)# && =~ m#/[^/]*\\.php$#',
    '=~ m#^/w/b(/|$)# && =~ m#/[^/]*\\.txt$#',
  ]);
  // The check sees where one of these is another.
  const applied = outcomes.filter(({ status }) => status === 'applied');
  const withdrawn = (now: string): number =>
    checkRewrites(tree, load(new Map([['/httpd.conf', now]])), applied).size;
  expect(withdrawn(text)).toBe(0);
  expect(withdrawn(text.replace('!~ m#/[^/]*\\.php$#', '=~ m#/[^/]*#'))).toBeGreaterThan(0);
});
