import { type ConfigFile, insertionPointFor, serversOf } from '../../config';
import type { Node, Section } from '../../syntax';
import { type Collected, refusesEverybody } from '../collect';
import { type Scope, accessDirectoryOf, hasVersionBlocks } from '../policy';
import {
  EMPTY_LIST,
  depthOf,
  directoriesAbove,
  directoryArgument,
  globMatches,
  globPrefixMatches,
  isWithin,
  memo,
  prefixOf,
  mayBeOnOneWay,
} from '../primitives';
import { ACCESS_RULE, isShut } from '../report';
import { type RewrittenSection, type ShutDirectory, writeShut } from '../rewrite';
import type { AccessGroup } from './group';
import { isRefusedAsWritten } from './unconverted';

/**
 * Shuts the directory of a `.htaccess` that cannot be written in the server's own files: nobody gets in there, and 2.4 does not
 * look for the file, whatever its owner makes of it. So it need not keep others from being converted.
 * @param shut the directories for which it has been said, and then the one of this section too: each is shut once
 * @returns undefined where the server's own files cannot say it
 */
export function shutFromAbove(
  scope: Scope,
  group: AccessGroup,
  shut: Set<string> = new Set(),
  isFor22 = false,
): RewrittenSection | undefined {
  const { run, met } = group;
  const { root } = scope.place;
  const isForced = run.tree.cannotWrite?.(root) === true && !isRefusedAsWritten(scope, run, 'below-unread');
  if (!isFor22 && !isForced) return undefined;
  const path = accessDirectoryOf(scope);
  if (path === undefined) return undefined;
  const isForBoth = met.some((other) => other.place.root.role !== 'htaccess' && hasVersionBlocks(other));
  const isOf22 = run.tree.isServer && run.facts.reading === '2.2' && !isForBoth;
  if (!isOf22 || run.dual || run.decidedEdits !== undefined) return undefined;
  const name = directoryArgument(path);
  if (name === undefined) return undefined;
  const isShutHere = shut.has(path) || shutsIn(run.collected).some((other) => isFor(other, path));
  const shuts = isShutHere
    ? EMPTY_LIST
    : sectionsFor({ path, name }, group, isFor22 || isMissed(root, path, group));
  if (shuts === undefined) return undefined;
  shut.add(path);
  return { file: scope.file, edits: [], consumed: [], shuts };
}

/** The sections by which directories are shut already. */
const shutsIn = memo(({ scopes }: Collected) =>
  scopes.filter(({ kind, section }) => kind === 'directory' && section !== undefined && isShut(section)),
);

/** Whether the directory of a `.htaccess`, or one above it, is shut already. */
export function isShutAbove(scope: Scope, collected: Collected): boolean {
  const shut = shutsIn(collected);
  const path = accessDirectoryOf(scope);
  if (path === undefined || shut.length === 0) return false;
  return [path, ...directoriesAbove(path)].some((directory) => shut.some((other) => isFor(other, directory)));
}

/** Lines that say nothing but who gets in: without them nobody sees more. */
const ACCESS = /^(?:authname$|require$|satisfy$|order$|allow$|deny$)/;

/**
 * Whether a section may let somebody in there, or below, all the same, who then gets what the file kept from him: what its other
 * lines say is not in force any more. By which passwords he logs in counts where a section has an AuthType without the file.
 */
function isMissed(root: ConfigFile, path: string, { met, run }: AccessGroup): boolean {
  const lost = root.document.body.filter(
    (node) =>
      node.kind !== 'comment' &&
      node.kind !== 'blank' &&
      !(node.kind === 'directive' && ACCESS.test(node.key)),
  );
  if (lost.length === 0) return false;
  const others = met.filter(({ place }) => place.root !== root);
  const isOfLogin = lost.every((node) => node.kind === 'directive' && node.key.startsWith('auth'));
  const setsAuthType = ({ lines }: Scope): boolean =>
    lines.authType !== undefined || lines.authTypesFor24.length > 0;
  if (isOfLogin && !others.some((other) => setsAuthType(other) && isAround(other, path))) return false;
  const hasAny = met.some(({ policy }) => policy.satisfy.some(({ value }) => value === 'any'));
  return (
    others.some((other) => mayOpen(other, hasAny)) ||
    // Its AllowOverride may let a file say who gets in.
    run.collected.scopes.some((other) => other.kind === 'directory' && mayBeBelow(other, path))
  );
}

/** Whether a section is merged after those for directories, and may open there what the file kept as it was. */
function mayOpen({ kind, section }: Scope, hasAny: boolean): boolean {
  if (kind === 'directory' || kind === 'htaccess') return false;
  return section === undefined || !refusesAll(section, hasAny);
}

/** Whether a section lets nobody in, even where a password alone would do. */
function refusesAll({ body }: Section, hasAny: boolean): boolean {
  const isSatisfyAll = (node: Node): boolean =>
    node.kind === 'directive' && node.key === 'satisfy' && /^all$/i.test(node.rest.trim());
  const rest = body.filter((node) => !isSatisfyAll(node));
  return (!hasAny || rest.length < body.length) && refusesEverybody({ body: rest });
}

/** Whether a section for directories may be for one below another. */
function mayBeBelow({ pattern }: Scope, path: string): boolean {
  if (pattern.kind === 'path') return pattern.path !== path && isWithin(pattern.path, path);
  return (
    pattern.kind === 'any' || (depthOf(pattern.glob) > depthOf(path) && globPrefixMatches(path, pattern.glob))
  );
}

/** Whether requests for a directory, or for one below it, may meet a section. */
function isAround({ kind, pattern }: Scope, path: string): boolean {
  return kind !== 'htaccess' || pattern.kind !== 'path' || mayBeOnOneWay(path, pattern.path);
}

/**
 * The section, after all others for the directory: in the main server, and in each virtual host that has one of its own, since
 * those of a host are merged after the main server's (server/core.c: ap_core_reorder_directories).
 */
function sectionsFor(
  { path, name }: { readonly path: string; readonly name: string },
  { run }: AccessGroup,
  isFinal: boolean,
): readonly ShutDirectory[] | undefined {
  const servers = serversOf(run.tree);
  const hosts = new Set<Scope['vhost']>();
  for (const scope of run.collected.scopes)
    if (scope.vhost !== undefined && scope.kind === 'directory' && isFor(scope, path)) hosts.add(scope.vhost);
  const shuts: ShutDirectory[] = [];
  for (const server of [servers.main, ...servers.all.filter(({ section }) => hosts.delete(section))]) {
    if (server === undefined) return undefined;
    const { file, ...point } = insertionPointFor(servers, server, [['Directory']]);
    const isCut = point.node?.kind === 'section' && point.node.close === undefined;
    if (isCut || file.isTemplate === true || !servers.isReachedOnce(file)) return undefined;
    const edit = writeShut(file.document, point, name, isFinal);
    if (run.tree.keeps?.(file, ACCESS_RULE, [edit]) !== undefined) return undefined;
    shuts.push({ file, path, edit });
  }
  return hosts.size === 0 ? shuts : undefined;
}

function isFor({ pattern }: Scope, path: string): boolean {
  if (pattern.kind === 'path') return pattern.path === path;
  if (pattern.kind === 'any') return true;
  const level = depthOf(pattern.glob);
  return level === depthOf(path) && globMatches(pattern.glob, prefixOf(path, level));
}
