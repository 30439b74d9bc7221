import type { Release } from '../httpd/release';
import type { Directive, Document, Node, Section, Span } from '../syntax';

/**
 * Where files come from: the disk, memory, later the git index. All paths are absolute, '/'-separated byte strings (latin1, one
 * character a byte, as `Include` arguments in a parsed text are), so that any file name can be named.
 */
export interface FileSource {
  /** Set where it shows all of a machine, which may hold copies of other servers, and not only what a run is about. */
  readonly isMachine?: true;
  /** The file's bytes as latin1. @throws SourceError */
  read(path: string): string;
  /** The names in a directory, unsorted, '.' and '..' left out. @throws SourceError */
  list(path: string): readonly DirectoryEntry[];
  /** What stands at a path, links followed; undefined if nothing (that can be seen) does. */
  kind(path: string): 'file' | 'directory' | 'other' | undefined;
  /** The path with all links resolved. @throws SourceError */
  real(path: string): string;
  /**
   * Whether somebody other than root, the user and the owner of the file could have made the run read this path: by a symbolic
   * link in the path, or because they own the file `by` that names it. A source that does not know owners has no such method.
   * @param target where the path led when it was followed: where it leads elsewhere by now, somebody has a say in that
   */
  planted?(path: string, by: string | undefined, target: string): boolean;
  /**
   * Who could have written what a path leads to: the owner of the file, and of a symbolic link in its place. None for what is not
   * there. A source that does not know owners has no such method: what it holds is trusted.
   */
  owners?(path: string): readonly number[];
  /** What the disk says of a file, links followed; undefined where none is there. A source without it holds small files. */
  stat?(path: string): FileStat | undefined;
  /** How many names a file has (hard links). Where a source has no such method, each has one. */
  names?(path: string): number;
  /** The file system that a directory lies on, as a number; undefined if it is not there. Without this method, there is one. */
  device?(path: string): number | undefined;
  /** Bytes of memory that a run may take. Where a source has no such method, that is not known. */
  memory?(): number;
  /**
   * Answers a question about names and links, and not about texts, once: whoever asks again gets the same answer. A source that
   * remembers nothing has no such method.
   * @param ask is handed the source without its memory, as what it says is not asked for a second time
   */
  once?<T>(question: string, ask: (fresh: FileSource) => T): T;
}

export interface FileStat {
  /** Bytes. */
  readonly size: number;
  /** A text that all names of a file share, for a file that has several (hard links); undefined for a file with one name. */
  readonly inode: string | undefined;
}

export interface DirectoryEntry {
  readonly name: string;
  readonly kind: 'file' | 'directory' | 'link' | 'other';
}

export class SourceError extends Error {
  readonly path: string;
  readonly code: string;

  /** @param code the system's error code (`ENOENT`, `EACCES`, …), or `ETOOBIG`, `EBINARY`, `ENOCONFIG` of our own */
  constructor(path: string, code: string, message: string) {
    super(message);
    this.path = path;
    this.code = code;
  }
}

/**
 * `server`: read at server level, given or found; `included`: reached by Include only; `htaccess`: an AccessFileName file;
 * `unreached`: looks like configuration, but nothing of the run includes it.
 */
export type FileRole = 'server' | 'included' | 'htaccess' | 'unreached';

/** The names of a file that has several (hard links). */
export interface LinkedNames {
  /** A text that all of them share. */
  readonly inode: string;
  /** How many there are, in the run or not. */
  readonly count: number;
}

/** One file of the run: each real file once, whatever links and includes lead to it. */
export interface ConfigFile {
  /** Real path, byte string: the identity, and where a rewrite goes. */
  readonly path: string;
  /** How to name the file to people: relative to the working directory where it lies below it. Byte string. */
  readonly name: string;
  readonly role: FileRole;
  readonly document: Document;
  /** The directories that a `.htaccess` governs (more than one where links lead there), as absolute paths. */
  readonly directories: readonly string[];
  /** What the names of the file share, if it has several (hard links): each of them is a file of the run by itself. */
  readonly linked?: LinkedNames | undefined;
  /** Why it is read, but may not be written, whatever is asked for; undefined where it may. */
  readonly outside?: string | undefined;
  /** The file lies outside of the paths given: a run that was not told to follow the server there writes nothing of it. */
  readonly isBeyond?: boolean;
  /** Another program fills it in before httpd sees it: so its name says, or whoever started the run. */
  readonly isTemplate?: boolean;
}

/** A section with the file it stands in: one step of the chain that a node stands in. */
export interface Frame {
  readonly file: ConfigFile;
  readonly section: Section;
}

/** Where a node stands: its file and the sections and conditionals around it, outermost first, across Include edges. */
export interface Place {
  readonly file: ConfigFile;
  readonly chain: readonly Frame[];
  /** The top-level file the walk began in: a server config, a `.htaccess`, an unreached file. */
  readonly root: ConfigFile;
}

const INCLUDE_PROBLEMS = [
  'include-missing',
  // The configuration is a copy of another server's, which lacks what several Includes name.
  'include-elsewhere',
  // Nothing to report, and still something that may be there on the server.
  'include-optional-missing',
  'include-cycle',
  'include-depth',
  'include-unreadable',
  'include-unresolved',
  // A template, or a file that is one without its name, says what is included once it is filled in.
  'include-placeholder',
] as const;

/** What can be wrong with an Include. */
type IncludeProblem = (typeof INCLUDE_PROBLEMS)[number];

/** The end of the message about an Include whose pattern has no directory to search. */
export const NO_DIRECTORY = 'the directory to search is not there';

/** Whether a problem is with an Include: then some of what the server reads has not been read here. */
export function isIncludeProblem({ code }: Problem): boolean {
  return INCLUDE_PROBLEMS.some((problemCode) => problemCode === code);
}

/** Something the reading itself noticed: an Include without target, a cycle, a stray line. Never stops the run. */
export interface Problem {
  readonly code:
    IncludeProblem | 'stray-line' | 'template-line' | 'unclosed-section' | 'bom' | 'overlong-line';
  readonly file: ConfigFile;
  /** Byte offset in the file. */
  readonly at: number;
  readonly message: string;
  /** What an Include names and the run has not: paths as the configuration writes them. */
  readonly lacks?: readonly string[];
  /** No httpd starts with this configuration, neither 2.2 nor 2.4: what was read is not what a server ever reads. */
  readonly fatal?: boolean;
}

/** What a person knows of an assumption, or chose where a rule asks. */
export interface Answer {
  /** The key of the assumption or question; for a finding that has none apart from its message, the id of its rule. */
  readonly key: string;
  /** A file, or a directory with all below: absolute. Undefined for the whole run. */
  readonly place?: string;
  /** Whether it is so. True for a choice. */
  readonly value: boolean;
  /** What a person chose, where the key asks for more than yes or no. */
  readonly choice?: string;
  readonly reason: string;
}

/** What is to become of a `.htaccess` that makes 2.4 answer differently than 2.2. */
export interface ShutFile {
  /** In words that name a request. */
  readonly why: string;
  /** Whether its directory is shut as a whole, and not only where its access lines count. */
  readonly isWhole: boolean;
}

/** Everything one server would read, or as much of it as was given. */
export interface ConfigTree {
  /** Every file once, in the order of first reach. */
  readonly files: readonly ConfigFile[];
  /** The files read at server level, in order: together they are one server config. */
  readonly roots: readonly ConfigFile[];
  readonly htaccess: readonly ConfigFile[];
  readonly unreached: readonly ConfigFile[];
  /** What looks like configuration beside a server's and is not in use: no part of the run, unless asked for. */
  readonly unused: readonly NamedPath[];
  /** Where the files of the run lie: what was given, the directories of the server's configuration, and those that it serves. */
  readonly tops: readonly NamedPath[];
  /** The directories given, links resolved. */
  readonly directories: readonly string[];
  /** What each Include reached: several walks differ only through ServerRoot, which is not followed. */
  readonly includes: ReadonlyMap<Directive, readonly ConfigFile[]>;
  /** The release of 2.4 that it is read for; a run sets it. Undefined: the newest that is known. */
  readonly target?: Release;
  /** The modules that the 2.4 server has loaded; a run sets it. Undefined: not known. */
  readonly targetModules?: ReadonlyMap<string, 'static' | 'shared'> | undefined;
  /** Why a rule's edits will not be made, whatever they are; undefined where nothing keeps them. A run sets it. */
  readonly keeps?: (file: ConfigFile, rule: string, edits: readonly Span[]) => string | undefined;
  /** Which `.htaccess` is to let nobody in, whatever it says, and why; undefined for all others. A run sets it. */
  readonly shuts?: (file: ConfigFile) => ShutFile | undefined;
  /** Whether a file is known not to let itself be written. A run sets it. */
  readonly cannotWrite?: (file: ConfigFile) => boolean;
  /** What a person answered to a question, for the smallest place that holds any of these paths. A run sets it. */
  readonly chosen?: (key: string, paths: readonly string[]) => Answer | undefined;
  /** True if a server config was seen (ServerRoot, Listen, or several LoadModule lines of httpd's); else only fragments. */
  readonly isServer: boolean;
  /** The directory of the last ServerRoot line, if that is absolute; with the letter of a drive on Windows. */
  readonly serverRoot: string | undefined;
  /** Variables known for `${NAME}`: -D, Define and, where they are safe to assume, the environment. */
  readonly variables: ReadonlyMap<string, string>;
  /** Names given with -D, and those that the system starts httpd with, for which `<IfDefine>` surely holds. */
  readonly defines: ReadonlySet<string>;
  /** What the system starts httpd with, where a file beside the configuration says so. */
  readonly startNames: StartNames | undefined;
  /** What `httpd -V` of the 2.2 calls its MPM, in lower case; undefined where nobody has asked it. */
  readonly mpm22?: string | undefined;
  /** What `httpd -l` of the 2.2 lists, such as `mod_alias.c`; undefined where nobody has asked it. */
  readonly compiled22?: readonly string[] | undefined;
  /** `build/config.nice` of the server: how its httpd was configured when it was built. Read as text; no configuration file. */
  readonly build: ConfigFile | undefined;
  readonly problems: readonly Problem[];
  /** What was found below a given directory, belongs to the run and could not be read: it makes the result incomplete. */
  readonly unreadable: readonly UnreadablePath[];
  /**
   * What could not be read, as files with empty documents: an AccessFileName file that could not be read, with its directory, a
   * directory in whose place any could stand, and what else looks like configuration. What they say to a server is not known.
   */
  readonly unread: readonly ConfigFile[];
  /**
   * Directories that links lead to, or that are served, outside of what was given: what is in there is not converted. And what
   * stands in the place of an AccessFileName file.
   */
  readonly unvisited: readonly UnreadablePath[];
  /** Templates of the same project that are no part of the run, for how they are written; looked for when asked. */
  readonly templatesBeside?: () => readonly TemplateBeside[];
  /** Paths of files that were found and are not read, as all of them are more than a run can hold. */
  readonly tooMuch?: ReadonlySet<string>;
  /** AccessFileName differs by virtual host or conditional, and so does which `.htaccess` files a request meets. */
  readonly accessDiffers: boolean;
  /** The directories, beside those given, that the server serves and that were looked through wholly, as configured. */
  readonly seen: readonly string[];
  /**
   * What DocumentRoot and Alias name, or sections in what these name, and is no directory, on the machine that the configuration
   * is for, though the directory above it is: requests that lead there get no further than that.
   */
  readonly absent: readonly string[];
}

export type TemplateBeside = Pick<ConfigFile, 'path' | 'document'>;

/**
 * How to read a tree again with some texts replaced (path → text); undefined where nothing is left to read.
 * @param spared paths of AccessFileName files that nobody will look at in the tree: it may lack them
 */
export type Reread = (
  texts: ReadonlyMap<string, string>,
  spared?: ReadonlySet<string>,
) => ConfigTree | undefined;

/** What a run needs: a tree, and the way to read its own result, without which no result can be checked. */
export interface RereadableTree {
  readonly tree: ConfigTree;
  readonly reread: Reread;
}

/** Something on the disk; `name` as in {@link ConfigFile}. */
export interface NamedPath {
  readonly path: string;
  readonly name: string;
}

/** The -D names in a file of the system that starts httpd. */
export interface StartNames {
  /** Read as text; no configuration file. */
  readonly file: ConfigFile;
  /** Where the last line that sets them begins, as a byte offset. */
  readonly at: number;
  /** The shell variable that holds them. */
  readonly variable: string;
  readonly names: readonly string[];
}

/** A file or directory that could not be read; `name` as in {@link ConfigFile}, `message` one line without path. */
export interface UnreadablePath {
  readonly path: string;
  readonly name: string;
  readonly message: string;
  /** Nobody gets in there, whatever the configuration says. */
  readonly isForbidden?: true;
  /**
   * The directory, as the server names it, below which alone it could say something, where whoever may write there can have made
   * it so: it is told at its place, and nothing that is written for other places rests on it.
   */
  readonly within?: string;
}

export type Visit = (node: Node, place: Place) => void;

/** Whether the run has seen all that the server reads. */
export function isComplete(tree: ConfigTree): boolean {
  return tree.isServer && !tree.problems.some(hidesFromServer);
}

/** Whether the server may read what a problem hides: it reads no file that nothing includes, and no Include of a `.htaccess`. */
export function hidesFromServer(problem: Problem): boolean {
  const { role } = problem.file;
  return isIncludeProblem(problem) && role !== 'htaccess' && role !== 'unreached';
}
