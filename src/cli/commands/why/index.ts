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
import { UsageError } from '../../trouble';
import { loadPaths } from '../../input';
import type { Io, Services } from '../../io';
import { DEFAULTS, freezeOptions, type WhyRequest } from '../../options';
import { shellWord } from '../../../shell-word';
import { OK, OPEN } from '../../output';
import { NO_PATHS, commandsFor, type SuggestedCommand } from './commands';

/**
 * Explains what 2.4 complains about: the rule, where in the configuration, what to do, and commands to run next.
 * @returns 0 where every line that says something was explained, or where a log was read and something in it was, else 1
 * @throws SourceError for a path that cannot be read, UsageError where there is no message
 */
export function why(request: WhyRequest, io: Io, services: Services): number {
  const { message, paths } = withoutDirectory(request, services.source, io);
  const log =
    message === undefined || message === '-' ? piped(message, io) : readLog(message, services.source, io);
  const text = unquoted(log ?? message ?? '');
  const snippet = paths.length === 0 ? snippetIn(text) : undefined;
  const loaded = paths.length === 0 ? snippet?.loaded : load(paths, services.source, io);
  const given = loaded && { tree: loaded.tree, index: new TreeIndex(loaded.tree) };
  const answers = loaded && new MessageAnswers(loaded, services.transforms);
  const found = groupMessages(text, services.transforms, given, snippet?.lines);
  const { otherLines } = found;
  const { groups, parts, isAsked, written } = answered(found, loaded, answers, snippet?.isOf24 === false);
  if (groups.length === 0 && written === '') {
    if (text.trim() === 'Syntax OK') {
      io.stdout.write(`${WELL}\n`);
      return OK;
    }
    const isFine = snippet !== undefined && answers?.result.outcomes.length === 0;
    io.stderr.write(`httpd-codemod: ${notExplained(found, isFine)}\n`);
    return OPEN;
  }
  const shown = written === '' ? [] : [`${LINES}\n${written}`];
  io.stdout.write((isAsked ? [...shown, ...parts] : [...parts, ...shown]).join('\n'));
  if (otherLines > 0)
    io.stdout.write(
      `\n${otherLines === 1 ? 'One other line is' : `${otherLines} other lines are`} no message that an upgrade from 2.2 is known to bring about.\n`,
    );
  io.stdout.write(nextText(commandsFor(groups, paths, services.transforms)));
  return otherLines === 0 || log !== undefined ? OK : OPEN;
}

function notExplained({ saysOnlyThatItFailed, otherLines }: GroupedMessages, isFine: boolean): string {
  if (saysOnlyThatItFailed && otherLines === 0) return ONLY_FAILED;
  return (isFine ? FINE : '') + UNKNOWN;
}

const ONLY_FAILED =
  'these lines say only that httpd failed: give what stands before them (journalctl -u apache2, or the output of apachectl configtest)';

const WELL = 'httpd takes the configuration as it is: nothing here needs explaining';

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
  const standsFor = commands.some(({ words }) => words.includes(NO_PATHS))
    ? ` (${NO_PATHS}: the server configuration, and the directories that it serves)`
    : '';
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

/** The lines of standard input. Without a word for it, a person who has none to give is not made to wait. */
function piped(message: '-' | undefined, io: Io): string {
  const lines = message === undefined && io.isTyped === true ? '' : io.stdin();
  if (message === undefined && lines.trim() === '') throw new UsageError(NO_MESSAGE);
  return lines;
}

const NO_MESSAGE =
  'why explains a message, and there is none: give it, or the file of an error log (httpd-codemod why /var/log/httpd/error_log), or pipe lines into it (httpd -t 2>&1 | httpd-codemod why)';

/** No message is the name of a directory: that is where to look for the cause of what is piped. */
function withoutDirectory(request: WhyRequest, source: FileSource, io: Io): WhyRequest {
  const { message, paths } = request;
  const isDirectory =
    message !== undefined && isName(message) && source.kind(resolvePath(io.cwd, message)) === 'directory';
  return isDirectory ? { message: undefined, paths: [message, ...paths] } : request;
}

/** The text of a log; undefined where the argument names no file. */
function readLog(name: string, source: FileSource, io: Io): string | undefined {
  if (!isName(name)) return undefined;
  const path = resolvePath(io.cwd, name);
  return source.kind(path) === 'file' ? source.read(path) : undefined;
}

function isName(text: string): boolean {
  return text !== '' && !/[\n\0]/.test(text);
}

function load(paths: readonly string[], source: FileSource, io: Io): RereadableTree {
  return loadPaths(source, freezeOptions(paths, DEFAULTS, {}), io, () => undefined);
}
