import {
  type ConfigFile,
  type ConfigTree,
  type NamedPath,
  NO_DIRECTORY,
  type Problem,
  isIncludeProblem,
  isSpareAccessFile,
} from '../../config';
import { addTo } from '../../maps';
import type { Change, Finding, Task } from '../types';

/** What the engine's own findings have in place of the id of a rule. */
export const CHECK_IDS: readonly string[] = ['include', 'syntax', 'ignore', 'write'];

/** What a person does about a problem whose message does not say so. */
const REMEDIES: Readonly<Partial<Record<Problem['code'], string>>> = {
  'include-missing':
    'give the file in this run, at the place that the line names or below --server-root; if the server has none either, remove the line',
  'include-elsewhere':
    'give a copy that has these files at the same paths, or the files themselves, or run on the server',
  'include-optional-missing': 'nothing, if the server has none either; else give the file in this run',
  'include-placeholder':
    'convert the server that is made from the template, too: what its files say about access may meet what stands here',
  'stray-line':
    'mend the line; if the file is a template, say --templates, give it the name of one (.erb, .epp, .j2, .tmpl …), or convert the file that is made from it',
  'unclosed-section': 'close the section where it ends, or remove the line that opens it',
  'overlong-line': 'write it as several lines that mean the same, each shorter',
};

const OPTIONAL: Problem['code'] = 'include-optional-missing';

/** Paths that the place of one Include stands with. */
const MAX_LACKED = 2;

/** @param lacks what the Include names */
function filesNotHere(lacks: readonly string[] | undefined): Task {
  const more = (lacks?.length ?? 0) - MAX_LACKED;
  return {
    text: 'give these files, which Include lines name and this run lacks, or remove the lines if the server lacks them too',
    option: 'FILES',
    ...(lacks !== undefined && {
      subject: lacks.slice(0, MAX_LACKED).join(', ') + (more > 0 ? ` and ${more} more` : ''),
    }),
  };
}

/** What a template includes, nobody can give. */
const FILLED_IN: Task = {
  text: 'convert what these templates become, too: only then is it known what their Include lines name',
};

/**
 * What an IncludeOptional line may lead to on the server, for which nobody has looked here.
 * @param isAsked others must be given anyway, so that all are asked for at once
 */
function optionalFilesNotHere(isAsked: boolean): Task {
  return isAsked
    ? { ...filesNotHere(undefined), subject: 'what IncludeOptional lines name, if there is any' }
    : {
        text: 'give the files that these IncludeOptional lines name, too, if the server has any: nobody has looked into them',
        option: 'FILES',
      };
}

/** Whether files are not here that a line names. */
const lacksFiles = ({ code }: Problem): boolean => /-(?:missing|elsewhere)$/.test(code);

/** Whether they must be: the line is no IncludeOptional. */
const lacksNeeded = (problem: Problem): boolean => lacksFiles(problem) && problem.code !== OPTIONAL;

/**
 * Whether a problem is worth telling: 2.4 reads no file in the place of an optional one, but a directory to search is there on
 * most servers, and only a copy of one lacks it.
 */
function isTold({ code, message, lacks = [] }: Problem, { isServer, unused }: ConfigTree): boolean {
  if (code !== OPTIONAL) return true;
  if (!isServer || !message.endsWith(NO_DIRECTORY)) return false;
  // What a copy lacks for sites and modules that may be enabled is said once for all of these.
  return lacks.length === 0 || !lacks.every((path) => unused.some((file) => mayBeEnabledBy(path, file)));
}

/** What the reading of a tree noticed, as findings. */
export function problemFindings(tree: ConfigTree): readonly Finding[] {
  const told = tree.problems.filter((problem) => isTold(problem, tree));
  const lacksOthers = told.some(lacksNeeded);
  return told.map((problem) => problemFinding(problem, lacksOthers));
}

/** What the reading of the tree noticed, as a finding. @param lacksOthers files that Include lines name are not here */
export function problemFinding(problem: Problem, lacksOthers = false): Finding {
  const { code, file, at, message, lacks, fatal = false } = problem;
  const isInclude = isIncludeProblem(problem);
  const isOptional = code === OPTIONAL;
  // A file that is missing here may be in its place on the server: the run goes on without it, and says so.
  // 2.4 reads such a line of the server's own files (server/config.c: lower limit for .htaccess).
  const readable = code === 'overlong-line' && file.role !== 'htaccess';
  const isWarning = readable || (isInclude && !fatal);
  const isTemplate = code === 'template-line';
  return {
    rule: isInclude ? 'include' : 'syntax',
    file,
    at,
    level: isTemplate ? 'info' : isWarning ? 'warning' : 'error',
    safety: isTemplate ? 'safe' : 'manual',
    message,
    ...(REMEDIES[code] !== undefined && { remedy: REMEDIES[code] }),
    ...(code === 'include-placeholder' && { task: { ...FILLED_IN, subject: lacks?.[0] ?? '' } }),
    ...(lacksFiles(problem) && {
      task: isOptional ? optionalFilesNotHere(lacksOthers) : filesNotHere(lacks),
    }),
    edits: [],
    // 2.4 starts without what is optional, and may do so on purpose.
    ...(readable || isOptional || isTemplate ? {} : { unread: true }),
  };
}

/** A file or directory that could not be read. What can meet what it says is left as it is. */
export function unreadFinding(file: ConfigFile, message: string): Finding {
  return {
    rule: 'include',
    file,
    at: 0,
    level: 'error',
    safety: 'manual',
    message: `cannot be read: ${message}; it is left as it is`,
    edits: [],
    unread: true,
  };
}

/** A file that has changes and cannot be written. */
export function unwritableFinding(file: ConfigFile, message: string): Finding {
  return {
    rule: 'write',
    file,
    at: 0,
    level: 'error',
    safety: 'manual',
    message: `cannot be written: ${message}; it is left as it is`,
    edits: [],
  };
}

/** Files that change and have names that do not get the same text: these are other files from then on. */
export function otherNamesFindings(plan: readonly Change[]): readonly Finding[] {
  const byInode = new Map<string, Change[]>();
  const counts = new Map<string, number>();
  for (const change of plan) {
    const { linked } = change.file;
    if (linked === undefined) continue;
    addTo(byInode, linked.inode, change);
    counts.set(linked.inode, linked.count);
  }
  return [...byInode].flatMap(([inode, changes]) => {
    const count = counts.get(inode) ?? 1;
    const texts = new Set(changes.map(({ text }) => text)).size;
    if (texts === 1 && changes.length >= count) return [];
    return changes.map(({ file }) => otherNamesFinding(file, count, changes.length));
  });
}

function otherNamesFinding(file: ConfigFile, count: number, changed: number): Finding {
  const others =
    changed < count
      ? `the names that do not change (${count - changed}) keep the old text`
      : 'its names get different texts';
  return {
    rule: 'write',
    file,
    at: 0,
    level: 'warning',
    safety: 'manual',
    message: `it has ${count} names (hard links): a file of its own takes the place of this one, and ${others}`,
    task: {
      text: 'let each of these names become a file of its own, which an undo does not join again, or give the paths of all names',
    },
    edits: [],
  };
}

/** Directories and files that one message names. */
const MAX_NAMED = 6;

/** What lies beside a server's configuration, looks like a part of it, and is not in use: named once, and left as it is. */
export function unusedFindings({ unused, roots: [main], problems }: ConfigTree): readonly Finding[] {
  if (unused.length === 0 || main === undefined) return [];
  const lacked = problems.flatMap(({ lacks = [] }) => lacks);
  const isWaiting = (file: NamedPath): boolean => lacked.some((path) => mayBeEnabledBy(path, file));
  const waiting = unused.filter(isWaiting);
  const rest = unused.filter((file) => !isWaiting(file));
  return [
    ...(waiting.length === 0 ? [] : [waitingFinding(waiting, main)]),
    ...(rest.length === 0 ? [] : [unusedFinding(rest, main)]),
  ];
}

/** Directories of links, as an Include names them, and those of what they lead to. */
const ENABLED = /(?:^|\/)(mods|sites|conf)-enabled(?:\/|$)/;
const AVAILABLE = /\/(mods|sites|conf)-available\/[^/]*$/;

/** Whether a link in a directory that an Include names, and that is not here, may lead to a file. */
function mayBeEnabledBy(lacked: string, { path }: NamedPath): boolean {
  const kind = ENABLED.exec(lacked)?.[1];
  return kind !== undefined && AVAILABLE.exec(path)?.[1] === kind;
}

/** Says of disabled-looking sites and modules that nobody knows which of them the server loads: a copy may lack the links. */
function waitingFinding(files: ConfigTree['unused'], main: ConfigFile): Finding {
  const where = placesOf(files);
  return {
    rule: 'include',
    file: main,
    at: 0,
    level: 'warning',
    safety: 'manual',
    message: `the links that enable sites and modules are not here: which of these files the server loads is not known, and they are left as they are: ${where}`,
    task: {
      text: 'the links that enable sites and modules are not here: give them, or convert all that may be enabled',
      option: '--unused',
      subject: where,
    },
    edits: [],
    unread: true,
  };
}

function unusedFinding(unused: ConfigTree['unused'], main: ConfigFile): Finding {
  const where = placesOf(unused);
  const what = unused.length === 1 ? 'a file is' : `${unused.length} files are`;
  return {
    rule: 'include',
    file: main,
    at: 0,
    level: 'info',
    safety: 'safe',
    message: `${what} not in use by this server, and left as ${unused.length === 1 ? 'it is' : 'they are'} (--unused converts ${unused.length === 1 ? 'it' : 'them'}, too): ${where}`,
    edits: [],
  };
}

/** For instance `13 in sites-available, conf.d/x.dpkg-dist`. */
function placesOf(unused: ConfigTree['unused']): string {
  const names = new Map<string, string[]>();
  for (const { name } of unused) {
    const directory = name.slice(0, Math.max(0, name.lastIndexOf('/')));
    names.set(directory, [...(names.get(directory) ?? []), name]);
  }
  const places = [...names].map(([directory, inside]) =>
    inside.length === 1 ? inside[0]! : `${inside.length} in ${directory === '' ? '.' : directory}`,
  );
  const more = places.length - MAX_NAMED;
  return places.slice(0, MAX_NAMED).join(', ') + (more > 0 ? ` and ${more} more places` : '');
}

/** A file that looks like configuration but that nothing of the run includes: converted, and named. */
export function unreachedFinding(file: ConfigFile): Finding {
  return {
    rule: 'include',
    file,
    at: 0,
    level: 'info',
    safety: 'safe',
    message: isSpareAccessFile(file)
      ? 'httpd reads this file once it is called .htaccess: it is converted as one'
      : 'nothing in this run includes this file: it is converted on its own',
    edits: [],
  };
}
