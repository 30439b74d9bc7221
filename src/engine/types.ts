import type { Answer, ConfigFile, ConfigTree, Place, ServerState } from '../config';
import type { Edit } from '../edit';
import type { LifeSpan, Release } from '../httpd/release';
import type { Directive, Section } from '../syntax';
import type { TreeIndex } from './tree-index';

export type { Answer, ServerState } from '../config';

/** `error`: 2.4 will not start, or who gets in changes; `warning`: behaviour may change; `info`: worth knowing. */
export type Level = 'error' | 'warning' | 'info';

/**
 * `safe`: same behaviour, proven or trivially so; `review`: right under an assumption that the message states; `strict`: no exact
 * text exists, the edits let in nobody who was kept out but may refuse others, and a person must look; `manual`: no edits, a
 * person must act.
 */
export type Safety = 'safe' | 'review' | 'strict' | 'manual';

/** What is taken for granted, not known. Many findings may rest on one. */
export interface Assumption {
  /** By which a person answers whether it is so: the same for all findings that assume it. */
  readonly key: string;
  /** The assumption as it stands behind "assuming that" in a message. */
  readonly text: string;
  /** The text with a few of the names that it lists, where these are many. */
  readonly brief?: string;
  /** What would show it; undefined where nothing can. */
  readonly remedy: string | undefined;
  /** The assumption for whoever reads of the result and did not make it: nobody there has given files. */
  readonly told?: string;
}

/** Something that a rule cannot know and that is no assumption: a person may answer it by `--answer KEY=CHOICE`. */
export interface RuleQuestion {
  readonly key: string;
  /** The choices there are, for messages. */
  readonly choices: string;
  readonly accepts: RegExp;
}

/** What a person is asked to do, in words that fit any number of findings: a report says it once, with their places. */
export interface Task {
  /** An imperative, as it stands in a list of what to do. */
  readonly text: string;
  /** What to add to the command of the run, for it to do the work or to show what is needed for it. */
  readonly option?: string;
  /** What the finding is about, where its place says less: the name of a module or a directive. */
  readonly subject?: string;
  /** Tasks that have this in common are one item, with their texts and options one after the other. */
  readonly joint?: string;
  /** The text says why changes that wait for it are not made. */
  readonly saysWhy?: true;
  /** The item stands behind all other blockers, for what it is about waits for these. */
  readonly waits?: true;
}

/** A request that somebody has sent, as a log tells of it: byte strings. */
export interface SeenRequest {
  readonly method: string;
  /** The path of the URL, decoded; empty for a request that is about none. */
  readonly path: string;
  /** The path and the query as they were sent. */
  readonly target: string;
  /** From its question mark on. */
  readonly query: string;
  /** `HTTP/1.1`; empty for one without a version, undefined where it is not known. */
  readonly protocol: string | undefined;
  readonly status: number | undefined;
  /** The request line is none that HTTP knows. */
  readonly isMalformed: boolean;
}

/** Whether a request of a log is one that a finding is about. */
export type RequestTest = (request: SeenRequest) => boolean;

/** Words or a line that edits take away without anything in their place. */
export interface Omission {
  /** Byte offset in the file of the finding. */
  readonly at: number;
  readonly text: string;
  /** Why nothing stands in its place, as it stands behind a colon. */
  readonly why: string;
}

/** What a transform reports about one place, with the edits of that file that would fix it. */
export interface Finding {
  /** Id of the transform, or of the engine's own checks. */
  readonly rule: string;
  readonly file: ConfigFile;
  /** Byte offset in the file's text. */
  readonly at: number;
  readonly level: Level;
  readonly safety: Safety;
  /** One line, for a person, without position. */
  readonly message: string;
  /** What a person does about it, where the message does not say so: a command, or what to write. */
  readonly remedy?: string;
  /** What the finding asks of a person, where other findings may ask the same and its rule does not say it. */
  readonly task?: Task;
  /** Settled once what another rule leaves to a person is: where that is asked, this is done then, and asks nothing itself. */
  readonly after?: { readonly rule: string; readonly subject: string };
  /** What tells it from another finding of its rule at the same place that is no copy of it. */
  readonly about?: string;
  /** Either all are applied or none. Empty for `manual`. */
  readonly edits: readonly Edit[];
  /** What the edits take away without anything in its place, for whoever reads the change. */
  readonly omitted?: readonly Omission[];
  /** Findings of one group are applied together or not at all, across files. */
  readonly group?: string;
  /** Groups of which none may be left out for it to be applied; they do not depend on it, and it has no group of its own. */
  readonly needs?: readonly string[];
  /** What the edits rest on, and the message without it: a report for people says once what many findings assume. */
  readonly assuming?: { readonly assumptions: readonly Assumption[]; readonly message: string };
  /** What a person would type where no edit helps, in the server config's directory: shell lines, see the script report. */
  readonly commands?: readonly string[];
  /** Shell lines that put that directory into the one of a 2.4 package, `$new`, after the commands of all findings. */
  readonly install?: readonly string[];
  /** Not applied where a second run would then find more to change in its file. */
  readonly tentative?: boolean;
  /** 2.2 takes what the edits write for what it took the old text for: with --dual that text is for both versions. */
  readonly forBoth?: boolean;
  /** Without edits: about what changes beside lines that are to be left alone, so no request for that hides it. */
  readonly besideIgnored?: true;
  /** Whether a request to its server is one that it is about, as a log shows it; missing where no request can tell. */
  readonly concerns?: RequestTest;
  /** The finding is told once, at the first of the lines that it is about. */
  readonly isForMore?: true;
  /** Set by the engine: it is about the result, and has no edits. */
  readonly isAdvice?: true;
  /** What a person may know about it where it has no edits, by the key of the answer: a yes leaves a note. */
  readonly question?: string;
  /** What a yes to these keys says, each of which settles it: a byte string each. */
  readonly asks?: readonly { readonly key: string; readonly text: string }[];
  /** Something that a server reads has not been read or understood here: nobody knows what it says. */
  readonly unread?: boolean;
  /** Without edits: it sums up the strictest forms of its rule, and is settled with them. */
  readonly sumsUpStrict?: true;
  /** With nothing done about it, others get in than did in 2.2, though that is not what the rule is about as a whole. */
  readonly changesAccess?: true;
  /** The edits only keep everybody out of the directory of a `.htaccess` that stays as it is. */
  readonly shuts?: true;
  /** 2.4 does not start with the line unless it has a module that nothing here loads. */
  readonly needsModule?: true;
  /** 2.4 refuses the line as it was given. The engine says so of each error of a rule that `stops`. */
  readonly stops?: true;
  /** The finding is about something that is missing: the line is only where that would go. */
  readonly isAboutMissing?: boolean;
  /** Set by the engine on its report of an exception: what is left as it is, the whole file or what the rule would change. */
  readonly trouble?: 'file' | 'rule';
  /** The exception. */
  readonly cause?: unknown;
  /** Set by the engine: what a person has answered about what it assumes. */
  readonly answers?: readonly Answer[];
  /** Set by the engine where the user asked to leave this alone: who asked. Nothing of its group is applied. */
  readonly ignored?: string;
}

/** A finding as a rule reports it: without edits, these are left out, and `safety` with them, which is `manual` then. */
export type ReportedFinding = Omit<Finding, 'rule' | 'edits' | 'safety'> & ReportedEdits;

export type ReportedEdits =
  | (Pick<Finding, 'safety'> & Partial<Pick<Finding, 'edits'>>)
  | { readonly safety?: 'manual'; readonly edits?: undefined };

/** A finding after the run: what became of its edits. */
export interface Outcome extends Finding {
  /**
   * `applied`: its edits are in the plan; `none`: it had no edits; `not-applied`: it had, and `why` says what stood against them;
   * `ignored`: the user asked to leave it alone.
   */
  readonly status: 'applied' | 'none' | 'not-applied' | 'ignored';
  readonly why?: string;
  /** The finding would be applied, but its edits, or some that go together with them, are not wanted. */
  readonly declined?: true;
  /** What the finding is known by wherever it stands, and the keys of what may be answered about it, if the run was asked. */
  readonly fingerprint?: string;
  readonly assumes?: readonly string[];
  /** A person has looked at it, and this is why nothing is left to do. */
  readonly accepted?: string;
  /** Why it makes no difference to the requests of the logs that were read: it only refuses, and none of them is refused. */
  readonly harmless?: string;
  /** How many requests of the logs that were read it is about; undefined where it cannot tell, or for none. */
  readonly requests?: number;
}

/** The new text of one file. */
export interface Change {
  readonly file: ConfigFile;
  readonly edits: readonly Edit[];
  readonly text: string;
}

/** What the run would write. */
export type Plan = readonly Change[];

/**
 * Lines of Order, Allow, Deny and Satisfy, for which 2.4 needs mod_access_compat, and Require lines that it may refuse: the first
 * of each kind, as `httpd.conf:12`.
 */
export interface OldLines {
  /** 2.4 surely reads it, and does not start without the module. */
  readonly ofServer?: string;
  /** 2.4 may read it, or refuse it: a conditional block, a template, a module of others or a server that is not given decides. */
  readonly mayBeOfServer?: string;
  /** 2.4 surely reads it, and answers 500 without the module. */
  readonly ofHtaccess?: string;
}

export interface RunResult {
  readonly tree: ConfigTree;
  /** For which version the configuration is written; undefined where a result is put together without a run. */
  readonly state?: ServerState;
  readonly outcomes: readonly Outcome[];
  readonly plan: Plan;
  /** What the plan leaves of such lines; undefined where a result is put together without a run. */
  readonly oldLines?: OldLines;
  /**
   * What is wrong with a rule, for whoever looks after it: an exception, or a rewrite that is not final. The plan does without
   * what it concerns, and the outcomes say so.
   */
  readonly failure?: string;
  /** The files that somebody has asked to leave alone as a whole, each with the source of that request. */
  readonly leftAlone?: readonly { readonly file: ConfigFile; readonly why: string }[];
  /** What a person has decided, and the run does not ask any more. */
  readonly unmet?: { readonly answers: readonly Answer[]; readonly accepted: readonly string[] };
  /** The rules that alone were asked, and those that were not; undefined where all were. */
  readonly asked?: Pick<RunOptions, 'rules' | 'skip'>;
}

/** The input of a transform, which reads the tree and reports findings. It changes nothing. */
export interface TransformContext {
  readonly tree: ConfigTree;
  /** The tree's nodes by name. */
  readonly index: TreeIndex;
  /** Options given after `--` for this rule. */
  readonly options: Readonly<Record<string, string>>;
  /** What a person chose for a question of this rule, for the smallest place that a file lies in. */
  readonly chosen: (key: string, file: ConfigFile) => Answer | undefined;
  /** Whether 2.2's values are written where 2.4 has other defaults, as in {@link RunOptions}. */
  readonly pinDefaults: boolean | undefined;
  /** Whether examples in comments are rewritten, as in {@link RunOptions}. */
  readonly comments: boolean;
  /** The modules that the 2.4 server has, as in {@link RunOptions}. */
  readonly targetModules: RunOptions['targetModules'];
  /** The release of 2.4 that the configuration is for, as in {@link RunOptions}. */
  readonly target: Release;
  /** Whether the result is for both versions. Rules report what 2.4 needs all the same: the engine makes both forms. */
  readonly dual: boolean | undefined;
  /** Calls back for every directive of those names, in the order of the tree, once for each way it is reached. */
  readonly directives: (names: readonly string[], visit: (node: Directive, place: Place) => void) => void;
  /** Calls back for every section of those names, like `directives`. */
  readonly sections: (names: readonly string[], visit: (node: Section, place: Place) => void) => void;
  readonly report: (finding: ReportedFinding) => void;
}

/** The input of `runOnResult`. Its findings and edits are still about the original files. */
export interface ResultContext extends TransformContext {
  /**
   * How the tree reads with the edits of every `run` applied, for a rule without edits of its own here also with those of
   * `runOnResult`: `tree` itself where there are none, or it cannot be read again.
   */
  readonly result: ConfigTree;
  readonly resultIndex: TreeIndex;
  /** What became of the findings of every `run`. */
  readonly outcomes: readonly Outcome[];
  /** Where something that stands in the result comes from, in the tree as given. */
  readonly origin: (file: ConfigFile, at: number) => { file: ConfigFile; at: number };
  /** The id of the transform that owns a directive (lower case), whether this run asks it or not. */
  readonly ownerOf: (name: string) => string | undefined;
}

/** One rule of the upgrade. */
export interface Transform {
  /** Named after the old pattern it finds. */
  readonly id: string;
  /** The changes that it looks after, by their ids in docs/facts/changes.md. */
  readonly changes: readonly string[];
  readonly title: string;
  /** Why 2.4 needs the change, in a sentence or two. */
  readonly why: string;
  /** Section of the manual or file of httpd that decides. */
  readonly docs: readonly string[];
  /** The directives it owns: no other transform may edit them. */
  readonly directives: readonly string[];
  /** None of its findings has edits. A second run, which looks for further changes, does not ask it. */
  readonly advisory?: boolean;
  /** None of its findings about the result has edits. A second run does not ask it about the result. */
  readonly advisoryOnResult?: boolean;
  /**
   * For a rule about lines that both versions accept but treat differently, or about problems that only the change of version
   * causes. If a configuration is written for 2.4 already, its findings lose their edits or are left out, except for errors.
   */
  readonly onlyWhenUpgrading?: boolean;
  /** The releases of 2.4 that the rule applies to. Undefined: all of them. */
  readonly lifeSpan?: LifeSpan | undefined;
  /** Raised when its findings mean something else from then on, so that what was accepted is asked again. 1 by default. */
  readonly version?: number;
  /** What a finding rests on beside its line and the sections around it, as text without names of files. */
  readonly basis?: (tree: ConfigTree, finding: Finding) => string;
  /** Keys of what its findings take for granted, beside its id: a person answers yes or no. */
  readonly assumes?: readonly string[];
  /** What a person may choose. A key may be asked for by several rules. */
  readonly questions?: readonly RuleQuestion[];
  /** What a finding that has no task of its own asks of a person; undefined where its message says so. */
  readonly task?: (finding: Finding) => Task | undefined;
  /** The findings of the rule are about who gets in. */
  readonly isAboutAccess?: true;
  /**
   * What `.htaccess` files say brings about findings in the server's own files, as a line there is for their sake. All other
   * rules find there what they would find without such files, unless it changes who gets in.
   */
  readonly servesAccessFiles?: true;
  /** 2.4 does not start with a line that is an error to this rule, or answers 500 where it stands in a `.htaccess`. */
  readonly stops?: true;
  /** Names of the options that it takes from behind `--`. */
  readonly options?: readonly string[];
  readonly run: (context: TransformContext) => void;
  /**
   * For what follows from the result: which modules it needs, what 2.4 would still refuse. Asked once, after every `run`; no
   * transform sees what is reported here.
   */
  readonly runOnResult?: (context: ResultContext) => void;
  /**
   * Compares its own rewrites, as they would be applied, with the original tree.
   * @returns the groups of findings to withdraw, each with the reason
   */
  readonly check?: (
    before: ConfigTree,
    after: ConfigTree,
    applied: readonly Finding[],
  ) => ReadonlyMap<string, string | Withdrawal>;
  /**
   * Looks at what rules that have no `check` change, in each run, whichever rules that asks.
   * @returns the files in which all that is to be withdrawn, each with the reason
   */
  readonly checkOthers?: (
    before: ConfigTree,
    after: ConfigTree,
    applied: readonly Finding[],
  ) => ReadonlyMap<ConfigFile, string>;
}

/** Why a check withdraws a group of findings. */
export interface Withdrawal {
  readonly why: string;
  /** The `.htaccess` files that make the difference: without them there is none. */
  readonly madeBy?: readonly string[];
  /** Somebody gets in who was not kept out by a 500 to a `.htaccess` alone. */
  readonly opens?: boolean;
  /** The files of {@link madeBy} say it themselves, in lines for one version alone. */
  readonly isOwn?: boolean;
  /** Why it is withdrawn, too: for what other files make. */
  readonly besides?: readonly Withdrawal[];
}

export interface RunOptions {
  readonly rules?: readonly string[];
  readonly skip?: readonly string[];
  readonly safeOnly?: boolean;
  /** Leave what has no exact text as it is, instead of writing it in the strictest form. */
  readonly exact?: boolean;
  /**
   * True: the result is to be right for 2.2 and 2.4 both, old and new lines in blocks for one version each. False: such blocks
   * are collapsed to what 2.4 reads. Undefined: 2.4 alone counts, and blocks that are there stay.
   */
  readonly dual?: boolean;
  /** Real path to why a file cannot be written: it stays, with what goes together with its changes, and a finding says so. */
  readonly unwritable?: ReadonlyMap<string, string>;
  /** Write 2.2's values where 2.4 has other defaults. */
  readonly pinDefaults?: boolean;
  /** Rewrite examples of 2.2 in comments, too. */
  readonly comments?: boolean;
  /** The N of the 2.4.N that the configuration is for; undefined for the newest that is known. */
  readonly target?: Release;
  /** The modules that the 2.4 server has loaded, by identifier: what `httpd -M` prints there. Undefined: not known. */
  readonly targetModules?: ReadonlyMap<string, 'static' | 'shared'>;
  /** Rule id → option → value. */
  readonly ruleOptions?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Rule id → the level that its findings are to have. */
  readonly levels?: Readonly<Record<string, Level>>;
  /** What a person knows of assumptions; of several for one finding that for the smallest place counts. */
  readonly answers?: readonly Answer[];
  /** Findings that a person has accepted: fingerprint → why. Findings have a fingerprint where this is given. */
  readonly acceptance?: {
    readonly accepted: ReadonlyMap<string, string>;
    readonly hash: (bytes: string) => string;
  };
  /** Why the edits of a finding are not wanted; undefined where they are. What goes together with it is left, too. */
  readonly declines?: (finding: Finding) => string | undefined;
  /** Called after each rule that has been asked about the configuration, and then about its result. */
  readonly onRule?: (done: number, total: number) => void;
  /**
   * Called at most once, before the result is checked, with what has been found in all files: the checks may take edits back, and
   * add what only the result shows.
   */
  readonly onFound?: (found: Pick<RunResult, 'tree' | 'outcomes'>) => void;
  /** Whether the comments in a file that ask to leave something alone count. Undefined for all files. */
  readonly honours?: (file: ConfigFile) => boolean;
  /** Why a file is to be left alone: read, but not changed and not reported on. Undefined for all others. */
  readonly leaveAlone?: (file: ConfigFile) => string | undefined;
}

/** The options of a run, and what an earlier attempt has shown that it must leave. */
export interface AttemptOptions extends RunOptions {
  readonly holds?: (finding: Finding) => boolean;
  /** Why the check of the result refuses what a finding would change; undefined where it does not. */
  readonly vetoOf?: (finding: Finding) => string | undefined;
}
