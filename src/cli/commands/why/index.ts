import {
  DENIED,
  deniedText,
  type GroupedMessages,
  groupMessages,
  groupText,
  MessageAnswers,
  type MessageGroup,
  snippetIn,
  snippetText,
  unquoted,
} from '../../../ask';
import { resolvePath } from '../../../config';
import type { FileSource, RereadableTree } from '../../../config/types';
import { TreeIndex } from '../../../engine';
import { oneLine } from '../../../report';
import { loadPaths } from '../../input';
import type { Io, Services } from '../../io';
import { DEFAULTS, freezeOptions, type WhyRequest } from '../../options';
import { shellWord } from '../../../shell-word';
import { OK, OPEN } from '../../output';
import { NO_PATHS, commandsFor, type SuggestedCommand } from './commands';

/**
 * Explains what 2.4 complains about: the rule, where in the configuration, what to do, and commands to run next.
 * @returns 0 where every line that says something was explained, or where a log was read and something in it was, else 1
 * @throws SourceError for a path that cannot be read
 */
export function why({ message, paths }: WhyRequest, io: Io, services: Services): number {
  const log = message === '-' ? io.stdin() : readLog(message, services.source, io);
  const text = unquoted(log ?? message);
  const snippet = paths.length === 0 ? snippetIn(text) : undefined;
  const loaded = paths.length === 0 ? snippet?.loaded : load(paths, services.source, io);
  const given = loaded && { tree: loaded.tree, index: new TreeIndex(loaded.tree) };
  const answers = loaded && new MessageAnswers(loaded, services.transforms);
  const found = groupMessages(text, services.transforms, given, snippet?.lines);
  const { otherLines } = found;
  const { groups, parts, isAsked, written } = answered(found, loaded, answers, snippet?.isOf24 === false);
  if (groups.length === 0 && written === '') {
    const isFine = snippet !== undefined && answers?.result.outcomes.length === 0;
    io.stderr.write(
      `httpd-codemod: ${found.saysOnlyThatItFailed && otherLines === 0 ? 'these lines say only that httpd failed: give what stands before them (journalctl -u apache2, or the output of apachectl configtest)' : `${isFine ? FINE : ''}${UNKNOWN}`}\n`,
    );
    return OPEN;
  }
  const shown = written === '' ? [] : [`${LINES}\n${written}`];
  io.stdout.write((isAsked ? [...shown, ...parts] : [...parts, ...shown]).join('\n'));
  if (otherLines > 0)
    io.stdout.write(`\n${otherLines === 1 ? 'One other line is' : `${otherLines} other lines are`} no message that an upgrade from 2.2 is known to bring about.\n`); // prettier-ignore
  io.stdout.write(nextText(commandsFor(groups, paths, services.transforms)));
  return otherLines === 0 || log !== undefined ? OK : OPEN;
}

/** What is said first where the lines that were given are well as they stand. */
const FINE = 'nothing in these lines is to be changed for 2.4; ';

/** What is said where nothing is known, and what to give instead. */
const UNKNOWN =
  'no message here that an upgrade from 2.2 is known to bring about: give the line of the error log (/var/log/apache2/error.log, /var/log/httpd/error_log), or the output of `apachectl configtest`, and the lines of the configuration that it is about. `httpd-codemod PATHS` lists what 2.4 refuses in a configuration, and what it reads otherwise';

const LINES = 'the lines of the configuration that were given, for 2.4';

/** What is said of all groups. */
interface Answered {
  readonly groups: readonly MessageGroup[];
  readonly parts: readonly string[];
  readonly isAsked: boolean;
  /** What becomes of the lines that a question brings along; empty where that is said already. */
  readonly written: string;
}

/** @param isSnippet the configuration is what the text itself has of one, as it was in 2.2 */
function answered(
  { groups: all }: GroupedMessages,
  loaded: RereadableTree | undefined,
  answers: MessageAnswers | undefined,
  isSnippet: boolean,
): Answered {
  const isAsked = all.some(({ explanation }) => explanation.isQuestion === true);
  const snippet = isSnippet && answers !== undefined ? snippetText(answers) : '';
  // What a question brings along is answered as a whole, and before all that is said in general.
  if (isAsked && snippet !== '') {
    const groups = all.filter(({ explanation }) => !explanation.general);
    return { groups, parts: groups.map(groupText), isAsked, written: snippet };
  }
  const parts = all.map((group) => answer(group, loaded, answers));
  return {
    groups: all,
    parts,
    isAsked,
    written: parts.some((part) => part.includes('  write:')) ? '' : snippet,
  };
}

/** Commands to run next, each with its purpose. */
function nextText(commands: readonly SuggestedCommand[]): string {
  const lines = commands.map(({ words, purpose }) => [words.map(shellWord).join(' '), purpose] as const);
  const width = Math.min(60, Math.max(0, ...lines.map(([text]) => text.length)));
  const next = lines.map(([text, purpose]) => `  ${oneLine(text.padEnd(width))}  # ${purpose}\n`);
  const standsFor = commands.some(({ words }) => words.includes(NO_PATHS)) ? ` (${NO_PATHS}: the server configuration, and the directories that it serves)` : ''; // prettier-ignore
  return next.length === 0 ? '' : `\nCommands to run next${standsFor}:\n${next.join('')}`;
}

/** What one kind of message means, with the text to write. */
function answer(
  group: MessageGroup,
  loaded: RereadableTree | undefined,
  answers: MessageAnswers | undefined,
): string {
  const { line, requests, places } = group;
  if (loaded === undefined || answers === undefined) return groupText(group);
  const logged = requests.map(({ request }) => request);
  const denied = DENIED.test(line) ? deniedText(line, logged, answers, loaded.reread) : '';
  const { rule, isQuestion } = group.explanation;
  const isNowhere = places.length === 0 && requests.length === 0 && denied === '';
  // Who gets in is decided in many sections: a message without a request is about one of them that it does not name.
  const isOfRule = isNowhere && (isQuestion === true || rule?.isAboutAccess !== true);
  const ofRule = isOfRule ? (rule?.id ?? '') : '';
  return groupText(group) + denied + answers.textFor(places) + answers.textForRule(ofRule);
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
