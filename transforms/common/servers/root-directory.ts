import { overridesOf } from '../../../src/access';
import {
  type ConfigFile,
  type ConfigTree,
  type Server,
  type ServerLine,
  conditionIn,
  linesOf,
  serversOf,
} from '../../../src/config';
import type { Directive, Section } from '../../../src/syntax';

/** The `<Directory />` sections of a server that 2.2 surely reads. Every directory inherits from them. */
export function rootSections(server: Server): readonly Section[] {
  return rootLines(server).map(({ node }) => node);
}

/** The `<Directory />` sections of a server with their places. */
export function rootLines(server: Server): readonly ServerLine<Section>[] {
  return server.lines.filter(
    (line): line is ServerLine<Section> =>
      line.node.kind === 'section' &&
      line.node.key === 'directory' &&
      line.node.args.length === 1 &&
      line.node.args[0]?.value === '/' &&
      conditionIn(line).on22 === true,
  );
}

/** Whether a line that every directory inherits sets Options, rather than only adding or removing some with + and -. */
export function setsOptions(server: Server): boolean {
  const inRoot = rootSections(server).flatMap(({ body }) =>
    body.filter((node): node is Directive => node.kind === 'directive' && node.key === 'options'),
  );
  return [...linesOf(server, ['Options']).map(({ node }) => node), ...inRoot].some(({ args }) =>
    args.some(({ value }) => !/^[+-]/.test(value)),
  );
}

/** Whether a section sets Options for what lies in it, rather than only adding or removing some. */
export function setsOptionsInside({ body }: Section): boolean {
  return body.some(
    (node) =>
      node.kind === 'directive' &&
      node.key === 'options' &&
      node.args.some(({ value }) => !/^[+-]/.test(value)),
  );
}

/**
 * Whether something is said for every directory that requests come to: by each server for all directories, or by a section around
 * each one that it serves from. What the main server lacks is not missed then.
 * @param saysForAll whether a server says it for all directories
 * @param saysInside whether a section says it for what lies in it
 */
export function isSaidWhereServed(
  tree: ConfigTree,
  saysForAll: (server: Server) => boolean,
  saysInside: (section: Section) => boolean,
): boolean {
  const { all, main } = serversOf(tree);
  const hosts = all.filter(({ kind }) => kind === 'vhost');
  const { reachesMain } = overridesOf(tree).mapping;
  const asked = main === undefined || (!reachesMain && hosts.length > 0) ? hosts : [main, ...hosts];
  const saidInMain = main === undefined ? [] : placesSaid(main, saysInside);
  return asked.every((server) => {
    if (saysForAll(server)) return true;
    const lines = main === undefined || server === main ? [server] : [main, server];
    const said = server === main ? saidInMain : [...saidInMain, ...placesSaid(server, saysInside)];
    return servedFrom(lines)?.every((served) => said.some((place) => covers(place, served))) === true;
  });
}

/** Lines after which the configuration does not name the directories that a server serves from. */
const UNNAMED = [
  'AliasMatch', 'ScriptAliasMatch', 'VirtualDocumentRoot', 'VirtualDocumentRootIP', 'VirtualScriptAlias', 'VirtualScriptAliasIP',
]; // prettier-ignore

/** A directory, or a pattern of some, that a line names. */
interface NamedPlace {
  readonly path: string;
  readonly file: ConfigFile;
  /** Whether 2.2 surely reads the line. */
  readonly isSure: boolean;
}

function placeNamed({ path, line }: { path: string; line: ServerLine }): NamedPlace {
  return { path: path.replace(/\/+$/, ''), file: line.place.file, isSure: conditionIn(line).on22 === true };
}

/** Whether a section is around what a server serves. One in a conditional is, where the other line stands in that too. */
function covers(section: NamedPlace, { path, file, isSure }: NamedPlace): boolean {
  const isAround = path === section.path || path.startsWith(`${section.path}/`);
  return isAround && (section.isSure || (!isSure && file === section.file));
}

/**
 * The directories, or patterns of them, that a server's requests are mapped to; undefined where that is not known.
 * @param servers the main server, and the virtual host if it is one
 */
function servedFrom(servers: readonly Server[]): readonly NamedPlace[] | undefined {
  if (servers.some((server) => linesOf(server, UNNAMED).length > 0)) return undefined;
  const linesIn = (...names: string[]): readonly ServerLine<Directive>[] =>
    servers.flatMap((server) => linesOf(server, names));
  const root = linesIn('DocumentRoot').at(-1);
  const homes = linesIn('UserDir').filter(({ node }) => node.args[0]?.value.toLowerCase() !== 'disabled');
  if (root === undefined) return undefined;
  const named = [
    { path: root.node.args[0]?.value, line: root },
    ...linesIn('Alias', 'ScriptAlias').map((line) => ({ path: line.node.args[1]?.value, line })),
    ...homes.map((line) => ({ path: homesOf(line.node.args[0]?.value), line })),
  ];
  const known = named.flatMap(({ path, line }) =>
    path?.startsWith('/') === true && !path.includes('${') ? [placeNamed({ path, line })] : [],
  );
  return known.length < named.length ? undefined : known;
}

function homesOf(name: string | undefined): string | undefined {
  return name === undefined || name.startsWith('/') ? name : `/home/*/${name}`;
}

/** The `<Directory>` sections of a server that say something. */
function placesSaid({ lines }: Server, saysInside: (section: Section) => boolean): readonly NamedPlace[] {
  return lines.flatMap((line) => {
    const { node } = line;
    if (node.kind !== 'section' || node.key !== 'directory' || node.args.length !== 1) return [];
    return conditionIn(line).on22 !== false && saysInside(node)
      ? [placeNamed({ path: node.args[0]!.value, line })]
      : [];
  });
}
