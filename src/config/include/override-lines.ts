import type { Directive } from '../../syntax';
import { below, compilePathPattern, isPattern } from '../source';

interface OverrideWord {
  /** Of the section: a path of the server or a pattern. */
  readonly path: string;
  readonly depth: number;
  readonly isNone: boolean;
  /** It holds for every server, whatever conditionals say. */
  readonly isSure: boolean;
  /** Sections of one depth are merged in this order, those of virtual hosts last (server/core.c: ap_core_reorder_directories). */
  readonly rank: number;
  readonly prefixMatches: ((path: string) => boolean) | undefined;
}

/** The AllowOverride lines of a server: where httpd does not look for AccessFileName files at all. */
export class OverrideLines {
  readonly #lines: OverrideWord[] = [];

  /** @param section the path of the section that the line stands in; undefined for any other place, where it says nothing */
  add(
    section: string | undefined,
    { key, args }: Directive,
    { isSure, inHost }: { readonly isSure: boolean; readonly inHost: boolean },
  ): void {
    if (section === undefined) return;
    const path = section === '/' ? '/' : comparable(section.replace(/\/+$/, ''));
    const hasPattern = isPattern(path);
    const isNone = args.length === 1 && args[0]!.value.toLowerCase() === 'none';
    // In 2.2 there is no such list, and one that allows nothing takes nothing away.
    if (key === 'allowoverridelist' && isNone) return;
    this.#lines.push({
      path,
      depth: depthOf(path),
      isNone,
      isSure: isSure && !inHost && !hasPattern,
      rank: this.#lines.length + (inHost ? HOSTS : 0),
      prefixMatches: hasPattern ? compilePathPattern(path) : undefined,
    });
  }

  /** False where httpd reads no AccessFileName file in a directory nor below it, whatever virtual hosts and conditionals there are. */
  mayReadBelow(directory: string): boolean {
    return this.#mayRead(directory, true);
  }

  /** The same for the directory alone. */
  mayReadIn(directory: string): boolean {
    return this.#mayRead(directory, false);
  }

  #mayRead(path: string, withThoseBelow: boolean): boolean {
    const directory = comparable(path);
    let none: OverrideWord | undefined;
    for (const line of this.#lines)
      if (line.isNone && line.isSure && below(directory, line.path) !== undefined && (none === undefined || isAfter(line, none)))
        none = line; // prettier-ignore
    if (none === undefined) return true;
    const last = none;
    const depth = depthOf(directory);
    return this.#lines.some((line) => {
      if (line.isNone) return false;
      if (line.depth > depth) return withThoseBelow && mayLieBelow(line, directory);
      return covers(line, directory) && isAfter(line, last);
    });
  }
}

/** More than there are lines. */
const HOSTS = 1e9;

function isAfter(line: OverrideWord, other: OverrideWord): boolean {
  return line.depth === other.depth ? line.rank > other.rank : line.depth > other.depth;
}

function covers({ path, depth, prefixMatches }: OverrideWord, directory: string): boolean {
  if (prefixMatches === undefined) return below(directory, path) !== undefined;
  return prefixMatches(
    directory
      .split('/')
      .slice(0, depth + 1)
      .join('/'),
  );
}

/** What a pattern is for may lie anywhere. */
function mayLieBelow({ path, prefixMatches }: OverrideWord, directory: string): boolean {
  return prefixMatches !== undefined || below(path, directory) !== undefined;
}

/** With the letter of a drive capitals count for nothing. */
function comparable(path: string): string {
  return /^[A-Za-z]:/.test(path) ? path.toLowerCase() : path;
}

function depthOf(path: string): number {
  return path === '/' ? 0 : path.split('/').length - 1;
}
