import { DENIED, deniedText, groupMessages, groupText, MessageAnswers } from '../../../ask';
import { resolvePath } from '../../../config';
import type { FileSource, RereadableTree } from '../../../config/types';
import { TreeIndex } from '../../../engine';
import { oneLine } from '../../../report';
import { loadPaths } from '../../input';
import type { Io, Services } from '../../io';
import { DEFAULTS, freezeOptions, type WhyRequest } from '../../options';
import { OK, OPEN, shellWord } from '../../output';
import { NO_PATHS, commandsFor } from './commands';

/**
 * Explains what 2.4 complains about: the rule, where in the configuration, what to do, and commands to run next.
 * @returns 0 where every line that says something was explained, or where a log was read and something in it was, else 1
 * @throws SourceError for a path that cannot be read
 */
export function why({ message, paths }: WhyRequest, io: Io, services: Services): number {
  const log = message === '-' ? io.stdin() : readLog(message, services.source, io);
  const loaded = paths.length === 0 ? undefined : load(paths, services.source, io);
  const given = loaded && { tree: loaded.tree, index: new TreeIndex(loaded.tree) };
  const answers = loaded && new MessageAnswers(loaded, services.transforms);
  const found = groupMessages(log ?? message, services.transforms, given);
  const { groups, otherLines } = found;
  if (groups.length === 0) {
    io.stderr.write(
      `httpd-codemod: ${found.saysOnlyThatItFailed && otherLines === 0 ? 'these lines say only that httpd failed: give what stands before them (journalctl -u apache2, or the output of apachectl configtest)' : 'no message here that an upgrade from 2.2 is known to bring about'}\n`,
    );
    return OPEN;
  }
  io.stdout.write(
    groups
      .map((group) => {
        const { line, requests, places } = group;
        if (loaded === undefined || answers === undefined) return groupText(group);
        const denied = DENIED.test(line)
          ? deniedText(line, requests.map(({ request }) => request), answers, loaded.reread)
          : '';
        const { rule, isQuestion } = group.explanation;
        const isNowhere = places.length === 0 && requests.length === 0 && denied === '';
        // Who gets in is decided in many sections: a message without a request is about one of them that it does not name.
        const isOfRule = isNowhere && (isQuestion === true || rule?.isAboutAccess !== true);
        const ofRule = isOfRule ? (rule?.id ?? '') : '';
        return groupText(group) + denied + answers.textFor(places) + answers.textForRule(ofRule);
      })
      .join('\n'),
  ); // prettier-ignore
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

function load(paths: readonly string[], source: FileSource, io: Io): RereadableTree {
  return loadPaths(source, freezeOptions(paths, DEFAULTS, {}), io, () => undefined);
}
