import { byId } from './dom';
import type { GivenFile } from './protocol';
import { isSkipped } from './skipped';

/** Files of a directory that are listed at most: a whole disk dropped by mistake must not fill the memory. */
const MOST = 100_000;
/** Levels of directories. */
const DEEPEST = 64;

/** What becomes of a drop. */
interface DropEvents {
  /** How far the search for files is, for a person. */
  readonly found: (text: string) => void;
  readonly given: (files: readonly GivenFile[]) => void;
  readonly failed: (text: string) => void;
}

/** Takes what is dropped anywhere on the page. */
export class Drops {
  readonly #events: DropEvents;
  /** Ends the search for files that is under way. */
  #search = new AbortController();

  constructor(events: DropEvents) {
    this.#events = events;
  }

  cancel(): void {
    this.#search.abort();
  }

  listen(): void {
    addEventListener('dragover', (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      byId('drop').hidden = false;
    });
    addEventListener('dragleave', (event) => {
      if (event.relatedTarget === null) byId('drop').hidden = true;
    });
    // Before the editor, which would put the text of a file where it is dropped.
    addEventListener(
      'drop',
      (event) => {
        byId('drop').hidden = true;
        if (!hasFiles(event) || event.dataTransfer === null) return;
        event.preventDefault();
        event.stopPropagation();
        void this.#searchIn(event.dataTransfer);
      },
      { capture: true },
    );
  }

  async #searchIn(transfer: DataTransfer): Promise<void> {
    this.cancel();
    const { signal } = (this.#search = new AbortController());
    try {
      const files = await droppedFiles(transfer, this.#events.found, signal);
      if (!signal.aborted) this.#events.given(files);
    } catch (error) {
      if (!signal.aborted) this.#events.failed((error as Error).message);
    }
  }
}

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true;

/** The files that were dropped, those in directories with their paths. */
async function droppedFiles(
  transfer: DataTransfer,
  progress: (text: string) => void,
  signal: AbortSignal,
): Promise<GivenFile[]> {
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  if (entries.length === 0) return [...transfer.files].map((file) => ({ path: file.name, file }));
  const found: GivenFile[] = [];
  const add = (file: GivenFile): void => {
    if (found.length >= MOST) throw new Error(`there are more than ${MOST} files in it`);
    found.push(file);
    if (found.length % 100 === 0) progress(`Found ${found.length} files`);
  };
  progress('Looking for files');
  for (const entry of entries) await walk(entry, 0, add, signal);
  return found;
}

/** The files that were chosen in a dialog. */
export function chosenFiles(list: FileList): GivenFile[] {
  const given = [...list].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
  return given.filter(({ path }) => !isSkipped(path));
}

async function walk(
  entry: FileSystemEntry,
  depth: number,
  add: (file: GivenFile) => void,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  if (isSkipped(entry.name)) return;
  if (depth > DEEPEST) throw new Error(`there are more than ${DEEPEST} directories below each other in it`);
  const path = entry.fullPath.replace(/^\/+/, '');
  if (entry.isFile) {
    const file = await new Promise<File | undefined>((resolve) => {
      (entry as FileSystemFileEntry).file(resolve, () => resolve(undefined));
    });
    return add({ path, file });
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  // It hands out a hundred names at a time, and none at the end.
  for (;;) {
    const some = await new Promise<FileSystemEntry[] | undefined>((resolve) => {
      reader.readEntries(resolve, () => resolve(undefined));
    });
    if (some === undefined) add({ path, file: undefined });
    if (some === undefined || some.length === 0) return;
    for (const child of some) await walk(child, depth + 1, add, signal);
  }
}
