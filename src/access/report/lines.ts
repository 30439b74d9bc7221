import { asksForOlder, type ConfigFile, type ConfigTree, mayHaveCompat, serverStateOf } from '../../config';
import { type Edit, removeLines } from '../../edit';
import { type Directive, type Node, type Section, walk } from '../../syntax';
import { type Collected, type MisplacedLine, needsCompat } from '../collect';
import { asksForCompat, type Scope, asksTlsFor22Alone, guardedModule, setsSomething } from '../policy';
import { isOf22 } from '../verify';
import { type AccessFinding, type Findings, manualFinding } from './findings';
import { groupBy } from '../primitives';

/** Says what is taken for granted about users' home directories where access lines are rewritten. */
export function reportHomes(
  { file, node }: { readonly file: ConfigFile; readonly node: Directive },
  findings: Findings,
): void {
  const message = `UserDir leads to users' home directories, which the configuration does not name: this assumes that none lies in a directory that is served differently; check the access lines for those that do`;
  findings.add(manualFinding(file, node.from, 'info', message));
}

const holdsDeny = (body: readonly Node[]): boolean =>
  [...walk(body)].some(([node]) => node.kind === 'directive' && node.key === 'deny');

/** Says of a line that neither version reads it, or only a 2.4 with mod_access_compat. */
export function reportDeadLine({ dead, lines }: Scope, tree: ConfigTree, findings: Findings): void {
  if (dead === undefined) return;
  const { file, node } = dead;
  const isAlone = lines.deciding.length === 0;
  const line = `${dead.node.name} in <${dead.section.name} ${dead.section.open.rest}>`;
  if (asksForCompat(dead.section) === true) {
    if (isAlone && holdsDeny(dead.section.body) && tree.isServer)
      findings.add(manualFinding(file, node.from, ...toldOfCompat(line, tree)));
    return;
  }
  const keepsOut = isAlone && asksForOlder(dead.section) && holdsDeny(dead.section.body);
  const message = keepsOut
    ? `2.2 never read this ${line}, so whom the block keeps out got in all along; neither does 2.4: take its lines out of the block if they are to count`
    : `neither 2.2 nor 2.4 reads this ${line}: it has no part in who gets in`;
  // Whom its author means to keep out, both versions let in: nothing changes with 2.4.
  findings.add(manualFinding(file, node.from, 'warning', message));
}

/** What a block for mod_access_compat, beside which nothing says the same, means to who gets in. */
function toldOfCompat(line: string, tree: ConfigTree): readonly [AccessFinding['level'], message: string] {
  if (!mayHaveCompat(tree))
    return [
      'warning',
      `only a 2.4 with mod_access_compat reads this ${line}, and nothing loads that module: nobody is kept out here; take the lines out of the block if they are to count`,
    ];
  const kind = serverStateOf(tree)?.kind;
  if (kind === undefined || kind === '2.2' || kind === 'for both')
    return [
      'error',
      `2.2 never read this ${line}, and a 2.4 that loads that module does: whom it keeps out loses access; take the block out, or say in Require lines who may get in (--modules FILE, what httpd -M prints on the target, settles it)`,
    ];
  return [
    'info',
    `only a 2.4 with mod_access_compat reads this ${line}: without that module nobody is kept out here; say it in Require lines before it goes`,
  ];
}

/** Tells of a line in 2.2's words that 2.4 reads, where its section has neither been refused for it nor rewritten. */
export function reportOldLineFor24(
  { oldFor24, lines, order, place }: Scope,
  { loadModules }: Collected,
  decided: ReadonlyMap<number, readonly Edit[] | undefined>,
  findings: Findings,
): void {
  const inWords22 =
    oldFor24 ?? lines.all.find(({ readBy24, node: { key } }) => readBy24 === undefined && needsCompat(key));
  if (inWords22 === undefined) return;
  const { file, node } = inWords22;
  const unread = [...inWords22.inner, ...place.chain].find(
    (frame) => frame.file === file && isUnreadBy22(frame.section, loadModules),
  )?.section;
  const isAccessOnly = (inner: Node): boolean =>
    inner.kind === 'comment' ||
    inner.kind === 'blank' ||
    (inner.kind === 'directive' && needsCompat(inner.key));
  if (unread?.close !== undefined && unread.body.every(isAccessOnly)) {
    findings.add({
      file,
      at: unread.open.from,
      level: 'error',
      safety: 'safe',
      message: `2.2 had the module and did not read ${unread.open.shown}, and 2.4, which has none of that name, would read ${node.name} in it: the block goes`,
      edits: [removeLines(file.document, unread)],
    });
    return;
  }
  if (decided.has(order)) {
    const edits = decided.get(order);
    if (edits === undefined || edits.some(({ start, end }) => start <= node.from && node.to <= end)) return;
  }
  const message = `${node.name} stands in a block that ${oldFor24 === undefined ? 'a 2.4 reads that has no mod_access_compat, and that one' : 'only 2.4 reads, and without mod_access_compat 2.4'} ${place.root.role === 'htaccess' ? 'answers 500 to it' : 'does not start with it'}: say it in Require lines`;
  findings.add(manualFinding(file, node.from, 'error', message));
}

/**
 * Reports what 2.2 alone asks of TLS where nothing is written that says it to 2.4: in a section without access lines, or in one
 * that lets nobody in, while others that inherit from it may.
 * @param decided as in {@link reportOldLineFor24}
 */
export function reportSslFor22(
  scope: Scope,
  decided: ReadonlyMap<number, readonly Edit[] | undefined>,
  findings: Findings,
): void {
  const isDenied = decided.get(scope.order) !== undefined;
  const unsaid = isDenied ? scope.problems.find(({ problem }) => problem.kind === 'ssl-for-22') : undefined;
  const node = asksTlsFor22Alone(scope) ? scope.ssl.find(({ isFor22 }) => isFor22)?.node : unsaid?.node;
  if (node?.kind !== 'directive') return;
  const file = scope.ssl.find((line) => line.node === node)?.file ?? scope.file;
  const message = `only 2.2 reads ${node.name} here, so that 2.4 lets in whom it keeps out: write it for both versions`;
  findings.add(manualFinding(file, node.from, 'error', message));
}

/** Whether a block asks for the lack of a module that 2.2 had, and that no 2.4 has. */
function isUnreadBy22(section: Section, loadModules: readonly string[]): boolean {
  const { module, negated } = guardedModule(section) ?? {};
  return negated === true && module?.versions === '2.2' && loadModules.includes(module.identifier);
}

/** One finding a file, at the first of its lines. */
export function misplacedFindings(misplaced: readonly MisplacedLine[]): AccessFinding[] {
  const byFile = groupBy(misplaced, ({ reason, place }) => `${reason} ${place.file.path}`);
  return [...byFile.values()].map((list) => {
    const { node, place, reason } = list[0]!;
    const count =
      list.length === 1 ? '' : ` (and ${list.length - 1} more such ${list.length === 2 ? 'line' : 'lines'})`;
    const message =
      reason === 'per-request'
        ? `${node.name}${count} stands in a per-request block of 2.4, which does not know it: left as it is`
        : `${node.name}${count} stands outside any section: httpd refuses it at server level; if another file includes this one inside a section, convert it together with that file`;
    return manualFinding(place.file, node.from, 'error', message);
  });
}

/**
 * A Require that 2.4 alone reads, for each request, and after all others: where it stands in a section without another access
 * line, or in a `.htaccess`, nothing that is converted meets it.
 * @param live the sections that requests meet
 */
export function perRequestFindings(
  tree: ConfigTree,
  collected: Collected,
  live: readonly Scope[],
): AccessFinding[] {
  if (!isOf22(tree)) return [];
  const { server, byDirectory } = collected.perRequest;
  const read = new Set(live.map(({ place }) => place.root));
  const lines = [...new Set([...(server === undefined ? [] : [server]), ...byDirectory.values()])]
    .filter(({ place }) => read.has(place.root))
    .map(({ node, place }) => {
      const message = `${node.name} stands in a per-request block, which 2.4 alone reads, after all sections: others than on 2.2 may get in, or be kept out; say without the block who may`;
      return manualFinding(place.file, node.from, 'error', message);
    });
  const denials = live.flatMap((scope) => {
    if (scope.lastDenial === undefined || setsSomething(scope)) return [];
    const message = `only 2.4 reads this block, which lets nobody in whatever the other sections say: whom 2.2 let in here is refused`;
    const finding = manualFinding(scope.file, scope.lastDenial.from, 'warning', message);
    return { ...finding, changesAccess: true as const };
  });
  return [...lines, ...denials];
}
