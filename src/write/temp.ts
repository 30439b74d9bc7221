import {
  closeSync, fchmodSync, fchownSync, fstatSync, fsyncSync, linkSync, openSync, type Stats, unlinkSync, writeSync,
} from 'node:fs'; // prettier-ignore

/** A path as the system takes it: file names are bytes, not text. */
export function raw(path: string): Buffer {
  return Buffer.from(path, 'latin1');
}

let counter = 0;

/** A name beside `path` that nothing has yet. It begins with a dot: httpd's `Include conf.d/*` passes it over. */
function besides(path: string): string {
  const directory = path.slice(0, path.lastIndexOf('/') + 1);
  return `${directory}.httpd-codemod-${Date.now().toString(36)}-${counter++}`;
}

/**
 * Writes a new file beside `path`, safe on the disk, with the owner and mode that `like` says.
 * @returns its path
 * @throws the system's error; nothing is left behind then
 */
export function writeTemp(path: string, text: string, like: Stats): string {
  const temp = besides(path);
  const fd = openSync(raw(temp), 'wx', 0o600);
  try {
    const bytes = raw(text);
    for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at);
    const { uid, gid } = fstatSync(fd);
    if (uid !== like.uid || gid !== like.gid) fchownSync(fd, like.uid, like.gid);
    // After the owner: changing that clears set-id bits.
    fchmodSync(fd, like.mode & 0o7777);
    fsyncSync(fd);
  } catch (error) {
    removeQuietly(temp);
    throw error;
  } finally {
    closeSync(fd);
  }
  return temp;
}

/** Keeps the file at `path` under a second name until it is known that it is not wanted back. */
export function keep(path: string, text: string, like: Stats): string {
  const kept = besides(path);
  try {
    linkSync(raw(path), raw(kept));
    return kept;
  } catch {
    // A file system without links, or a rule against them.
    return writeTemp(path, text, like);
  }
}

export function removeQuietly(path: string): void {
  try {
    unlinkSync(raw(path));
  } catch {
    // It is gone, or its directory is read-only by now: no reason to fail the write that has been done.
  }
}

/** Makes the renames in a directory outlast a power cut, where the system can. */
export function syncDirectory(path: string): void {
  try {
    const fd = openSync(raw(path), 'r');
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch {
    // Some file systems refuse it; the renames stand all the same.
  }
}
