import { resolvePath } from '../../config';
import { type FileSource, SourceError } from '../../config/types';
import { run } from '../../engine';
import type { RunResult } from '../../engine/types';
import { needsPerson, type NextStep, oneLine } from '../../report';
import { runOptions } from './compute';
import { findTarget, ignoringOf, type Loaded, loadPaths, withListedPaths, withProject } from '../input';
import type { Io, Services } from '../io';
import { checkRequested, type ConvertOptions, type HookRequest } from '../options';
import { commandWith, OK, OPEN, printDocument, printResult, statusOf, TROUBLE, withStore } from '../output';

type HookRun = Extract<HookRequest, { action: 'run' }>;
type StagedFiles = InstanceType<ReturnType<Services['git']>['Staged']>;

/** @returns the exit status @throws GitError, SourceError, WriteError, Trouble */
export function hook(request: HookRequest, io: Io, services: Services): number | Promise<number> {
  const git = services.git();
  const asker = { cwd: io.cwd, env: io.env };
  switch (request.action) {
    case 'install': {
      checkRequested(request.options, services.transforms);
      // A file that cannot be used would stop each commit.
      if (typeof request.options.config === 'string')
        withProject(request.options, services.source, io, services.transforms, [io.cwd]);
      const args = request.args.map(({ text, path, rest = '' }) =>
        path === undefined ? text : text + resolvePath(io.cwd, path) + rest,
      );
      printLines(git.installHook(asker, services.program, args), io);
      return OK;
    }
    case 'uninstall':
      printLines(git.uninstallHook(asker), io);
      return OK;
    case 'run':
      return judge(request, io, services);
  }
}

function printLines(lines: readonly string[], io: Io): void {
  io.stdout.write(lines.map((line) => `${oneLine(line)}\n`).join(''));
}

/** Names of files that are likely to be configuration: their texts are fetched at once. */
const LIKELY_CONFIG = /conf|ht\.?access|vhost|sites-/i;

/** Judges the staged texts that the commit changes, with all others as context. */
async function judge(request: HookRun, io: Io, services: Services): Promise<number> {
  const git = services.git();
  checkRequested(request.options, services.transforms);
  const staged = new git.Staged(io.cwd, io.env);
  const { paths: files } = withListedPaths(request.options, services.source, io);
  const source = staged.source((path) => LIKELY_CONFIG.test(path));
  const judged = new Set(files.length === 0 ? staged.changed() : []);
  const unjudged = files.filter((file) => {
    const path = resolvePath(io.cwd, file);
    const named = source.kind(path) === undefined ? [] : staged.filesAt(path);
    for (const name of named) judged.add(name);
    return named.length === 0;
  });
  for (const file of unjudged) note(`${file} is not staged: not judged`, io);
  // What was asked about was not looked at.
  const least = unjudged.length > 0 ? TROUBLE : OK;
  const options = withProject(
    { ...request.options, paths: [] },
    // The project file is one of what is staged, unless it is named.
    typeof request.options.config === 'string' ? services.source : source,
    io,
    services.transforms,
    [staged.top],
  );
  const loaded = judged.size === 0 ? undefined : loadStaged(source, options, io);
  if (loaded === undefined) {
    printDocument({ exitStatus: least }, options, io, services);
    return least;
  }
  const target = findTarget(options, io, services);
  const { leaveAlone, honours } = ignoringOf(loaded.tree, source, options, io);
  const decide = (left: ReadonlySet<string>): RunResult => {
    const result = run(loaded, services.transforms, {
      ...runOptions(options, target, services),
      ...(honours && { honours }),
      leaveAlone(file) {
        const name = nameIn(staged, file.path);
        if (!judged.has(name)) return `${file.name} is not part of the commit`;
        return left.has(name) ? `${file.name} ${STAGED_IN_PART}` : leaveAlone?.(file);
      },
    });
    // What is not part of the commit was not asked for.
    return { ...result, leftAlone: [] };
  };
  const whole = decide(new Set());
  const status =
    request.fix && whole.plan.length > 0
      ? await fix({ staged, whole, decide }, { ...options, mode: 'write' }, request, io, services)
      : report(whole, options, io, services);
  return Math.max(status, least);
}

const STAGED_IN_PART = 'is not in the work tree as it is staged';

/** What is staged, and how it is converted where some files have to be left. */
interface Judgement {
  readonly staged: StagedFiles;
  readonly whole: RunResult;
  readonly decide: (left: ReadonlySet<string>) => RunResult;
}

/** Rewrites index and work tree, both or neither. */
async function fix(
  { staged, whole, decide }: Judgement,
  options: ConvertOptions,
  { stage, stop }: HookRun,
  io: Io,
  services: Services,
): Promise<number> {
  return withStore(io, services, 'yes', async (store, progress) => {
    const partial = staged.differing(whole.plan.map(({ file }) => nameIn(staged, file.path)));
    const result = partial.size === 0 ? whole : decide(partial);
    const { plan } = result;
    if (plan.length > 0) {
      const texts = new Map(plan.map(({ file, text }) => [nameIn(staged, file.path), text]));
      const restaging = services.git().prepareRestaging(staged, io.env, texts, stage);
      const names = new Map(plan.map(({ file }) => [file.path, file.name]));
      await store.replace(
        restaging.files.map((file) => ({ ...file, name: names.get(file.path) ?? file.path })),
        { paths: [staged.top] },
        restaging,
      );
      restaging.refresh();
    }
    progress.end();
    const status = report(result, options, io, services);
    for (const name of partial) note(`${name} ${STAGED_IN_PART}: left alone`, io);
    const stops = plan.length > 0 && (stop || !stage);
    if (stops && stage) note('the rewritten files are staged: git commit commits them', io);
    return partial.size > 0 || stops ? Math.max(status, OPEN) : status;
  });
}

function nameIn({ top }: StagedFiles, path: string): string {
  return path.slice(top.length + 1);
}

function note(line: string, io: Io): void {
  io.stderr.write(`httpd-codemod: ${oneLine(line)}\n`);
}

function loadStaged(source: FileSource, options: ConvertOptions, io: Io): Loaded | undefined {
  try {
    return loadPaths(source, options, io, () => undefined);
  } catch (error) {
    // A repository without any configuration.
    if (error instanceof SourceError && error.code === 'ENOCONFIG') return undefined;
    throw error;
  }
}

const FIXED = {
  text: 'take it back, in the index and in the work tree, if it is not wanted',
  command: 'httpd-codemod undo',
};

/** With the options of the hook: without `--dual`, for instance, the files would no longer be for both versions. */
function toFix({ argv }: ConvertOptions): NextStep {
  return { text: 'rewrite the staged files', command: commandWith(argv)('--fix') };
}

function report(result: RunResult, options: ConvertOptions, io: Io, services: Services): number {
  const status = statusOf(result, options);
  if (options.format !== 'text' || result.plan.length > 0 || result.outcomes.some(needsPerson))
    printResult(result, status, options, io, services, {
      next: options.mode === 'write' ? FIXED : toFix(options),
    });
  return status;
}
