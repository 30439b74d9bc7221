import type { GivenFile } from './protocol';

/** Files of a directory that are listed at most: a whole disk dropped by mistake must not fill the memory. */
const MOST = 100_000;
/** Levels of directories. */
const DEEPEST = 64;

/** What is never configuration, and may hold a million files. */
const SKIPPED = new Set(['.git', '.svn', 'node_modules', '__MACOSX']);

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
  return given.filter(({ path }) => !path.split('/').some((part) => SKIPPED.has(part)));
}

async function walk(
  entry: FileSystemEntry,
  depth: number,
  found: GivenFile[],
  progress: (text: string) => void,
): Promise<void> {
  if (found.length >= MOST || depth > DEEPEST || SKIPPED.has(entry.name)) return;
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => {
      (entry as FileSystemFileEntry).file(resolve, reject);
    });
    found.push({ path: entry.fullPath.replace(/^\/+/, ''), file });
    if (found.length % 100 === 0) progress(`Found ${found.length} files`);
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  // It hands out a hundred names at a time, and none at the end.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject);
    });
    if (some.length === 0) return;
    for (const child of some) await walk(child, depth + 1, found, progress);
  }
}
