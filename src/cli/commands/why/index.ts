import { resolvePath } from '../../../config';
import type { ConfigTree, FileSource } from '../../../config/types';
import { TreeIndex } from '../../../engine';
import { oneLine } from '../../../report';
import { loadPaths } from '../../input';
import type { Io, Services } from '../../io';
import { DEFAULTS, freezeOptions, type WhyRequest } from '../../options';
import { OK, OPEN } from '../../output';
import { shellWord } from '../../output';
import { NO_PATHS, commandsFor } from './commands';
import { groupMessages, groupText } from './messages';

export { type MessageGroup, groupMessages, groupText } from './messages';

/**
 * Explains what 2.4 complains about: the rule, where in the configuration, what to do, and commands to run next.
 * @returns 0 where every line that says something was explained, or where a log was read and something in it was, else 1
 * @throws SourceError for a path that cannot be read
 */
export function why({ message, paths }: WhyRequest, io: Io, services: Services): number {
  const log = message === '-' ? io.stdin() : readLog(message, services.source, io);
  const tree = paths.length === 0 ? undefined : treeOf(paths, services.source, io);
  const given = tree && { tree, index: new TreeIndex(tree) };
  const { groups, otherLines } = groupMessages(log ?? message, services.transforms, given);
  if (groups.length === 0) {
    io.stderr.write('httpd-codemod: no message here that an upgrade from 2.2 is known to bring about\n');
    return OPEN;
  }
  io.stdout.write(groups.map(groupText).join('\n'));
  if (otherLines > 0)
    io.stdout.write(`\n${otherLines === 1 ? 'One other line is' : `${otherLines} other lines are`} no message that an upgrade from 2.2 is known to bring about.\n`); // prettier-ignore
  const commands = commandsFor(groups, paths, services.transforms);
  const lines = commands.map(({ words, purpose }) => [words.map(shellWord).join(' '), purpose] as const);
  const width = Math.min(60, Math.max(0, ...lines.map(([text]) => text.length)));
  const next = lines.map(([text, purpose]) => `  ${oneLine(text.padEnd(width))}  # ${purpose}\n`);
  const standsFor = commands.some(({ words }) => words.includes(NO_PATHS)) ? ` (${NO_PATHS}: the server configuration, and the directories that it serves)` : ''; // prettier-ignore
  if (next.length > 0) io.stdout.write(`\nCommands to run next${standsFor}:\n${next.join('')}`);
  return otherLines === 0 || log !== undefined ? OK : OPEN;
}

/** The text of a log; undefined where the argument names no file. */
function readLog(name: string, source: FileSource, io: Io): string | undefined {
  if (name === '' || /[\n\0]/.test(name)) return undefined;
  const path = resolvePath(io.cwd, name);
  return source.kind(path) === 'file' ? source.read(path) : undefined;
}

function treeOf(paths: readonly string[], source: FileSource, io: Io): ConfigTree {
  return loadPaths(source, freezeOptions(paths, DEFAULTS, {}), io, () => undefined).tree;
}
