import type { ConfigTree } from '../../config/types';
import { run } from '../../engine';
import type { RunOptions, RunResult } from '../../engine/types';
import type { Document } from '../../syntax';
import type { WithLog } from '../../log/types';
import { encode } from '../../report';
import { findTarget, ignoringOf, type Loaded, loadPaths, loadStdin, placeOf, type Target } from '../input';
import type { Io, Services } from '../io';
import type { ConvertOptions } from '../options';
import { type Consent, showProgress, withinPaths } from '../output';
import { declinerFor } from '../parts';
import { Trouble } from '../trouble';
import type { LeftFiles } from './unwritable';

/** A run, and the ways to make it again. */
export interface Computed extends Omit<Loaded, 'tree'> {
  readonly result: RunResult & WithLog;
  readonly target: Target;
  /** The run once more, without what is declined beside what the options leave out. */
  readonly runWith: (declines: RunOptions['declines']) => RunResult;
}

/** What is known of a run before it begins. */
interface Before {
  /** Files that cannot be written, by path, with the reason. */
  readonly refused?: Pick<LeftFiles, 'reasonFor'> | undefined;
  /** Whether what lies outside of the paths given may be written; undefined where there is no such place. */
  readonly consent?: Consent | undefined;
  /** By default the one that the options name. */
  readonly target?: Target;
  /** Called after each rule that is asked; what it throws ends the run. */
  readonly onRule?: () => void;
  /** Documents of a run before, by path: those of files with the same text are taken over. */
  readonly documents?: ReadonlyMap<string, Document>;
  /** Called with what has been found before it is checked. */
  readonly onFound?: NonNullable<RunOptions['onFound']>;
}

/**
 * Reads what the options name, and asks the rules.
 * @throws Trouble, SourceError, UsageError
 */
export function compute(
  options: ConvertOptions,
  io: Io,
  services: Services,
  { refused, consent, target = findTarget(options, io, services), onRule, onFound, documents }: Before = {},
): Computed {
  const progress = showProgress(io);
  try {
    const loaded =
      options.paths[0] === '-'
        ? loadStdin(options, io)
        : loadPaths(services.source, options, io, progress.onFile, documents);
    const { tree, ...more } = loaded;
    checkReadable(tree);
    const { source, cwd } = placeOf(more, services.source, io);
    const ignoring = ignoringOf(tree, source, options, io, cwd);
    const declines = declinerFor(options.only, tree, services.transforms, source, cwd);
    const unwritable = new Map(
      tree.files.flatMap(({ path }): [string, string][] => {
        const why = refused?.reasonFor(path);
        return why === undefined ? [] : [[path, why]];
      }),
    );
    const runWith: Computed['runWith'] = (declinesToo) => {
      const both = joined(declines, declinesToo);
      const given: RunOptions = {
        ...runOptions(options, target, services),
        ...ignoring,
        ...(both && { declines: both }),
        ...(refused && { unwritable }),
        // Later runs are made while a person waits for the next question.
        ...(declinesToo === undefined && { onRule: onRule ?? progress.onRule, ...(onFound && { onFound }) }),
      };
      return run(loaded, services.transforms, given);
    };
    const writes = options.mode === 'write' || options.plan !== undefined;
    const result =
      writes && consent !== undefined && loaded.collected === undefined
        ? withinPaths(runWith, undefined, consent, io)
        : runWith(undefined);
    if ((io.env['DEBUG'] ?? '') !== '') showCauses(result, io);
    return { result, runWith, target, ...more };
  } finally {
    progress.end();
  }
}

function joined(first: RunOptions['declines'], second: RunOptions['declines']): RunOptions['declines'] {
  if (first === undefined || second === undefined) return first ?? second;
  return (finding) => first(finding) ?? second(finding);
}

/** The stacks of the exceptions among the findings. */
function showCauses({ outcomes }: RunResult, io: Io): void {
  for (const { cause } of outcomes) if (cause instanceof Error) io.stderr.write(encode(`${cause.stack}\n`));
}

/** What cannot be read among other files is reported beside what they need. @throws Trouble where there are no others */
function checkReadable({ files, unreadable }: ConfigTree): void {
  if (unreadable.length === 0 || files.length > 0) return;
  throw new Trouble(...unreadable.map(({ name, message }) => `${name}: ${message}`));
}

export function runOptions(
  options: ConvertOptions,
  { release, modules }: Target,
  { hash }: Pick<Services, 'hash'>,
): RunOptions {
  const { answers: given, log, accepted, rules, dual, levels, format, detail } = options;
  const { pinDefaults, comments, skip, safeOnly, exact, ruleOptions } = options;
  // Fingerprints take time: they are made where somebody sees them, or has accepted some.
  // Whether a log is enough is asked once it is read.
  const answers = log.length === 0 ? given : given.filter(({ key }) => key !== 'log');
  const isFingerprinted =
    accepted !== undefined || format === 'json' || format === 'sarif' || detail === 'verbose';
  return {
    ...(answers.length > 0 && { answers }),
    ...(isFingerprinted && { acceptance: { accepted: accepted ?? new Map(), hash: (bytes) => hash(bytes) } }),
    ...(rules && { rules }),
    ...(dual === undefined ? {} : { dual }),
    target: release,
    ...(modules && { targetModules: modules }),
    pinDefaults,
    comments,
    skip,
    safeOnly,
    exact,
    ruleOptions,
    ...(levels && { levels }),
  };
}
