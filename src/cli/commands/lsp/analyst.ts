import { agreement, audiencesOf, audienceText } from '../../../ask';
import { below, dirname, overlay, SourceError } from '../../../config';
import type { ConfigFile, FileSource } from '../../../config/types';
import type { RunOptions } from '../../../engine/types';
import { EditorLines } from '../../../lsp/positions';
import type { Analyst, Checked, EditsInFile, Fix, FixScope } from '../../../lsp/types';
import { decode, encode, type AudienceTable } from '../../../report';
import type { Document } from '../../../syntax';
import type { Io, Services } from '../../io';
import type { ConvertOptions } from '../../options';
import { Trouble } from '../../trouble';
import { compute, type Computed } from '../compute';
import { prepareExplain } from '../explain';
import { aroundChange, type LastRun } from './around-change';
import { editorFindings, readable } from './editor-findings';
import { type ChangedByChecks, changedByChecks, type FoundInFiles, likelyAfterChecks } from './likely';
import { EditorSource } from './editor-source';
import { declinesFor, editorEdits, fixesAt } from './fixes';
import { hoverText } from './hover';
import { ServerFinder } from './server-of';

/** Ends a run whose answer nobody waits for any more. */
class Overtaken extends Error {}

/** A run over the configuration that a file belongs to. */
interface EditorRun {
  readonly options: ConvertOptions;
  readonly computed: Computed;
  readonly notes: readonly string[];
  readonly found: FoundInFiles;
  /** Who gets in at a place; made when it is first asked for. */
  readonly audienceAt: (file: ConfigFile, at: number) => AudienceTable | undefined;
}

interface Left extends LastRun {
  readonly changed: ChangedByChecks;
}

/** Bytes from which on the checks of a run take so long that an editor is told before them what is likely. */
const LARGE = 200_000;

/** So many servers are remembered: an editor seldom shows more at once. */
const MAX_RUNS = 4;

/** Answers an editor by runs as the command makes them, over the disk with the editor's texts above it. */
export class RunAnalyst implements Analyst {
  readonly #options: ConvertOptions;
  readonly #io: Io;
  readonly #services: Services;
  readonly #newestTurn: () => number;
  readonly #source: EditorSource;
  readonly #finder: ServerFinder;
  /** By paths, for the texts as they are now. */
  readonly #runs = new Map<string, EditorRun>();
  /** By the same: what the last run leaves for the next, which finds some texts changed. */
  readonly #left = new Map<string, Left>();

  /**
   * @param options of the command line
   * @param newestTurn the highest turn that has begun: a check of an earlier one ends
   */
  constructor(options: ConvertOptions, io: Io, services: Services, newestTurn: () => number) {
    this.#options = options;
    this.#io = io;
    this.#services = services;
    this.#newestTurn = newestTurn;
    this.#source = new EditorSource(services.source);
    this.#finder = new ServerFinder(
      options,
      this.#silent(() => undefined),
      services.transforms,
    );
  }

  update(texts: ReadonlyMap<string, string | undefined>): void {
    this.#source.update(texts);
    this.#runs.clear();
  }

  forget(): void {
    this.#source.forget();
    this.#finder.forget();
    this.#runs.clear();
    this.#left.clear();
  }

  check(path: string, turn: number, early: (likely: Checked) => void): Checked | undefined {
    const answer = (found: FoundInFiles, notes: readonly string[]): Checked => {
      const opened = this.#source.opened();
      const files = [...found].flatMap(([real, { findings }]) =>
        this.#namesOf(real, path, opened).map((name) => ({ path: name, findings })),
      );
      return { files, notes };
    };
    try {
      const { found, notes } = this.#runFor(path, turn, (likely) => early(answer(likely, [])));
      return answer(found, notes);
    } catch (error) {
      if (error instanceof Overtaken) return undefined;
      throw error;
    }
  }

  fixes(path: string, first: number, last: number): readonly Fix[] {
    const { result } = this.#runFor(path).computed;
    const file = this.#fileAt(path, result.tree.files);
    return file === undefined ? [] : fixesAt(result, file, first, last);
  }

  edits(path: string, scope: FixScope): readonly EditsInFile[] {
    const { runWith } = this.#runFor(path).computed;
    const { plan } = runWith(declinesFor(scope));
    const opened = this.#source.opened();
    const made = plan.map((change) => ({ change, edits: editorEdits(change) }));
    // Findings of one group go together: all of it, or nothing.
    if (made.some(({ edits }) => edits === undefined)) return [];
    return made.flatMap(({ change: { file }, edits = [] }) =>
      this.#namesOf(file.path, path, opened)
        .slice(0, 1)
        .map((name) => ({ path: name, edits })),
    );
  }

  hover(path: string, line: number): string | undefined {
    const run = this.#runFor(path);
    const { result } = run.computed;
    const file = this.#fileAt(path, result.tree.files);
    if (file === undefined) return undefined;
    const audience = (): AudienceTable | undefined => run.audienceAt(file, startOf(file, line));
    return hoverText(result, file, line, this.#services.transforms, audience);
  }

  audience(path: string, line: number): ReturnType<Analyst['audience']> {
    const { audienceAt, computed } = this.#runFor(path);
    const file = this.#fileAt(path, computed.result.tree.files);
    const table = file && audienceAt(file, startOf(file, line));
    if (table === undefined) return undefined;
    return { title: `Who gets in? ${agreement(table)}`, text: audienceText(table).map(readable).join('\n') };
  }

  explain(path: string, request: string): string {
    const explainResult = prepareExplain([encode(request)], this.#services);
    const { computed, options } = this.#runFor(path);
    let text = '';
    const io = this.#silent(
      () => undefined,
      (bytes) => (text += bytes),
    );
    explainResult(computed.result, computed.reread, { ...options, format: 'text' }, io);
    return decode(text);
  }

  /** @throws Overtaken where a later turn begins meanwhile */
  #runFor(path: string, turn = Infinity, early?: (likely: FoundInFiles) => void): EditorRun {
    const isFile = path.startsWith('/');
    const source = this.#source.now();
    const options: ConvertOptions = isFile
      ? this.#finder.optionsFor(this.#source.realOf(path), source)
      : { ...this.#options, paths: ['-'], stdinName: path };
    const key = isFile ? `paths\n${options.paths.join('\n')}` : `text\n${path}`;
    const known = this.#runs.get(key);
    if (known !== undefined) return known;
    const notes: string[] = [];
    const onRule = (): void => {
      if (this.#newestTurn() > turn) throw new Overtaken();
    };
    const left = this.#left.get(key);
    const io = this.#ioFor(path, (bytes) => notes.push(decode(bytes.trimEnd())));
    const computeOver = (texts: FileSource, more: object = {}): Computed =>
      compute(options, io, { ...this.#services, source: texts }, { onRule, ...more });
    if (early !== undefined && left !== undefined) {
      const likely = likelyAround(left, source, computeOver);
      if (likely !== undefined) early(likely);
      notes.length = 0;
    }
    let before: FoundInFiles | undefined;
    const onFound: RunOptions['onFound'] = ({ tree, outcomes }) => {
      if (sizeOf(tree.files.map(({ document }) => document)) < LARGE) return;
      before = editorFindings(tree.files, outcomes);
      early?.(likelyAfterChecks(before, left?.changed ?? new Map()));
    };
    const computed = computeOver(source, { onFound, ...(left && { documents: left.documents }) });
    const found = editorFindings(computed.result.tree.files, computed.result.outcomes);
    let audienceAt: EditorRun['audienceAt'] | undefined;
    const run: EditorRun = {
      options,
      computed,
      notes,
      found,
      audienceAt: (file, at) => (audienceAt ??= audiencesOf(computed.result, computed.reread))(file, at),
    };
    for (const kept of [this.#runs, this.#left]) if (kept.size >= MAX_RUNS) kept.clear();
    this.#runs.set(key, run);
    this.#left.set(key, {
      found,
      documents: new Map(computed.result.tree.files.map(({ path: real, document }) => [real, document])),
      changed: before === undefined ? new Map() : changedByChecks(before, found),
    });
    return run;
  }

  /** @param note is told what a run says */
  #ioFor(path: string, note: (bytes: string) => void): Io {
    return Object.create(this.#silent(note), {
      cwd: { value: path.startsWith('/') ? this.#directoryFor(path) : '/' },
      stdin: { value: () => this.#source.textOf(path) ?? '' },
    }) as Io;
  }

  /** What names in messages are relative to: where the editor was started, for what lies below. */
  #directoryFor(path: string): string {
    const { cwd } = this.#io;
    return cwd !== '/' && below(path, cwd) !== undefined ? cwd : dirname(path);
  }

  #fileAt(path: string, files: readonly ConfigFile[]): ConfigFile | undefined {
    if (!path.startsWith('/')) return files[0];
    const real = this.#source.realOf(path);
    return files.find((file) => file.path === real);
  }

  /** The paths under which the editor knows a file. @param asked the path that the run was made for */
  #namesOf(real: string, asked: string, opened: ReadonlyMap<string, readonly string[]>): readonly string[] {
    return asked.startsWith('/') ? (opened.get(real) ?? [real]) : [asked];
  }

  /** The process without its terminal: what a run says is for the editor. */
  #silent(note: (bytes: string) => void, print: (bytes: string) => void = () => undefined): Io {
    return Object.create(this.#io, {
      stderr: { value: { write: note, isTTY: false } },
      stdout: { value: { write: print, isTTY: false } },
      ask: { value: () => undefined },
    }) as Io;
  }
}

/** What is likely to be found after a change in a large server, by a run over what is around the change. */
function likelyAround(
  last: LastRun,
  source: FileSource,
  computeOver: (source: FileSource) => Computed,
): FoundInFiles | undefined {
  if (sizeOf(last.documents.values()) < LARGE) return undefined;
  const around = aroundChange(last, (path) => (source.kind(path) === 'file' ? source.read(path) : undefined));
  if (around === undefined) return undefined;
  try {
    const { result } = computeOver(overlay(source, around.texts));
    return around.withLast(editorFindings(result.tree.files, result.outcomes));
  } catch (error) {
    // What cannot be read without the rest is said by the run over all.
    if (error instanceof SourceError || error instanceof Trouble) return undefined;
    throw error;
  }
}

function sizeOf(documents: Iterable<Document>): number {
  let size = 0;
  for (const { text } of documents) size += text.length;
  return size;
}

function startOf({ document }: ConfigFile, line: number): number {
  return new EditorLines(document.text).lineAt(line).start;
}
