import { resolvePath } from '../../config';
import { type FileSource, SourceError } from '../../config/types';
import { run } from '../../engine';
import type { RunResult } from '../../engine/types';
import { needsPerson, oneLine } from '../../report';
import { runOptions } from './convert';
import { findTarget, ignoredFiles, withProject, type Loaded, loadPaths } from '../input';
import type { Io, Services } from '../io';
import { type ConvertOptions, DEFAULTS, freezeOptions, type HookRequest } from '../options';
import { printResult, OK, OPEN, statusOf } from '../output';

/** @returns the exit status @throws GitError, SourceError, Trouble */
export function hook(request: HookRequest, io: Io, services: Services): number {
  const git = services.git();
  const asker = { cwd: io.cwd, env: io.env };
  if (request.action === 'install')
    io.stdout.write(`${git.installHook(asker, services.program, request.fix)}\n`);
  else if (request.action === 'uninstall') io.stdout.write(`${git.uninstallHook(asker)}\n`);
  else return judge(request, io, services);
  return OK;
}

/** Names of files that are likely to be configuration: their texts are fetched at once. */
const LIKELY_CONFIG = /conf|htaccess|vhost|sites-/i;

/** Judges the staged texts that the commit changes, with all others as context. */
function judge(request: HookRequest, io: Io, services: Services): number {
  const git = services.git();
  const staged = new git.Staged(io.cwd, io.env);
  const nameIn = (path: string): string => path.slice(staged.top.length + 1);
  const judged = new Set(
    request.files.length === 0
      ? staged.changed()
      : request.files.map((file) => nameIn(resolvePath(io.cwd, file))),
  );
  if (judged.size === 0) return OK;
  const source = staged.source((path) => LIKELY_CONFIG.test(path));
  for (const file of request.files)
    if (source.kind(resolvePath(io.cwd, file)) !== 'file')
      io.stderr.write(`httpd-codemod: ${oneLine(file)} is not staged: not judged\n`);
  const dual = request.dual === undefined ? {} : { dual: request.dual };
  const given = freezeOptions([], { ...DEFAULTS, diff: true, ...dual }, {});
  const options = withProject(given, source, io.cwd, services.transforms, [staged.top]);
  const target = findTarget(options, io, services);
  const loaded = loadStaged(source, options, io);
  if (loaded === undefined) return OK;
  const ignored = ignoredFiles(loaded.tree, source, io.cwd);
  const decide = (skip: ReadonlySet<string>): RunResult => {
    const result = run(
      loaded.tree,
      services.transforms,
      {
        ...runOptions(options, target),
        leaveAlone(file) {
          const name = nameIn(file.path);
          if (!judged.has(name)) return `${file.name} is not part of the commit`;
          return skip.has(name) ? `${file.name} ${STAGED_IN_PART}` : ignored?.(file);
        },
      },
      loaded.reread,
    );
    return result;
  };
  const whole = decide(new Set());
  if (!request.fix) return report(whole, options, io, services);
  const partial = staged.differing(whole.plan.map(({ file }) => nameIn(file.path)));
  const result = partial.size === 0 ? whole : decide(partial);
  const texts = new Map(result.plan.map(({ file, text }) => [nameIn(file.path), text]));
  if (texts.size > 0) git.restage(staged, io.env, texts, request.stage);
  const status = report(result, { ...options, mode: 'write' }, io, services);
  for (const name of partial)
    io.stderr.write(`httpd-codemod: ${oneLine(name)} ${STAGED_IN_PART}: left alone\n`);
  return partial.size > 0 || (texts.size > 0 && !request.stage) ? Math.max(status, OPEN) : status;
}

const STAGED_IN_PART = 'is staged in part only';

function loadStaged(source: FileSource, options: ConvertOptions, io: Io): Loaded | undefined {
  try {
    return loadPaths(source, options, io, () => undefined);
  } catch (error) {
    // A repository without any configuration.
    if (error instanceof SourceError && error.code === 'ENOCONFIG') return undefined;
    throw error;
  }
}

function report(result: RunResult, options: ConvertOptions, io: Io, services: Services): number {
  const status = statusOf(result, options);
  if (result.plan.length > 0 || result.outcomes.some(needsPerson))
    printResult(result, status, options, io, services);
  return status;
}
