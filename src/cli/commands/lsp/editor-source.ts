import { adding, dirname, overlay, remember } from '../../../config';
import type { FileSource } from '../../../config/types';

/** The disk with the texts of an editor above it. What the disk has said is remembered until {@link forget}. */
export class EditorSource {
  readonly #disk: FileSource;
  /** Path as the editor names it → text. */
  readonly #texts = new Map<string, string>();
  #remembered: FileSource;

  constructor(disk: FileSource) {
    this.#disk = disk;
    this.#remembered = remember(disk);
  }

  update(texts: ReadonlyMap<string, string | undefined>): void {
    for (const [path, text] of texts)
      if (text === undefined) this.#texts.delete(path);
      else this.#texts.set(path, text);
  }

  forget(): void {
    this.#remembered = remember(this.#disk);
  }

  textOf(path: string): string | undefined {
    return this.#texts.get(path);
  }

  /** The path of the file that is read there; the path itself where there is none yet. */
  realOf(path: string): string {
    return this.#remembered.kind(path) === 'file' ? this.#remembered.real(path) : path;
  }

  /** The paths that the editor has of each file, by the path of the file itself. */
  opened(): ReadonlyMap<string, readonly string[]> {
    const found = new Map<string, string[]>();
    for (const path of this.#texts.keys()) {
      const real = this.realOf(path);
      found.set(real, [...(found.get(real) ?? []), path]);
    }
    return found;
  }

  /** What a run reads now. */
  now(): FileSource {
    const source = this.#remembered;
    const known = new Map<string, string>();
    const fresh = new Map<string, string>();
    for (const [path, text] of this.#texts) {
      if (!path.startsWith('/')) continue;
      if (source.kind(path) === 'file') known.set(source.real(path), text);
      // A new file is in its directory once that is there.
      else if (source.kind(path) === undefined && source.kind(dirname(path)) === 'directory')
        fresh.set(`${trimmed(source.real(dirname(path)))}/${path.slice(path.lastIndexOf('/') + 1)}`, text);
    }
    const withTexts = overlay(source, known);
    return fresh.size === 0 ? withTexts : adding(withTexts, fresh);
  }
}

const trimmed = (directory: string): string => (directory === '/' ? '' : directory);
