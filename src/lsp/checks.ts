import type { Diagnostic } from 'vscode-languageserver/node';
import { DiagnosticSeverity } from 'vscode-languageserver/node';
import type { OpenDocuments } from './documents';
import type { Checked, EditorFinding, RemoteAnalyst } from './types';

/** Milliseconds without a change before a run begins. */
const QUIET_MS = 20;

const SEVERITIES: Readonly<Record<EditorFinding['level'], DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
};

/** What the checks need of the connection. */
interface Publisher {
  publish(uri: string, version: number | null, diagnostics: Diagnostic[]): void;
  note(line: string): void;
}

/** The paths that were checked together, and the one that was asked about. */
interface CheckedTogether {
  readonly asked: string;
  readonly paths: ReadonlySet<string>;
}

/**
 * Has the server of each text that changes checked, once nothing has changed for a moment, and shows what was found: of a large
 * server first what is likely, then what is so. What a run finds that a change has overtaken is passed over.
 */
export class Checks {
  readonly #analyst: RemoteAnalyst;
  readonly #documents: OpenDocuments;
  readonly #publisher: Publisher;
  /** Paths of open texts whose server is to be checked. */
  readonly #due = new Set<string>();
  #groups: readonly CheckedTogether[] = [];
  /** Path → what is shown there now, for which version of an open text. */
  readonly #shown = new Map<
    string,
    { readonly version: number | null; readonly findings: readonly EditorFinding[] }
  >();
  #noted = '';
  #timer: NodeJS.Timeout | undefined;
  #turn = 0;
  #isRunning = false;
  #isEnded = false;

  constructor(analyst: RemoteAnalyst, documents: OpenDocuments, publisher: Publisher) {
    this.#analyst = analyst;
    this.#documents = documents;
    this.#publisher = publisher;
  }

  /** @param paths whose servers have changed. @param delay milliseconds */
  ask(paths: readonly string[], delay = QUIET_MS): void {
    for (const path of paths) this.#due.add(path);
    this.#analyst.overtake(++this.#turn);
    clearTimeout(this.#timer);
    if (!this.#isEnded) this.#timer = setTimeout(() => void this.#runAll(), delay);
  }

  /** A text is closed: nothing is shown of its server, unless others of it are open. */
  close(path: string): void {
    this.#due.delete(path);
    const open = new Set(this.#documents.paths());
    const isLeft = ({ paths }: CheckedTogether): boolean =>
      paths.has(path) && ![...paths].some((other) => open.has(other));
    for (const { paths } of this.#groups.filter(isLeft)) this.#clear(paths);
    this.#groups = this.#groups.filter((group) => !isLeft(group));
    this.ask([...open]);
  }

  end(): void {
    this.#isEnded = true;
    clearTimeout(this.#timer);
  }

  /** Tells the analyst the texts as they are now: to be waited for before it is asked. */
  async bringUpToDate(): Promise<void> {
    const texts = this.#documents.takeUntold();
    if (texts.size > 0) await this.#analyst.update(texts);
  }

  async #runAll(): Promise<void> {
    // It ends as soon as it has heard that it is overtaken.
    if (this.#isRunning) {
      this.ask([], QUIET_MS);
      return;
    }
    this.#isRunning = true;
    try {
      for (const path of this.#due) if (!(await this.#run(path))) break;
    } finally {
      this.#isRunning = false;
    }
  }

  /** @returns false where a change has come between */
  async #run(path: string): Promise<boolean> {
    const turn = this.#turn;
    try {
      await this.bringUpToDate();
      const checked = await this.#analyst.check(path, turn, (likely) => {
        if (this.#turn === turn && !this.#isEnded) this.#show(path, likely);
      });
      if (this.#turn !== turn || this.#isEnded) return false;
      this.#due.delete(path);
      if (checked !== undefined) this.#settle(path, checked);
    } catch (error) {
      if (this.#turn !== turn || this.#isEnded) return false;
      this.#due.delete(path);
      this.#settle(path, { files: [{ path, findings: [] }], notes: [(error as Error).message] });
    }
    return true;
  }

  /** Shows the answer to a check: of what was checked with it nothing is due any more. */
  #settle(asked: string, checked: Checked): void {
    for (const { path } of checked.files) this.#due.delete(path);
    const noted = checked.notes.join('\n');
    if (noted !== this.#noted && noted !== '') this.#publisher.note(noted);
    this.#noted = noted;
    this.#show(asked, checked);
  }

  #show(asked: string, { files }: Checked): void {
    const paths = new Set(files.map(({ path }) => path));
    const isSame = (group: CheckedTogether): boolean =>
      group.asked === asked || paths.has(group.asked) || group.paths.has(asked);
    for (const group of this.#groups.filter(isSame))
      this.#clear([...group.paths].filter((path) => !paths.has(path)));
    this.#groups = [...this.#groups.filter((group) => !isSame(group)), { asked, paths }];
    // Who waits for an open text has all the others by then.
    const isOpen = ({ path }: { path: string }): boolean => this.#documents.named(path).version !== null;
    for (const { path, findings } of [...files.filter((file) => !isOpen(file)), ...files.filter(isOpen)])
      this.#publish(path, findings);
  }

  #clear(paths: Iterable<string>): void {
    for (const path of paths) if (this.#shown.has(path)) this.#publish(path, []);
  }

  #publish(path: string, findings: readonly EditorFinding[]): void {
    const { uri, version } = this.#documents.named(path);
    const before = this.#shown.get(path);
    const isNews = version !== null || findings.length > 0 || before !== undefined;
    if (!isNews || (before?.version === version && sameFindings(before.findings, findings))) return;
    if (findings.length > 0 || version !== null) this.#shown.set(path, { version, findings });
    else this.#shown.delete(path);
    this.#publisher.publish(uri, version, findings.map(diagnosticOf));
  }
}

/** A large server has thousands, twice for each change: as texts they would take longer to compare than to be told. */
function sameFindings(some: readonly EditorFinding[], others: readonly EditorFinding[]): boolean {
  return some.length === others.length && some.every((finding, i) => isSameFinding(finding, others[i]!));
}

function isSameFinding(a: EditorFinding, b: EditorFinding): boolean {
  return (
    a.message === b.message &&
    a.rule === b.rule &&
    a.level === b.level &&
    isSamePlace(a.range.start, b.range.start) &&
    isSamePlace(a.range.end, b.range.end)
  );
}

function isSamePlace(a: EditorFinding['range']['start'], b: EditorFinding['range']['start']): boolean {
  return a.line === b.line && a.character === b.character;
}

function diagnosticOf({ range, level, rule, message }: EditorFinding): Diagnostic {
  return { range, severity: SEVERITIES[level], code: rule, source: 'httpd-codemod', message };
}
