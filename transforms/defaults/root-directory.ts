import { type Server, type ServerLine, conditionIn } from '../../src/config';
import type { Section } from '../../src/syntax';

/** The `<Directory />` sections of a server that 2.2 surely reads. Every directory inherits from them. */
export function rootSections(server: Server): readonly Section[] {
  return rootLines(server).map(({ node }) => node);
}

/** The same sections with their places. */
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
