import { overridesOf } from '../../src/access';
import {
  type ConfigTree,
  type Server,
  type ServerLine,
  conditionIn,
  linesOf,
  serversOf,
} from '../../src/config';
import type { Directive, Section } from '../../src/syntax';

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

/**
 * Whether every request is answered by a virtual host that says something for all directories: what the main server lacks is not
 * missed.
 */
export function isSaidInAllHosts(tree: ConfigTree, says: (server: Server) => boolean): boolean {
  const hosts = serversOf(tree).all.filter(({ kind }) => kind === 'vhost');
  return hosts.length > 0 && hosts.every(says) && !overridesOf(tree).mapping.reachesMain;
}
