import type { GivenFile } from './protocol';
import { isSkipped } from './skipped';

/** Files of a directory that are listed at most: a whole disk dropped by mistake must not fill the memory. */
const MOST = 100_000;
/** Levels of directories. */
const DEEPEST = 64;

/** The files that were dropped, those in directories with their paths. */
export async function droppedFiles(
  transfer: DataTransfer,
  progress: (text: string) => void,
): Promise<GivenFile[]> {
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  if (entries.length === 0) return [...transfer.files].map((file) => ({ path: file.name, file }));
  const found: GivenFile[] = [];
  for (const entry of entries) await walk(entry, 0, found, progress);
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
  found: GivenFile[],
  progress: (text: string) => void,
): Promise<void> {
  if (isSkipped(entry.name)) return;
  if (found.length >= MOST) throw new Error(`there are more than ${MOST} files in it`);
  if (depth > DEEPEST) throw new Error(`there are more than ${DEEPEST} directories below each other in it`);
  const path = entry.fullPath.replace(/^\/+/, '');
  if (entry.isFile) {
    const file = await new Promise<File | undefined>((resolve) => {
      (entry as FileSystemFileEntry).file(resolve, () => resolve(undefined));
    });
    found.push({ path, file });
    if (found.length % 100 === 0) progress(`Found ${found.length} files`);
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  // It hands out a hundred names at a time, and none at the end.
  for (;;) {
    const some = await new Promise<FileSystemEntry[] | undefined>((resolve) => {
      reader.readEntries(resolve, () => resolve(undefined));
    });
    if (some === undefined) found.push({ path, file: undefined });
    if (some === undefined || some.length === 0) return;
    for (const child of some) await walk(child, depth + 1, found, progress);
  }
}
