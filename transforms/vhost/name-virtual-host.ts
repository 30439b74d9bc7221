import { isRunBy22 } from '../../src/access';
import { type ConfigFile, hidesFromServer, type Place, placeCondition } from '../../src/config';
import { defineTransform, type Finding, type TransformContext } from '../../src/engine';
import { findDirective } from '../../src/httpd/directives';
import type { Directive, Node } from '../../src/syntax';
import { removeLineAndComment } from '../common/removed-line';
import {
  isWildcard,
  type VhostLine,
  readLines,
  type VirtualHost,
  type Selection,
} from './virtual-host-tables';
import { compare, type Comparison, type Difference, OTHER } from './virtual-host-compare';
import { addTo } from '../../src/maps';

export default defineTransform({
  id: 'name-virtual-host',
  changes: ['R07', 'V01', 'V02', 'V03', 'V04', 'V05', 'V06', 'V07'],
  title: 'Virtual hosts that share an address are always told apart by name',
  why: '2.4 always selects by name between virtual hosts that share an address and port. 2.2 does so only if a NameVirtualHost line names that address and port; otherwise the first virtual host gets every request.',
  docs: ['core: NameVirtualHost', 'server/vhost.c: ap_fini_vhost_config'],
  directives: ['NameVirtualHost'],
  run(context) {
    const findings: VhostFinding[] = [];
    const removals = new Map<Directive, VhostFinding>();
    const kept = new Set<Directive>();
    const results = new Map<readonly VhostLine[], Comparison>();
    for (const group of readGroups(context)) {
      // There may be thousands of fragments, which all are judged by the same lines.
      if (group.names.length === 0 && !group.whole) continue;
      const result = results.get(group.lines) ?? compare(group.lines, group.whole);
      results.set(group.lines, result);
      const differenceFindings = differenceFindingsFor(result.differences, group, () =>
        isConfigFor22(context),
      );
      findings.push(...differenceFindings);
      for (const line of group.names) {
        const { node, file, questions } = line;
        // A block that only 2.2 reads is left as it is.
        if (questions.some(({ on24 }) => on24 === false)) continue;
        if (differenceFindings.length === 0) {
          removals.set(node, removalFinding(context, line, assumptionFor(group, result)));
          continue;
        }
        // Either all lines of a server are removed or none: while one is left, a second run can tell how 2.2 selected.
        kept.add(node);
        if (!differenceFindings.some((finding) => finding.file === file && finding.at === node.from))
          findings.push(keepingFinding(line));
      }
    }
    for (const [node, finding] of removals) if (!kept.has(node)) findings.push(finding);
    const order = new Map(context.tree.files.map((file, index) => [file, index]));
    findings.sort((a, b) => (order.get(a.file) ?? 0) - (order.get(b.file) ?? 0) || a.at - b.at);
    for (const finding of findings) context.report(finding);
  },
});

/** How comments of the stock files of 2.2 begin that are about NameVirtualHost. */
const ABOUT = /^(?:Use name-based virtual hosting|NameVirtualHost)\b/i;

function removalFinding(
  context: TransformContext,
  { node, file }: NameLine,
  assumptionText: string,
): VhostFinding {
  return {
    file,
    at: node.from,
    level: 'info',
    safety: assumptionText === '' ? 'safe' : 'review',
    message: `NameVirtualHost has no effect in 2.4, which always selects by name between virtual hosts that share an address${assumptionText}`,
    edits: [removeLineAndComment(context, file.document, node, ABOUT)],
  };
}

function keepingFinding({ node, file }: NameLine): VhostFinding {
  const message =
    'NameVirtualHost has no effect in 2.4, but stays until the virtual hosts that 2.4 selects differently are settled';
  return { file, at: node.from, level: 'info', safety: 'manual', message, edits: [] };
}

function assumptionFor({ whole }: VhostGroup, { assumedDistinct, complete }: Comparison): string {
  if (!whole)
    return '; this assumes that its virtual hosts, here and in files outside of this run, have the same address and port';
  const hosts = [...new Set(assumedDistinct.map(({ host }) => host))];
  if (hosts.length > 0)
    return `; this assumes that ${hosts.join(' and ')} ${hosts.length > 1 ? 'differ' : 'differs'} from the other addresses`;
  return complete
    ? ''
    : '; this assumes that the conditionals around the virtual hosts either all hold or all do not';
}

type VhostFinding = Omit<Finding, 'rule'>;

/**
 * Reports differences at the NameVirtualHost lines for the address (V02, V03) or, without such a line, at the virtual hosts that
 * 2.4 uses and 2.2 did not (V01, V04, V05).
 * @param isFor22 called only if no NameVirtualHost line shows that the configuration is for 2.2
 */
function differenceFindingsFor(
  differences: readonly Difference[],
  group: VhostGroup,
  isFor22: () => boolean,
): VhostFinding[] {
  const findings: VhostFinding[] = [];
  const reportedHosts = new Set<VirtualHost>();
  // Of the differences at a line the first is told: one that changes who answers before the others.
  for (const difference of [...differences].sort((a, b) => Number(b.opens) - Number(a.opens))) {
    const { nameLines, opens } = difference;
    for (const { node, file } of group.names.filter((line) => nameLines.includes(line.node))) {
      if (findings.some((finding) => finding.file === file && finding.at === node.from)) continue;
      const message = `NameVirtualHost ${node.rest} does not match the virtual hosts, and 2.4 selects differently: ${describeDifference(difference, file)}`;
      findings.push(manualFinding(file, node.from, group.whole && opens, message));
    }
    // A NameVirtualHost line for it may be in a file that the run does not see.
    if (nameLines.length > 0 || !group.whole || (group.names.length === 0 && !isFor22())) continue;
    for (const host of affectedHosts(difference)) {
      if (reportedHosts.has(host)) continue;
      reportedHosts.add(host);
      const { file, section } = host;
      const message = `${headline(difference, host)}: ${describeDifference(difference, file)}`;
      const hedge =
        group.names.length > 0 ? '' : '; ignore this if its NameVirtualHost line has been removed already';
      findings.push(manualFinding(file, section.open.from, opens, message + hedge));
    }
  }
  return findings;
}

/** The virtual hosts that 2.4 newly uses for these requests; if there is none, the one that it prefers. */
function affectedHosts({ on22, on24, newHosts }: Difference): VirtualHost[] {
  return (newHosts.size > 0 ? [...newHosts] : [on24.host ?? on22.host]).filter((host) => host !== undefined);
}

function headline({ unusedIn22, on22 }: Difference, host: VirtualHost): string {
  if (unusedIn22.has(host))
    return '2.2 never used this virtual host and 2.4 does, so remove it if it is not wanted';
  return host === on22.host
    ? '2.4 uses this virtual host for fewer requests'
    : '2.4 uses this virtual host for more requests';
}

function manualFinding(
  file: VhostFinding['file'],
  at: number,
  opens: boolean,
  message: string,
): VhostFinding {
  return { file, at, level: opens ? 'error' : 'warning', safety: 'manual', message, edits: [] };
}

/** Names listed before "and more". */
const MAX_NAMES = 4;

/** How the two versions select, for a finding in `file`. */
function describeDifference(
  { host, port, on22, on24, falseConditions }: Difference,
  file: ConfigFile,
): string {
  const requestsGo = on24.named.length > 0 ? 'they go' : 'all go';
  const description = `requests to ${describeTarget(host, port)} went ${describeSelection(on22, file)} in 2.2; in 2.4 ${requestsGo} ${describeSelection(on24, file)}`;
  return falseConditions.size === 0
    ? description
    : `${description} (if ${[...falseConditions].map(condition).join(' and ')} does not hold)`;
}

function describeTarget(host: string, port: string | number): string {
  const at = port === OTHER ? 'every other port' : `port ${port}`;
  if (host === OTHER || isWildcard(host)) return at;
  return port === OTHER ? `${at} of ${host}` : `${host}:${port}`;
}

function describeSelection({ host, named }: Selection<VirtualHost>, file: ConfigFile): string {
  const defaultHost = host === undefined ? 'the main server' : label(host, file);
  if (named.length === 0) return `to ${defaultHost}`;
  const shown = named.slice(0, MAX_NAMES).map((namedHost) => label(namedHost, file));
  const more = named.length > MAX_NAMES ? [`${named.length - MAX_NAMES} more`] : [];
  return `by name to ${listOf([...shown, ...more])}, and for any other name to ${defaultHost}`;
}

function listOf(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

function label({ file, section, label: name }: VirtualHost, from: ConfigFile): string {
  const { line } = file.document.positionAt(section.open.from);
  return file === from ? `${name} (line ${line})` : `${name} (${file.name}:${line})`;
}

/** The tag of a condition such as `ifmodule ssl_module`. */
function condition(key: string): string {
  const [name = '', ...rest] = key.split(' ');
  const spelt = { ifmodule: 'IfModule', ifdefine: 'IfDefine', ifversion: 'IfVersion' }[name] ?? name;
  return `<${[spelt, ...rest].join(' ')}>`;
}

type NameLine = Extract<VhostLine, { kind: 'name' }>;

/** Lines that are judged together: those of the server, or of a fragment. */
interface VhostGroup {
  readonly lines: readonly VhostLine[];
  readonly names: readonly NameLine[];
  /** Whether the run sees the whole server. */
  readonly whole: boolean;
}

function readGroups(context: TransformContext): VhostGroup[] {
  const { tree, index } = context;
  const lines = readLines(context);
  const byRoot = new Map<ConfigFile | undefined, VhostLine[]>();
  for (const line of lines) {
    // All roots together are one server.
    const root = line.root.role === 'unreached' ? line.root : undefined;
    addTo(byRoot, root, line);
  }
  // Virtual hosts in a macro or in Perl are not seen.
  const isOfServer = (_: Node, { root }: Place): boolean => root.role !== 'htaccess';
  const hidden = index.someDirective(['Use'], isOfServer) || index.someSection(['Perl', 'Macro'], isOfServer);
  const seesAll = tree.isServer && !hidden && !tree.problems.some(hidesFromServer);
  return [...byRoot].map(([root, rootLines]): VhostGroup => {
    const names = rootLines.filter((line) => line.kind === 'name');
    // A fragment without virtual hosts is for those of the other fragments.
    const standsAlone = tree.isServer || rootLines.some((line) => line.kind === 'host');
    return { lines: standsAlone ? rootLines : lines, names, whole: seesAll && root === undefined };
  });
}

/** Directives that 2.4 still knows, but that no finished configuration for 2.4 has. */
const ONLY_22 = new Set(['order', 'allow', 'deny', 'satisfy', 'maxclients', 'maxrequestsperchild']);

/**
 * Whether a configuration is still for 2.2: it loads a module that no 2.4 has, or has lines that are only for 2.2, and none that
 * 2.2 refuses. Without NameVirtualHost lines, virtual hosts that share an address differ in such a configuration only; in one for
 * 2.4 they have always been name-based.
 */
function isConfigFor22({ tree, index }: TransformContext): boolean {
  if (isRunBy22(tree)) return true;
  let isFor22 = false;
  for (const name of index.names) {
    const known = findDirective(name);
    const isRemoved = known !== undefined && known.owners24.length === 0;
    const isNew = known !== undefined && known.owners22.length === 0;
    if (!isRemoved && !isNew && !ONLY_22.has(name) && name !== 'require') continue;
    const is24Line = isNew || name === 'require';
    // One line that is only for 2.2 is enough.
    if (isFor22 && !is24Line) continue;
    const isFound = index.someDirective([name], (node, { chain }) => {
      if (name === 'require' && node.args[0]?.value !== 'all') return false;
      const { on22, on24 } = placeCondition(chain);
      return on22 !== false && on24 !== false;
    });
    if (isFound && is24Line) return false;
    if (isFound) isFor22 = true;
  }
  return isFor22;
}
