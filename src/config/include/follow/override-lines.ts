import { appendAll, type Directive } from '../../../syntax';
import { compilePathPattern, dirname, isPattern } from '../../source';

interface OverrideWord {
  /** The argument of the section: a path of the server or a pattern. */
  readonly path: string;
  readonly depth: number;
  readonly isNone: boolean;
  /** The line holds for every server, whatever conditionals say. */
  readonly isSure: boolean;
  /** Sections of one depth are merged in this order, those of virtual hosts last (server/core.c: ap_core_reorder_directories). */
  readonly rank: number;
  /** For a pattern, whether it matches a path of its depth. */
  readonly matches?: (path: string) => boolean;
}

/** The AllowOverride lines of a server: where httpd does not look for AccessFileName files at all. */
export class OverrideLines {
  readonly #byPath = new Map<string, OverrideWord[]>();
  readonly #patterns: OverrideWord[] = [];
  /** The directories around those that lines which allow something are for. */
  readonly #around = new Set<string>();
  #count = 0;

  /** @param section the path of the section that the line stands in; undefined for any other place, where it says nothing */
  add(
    section: string | undefined,
    { key, args }: Directive,
    { isSure, inHost }: { readonly isSure: boolean; readonly inHost: boolean },
  ): void {
    if (section === undefined) return;
    const path = section === '/' ? '/' : comparable(section.replace(/\/+$/, ''));
    const isNone = args.length === 1 && args[0]!.value.toLowerCase() === 'none';
    // In 2.2 there is no such list, and one that allows nothing takes nothing away.
    if (key === 'allowoverridelist' && isNone) return;
    const hasPattern = isPattern(path);
    const line = {
      path,
      depth: depthOf(path),
      isNone,
      isSure: isSure && !inHost && !hasPattern,
      rank: this.#count++ + (inHost ? HOSTS : 0),
    };
    // A pattern may be for less than it seems: it lets speak, and silences nobody.
    if (hasPattern) {
      if (!isNone) this.#patterns.push({ ...line, matches: compilePathPattern(path) });
      return;
    }
    const lines = this.#byPath.get(path);
    if (lines === undefined) this.#byPath.set(path, [line]);
    else lines.push(line);
    if (isNone) return;
    for (let at = path; at !== '/' && !this.#around.has(dirname(at));) this.#around.add((at = dirname(at)));
  }

  /** False where httpd reads no AccessFileName file in a directory nor below, whatever hosts and conditionals say. */
  mayReadBelow(directory: string): boolean {
    const path = comparable(directory);
    const depth = depthOf(path);
    return (
      this.#around.has(path) || this.#patterns.some((line) => line.depth > depth) || this.mayReadIn(directory)
    );
  }

  /** Whether that holds for the directory alone. */
  mayReadIn(directory: string): boolean {
    const path = comparable(directory);
    const speaking: OverrideWord[] = this.#patterns.filter((line) => covers(line, path));
    for (let at = path; ; at = dirname(at)) {
      const lines = this.#byPath.get(at) ?? [];
      appendAll(
        speaking,
        lines.filter(({ isNone }) => !isNone),
      );
      const none = lines.findLast(({ isNone, isSure }) => isNone && isSure);
      if (none !== undefined) return speaking.some((line) => isAfter(line, none));
      if (at === '/') return true;
    }
  }
}

/** More than there are lines. */
const HOSTS = 1e9;

function isAfter(line: OverrideWord, other: OverrideWord): boolean {
  return line.depth === other.depth ? line.rank > other.rank : line.depth > other.depth;
}

function covers({ depth, matches }: OverrideWord, directory: string): boolean {
  const parts = directory.split('/');
  return parts.length > depth && matches?.(parts.slice(0, depth + 1).join('/')) === true;
}

/** With the letter of a drive capitals count for nothing. */
function comparable(path: string): string {
  return /^[A-Za-z]:/.test(path) ? path.toLowerCase() : path;
}

function depthOf(path: string): number {
  return path === '/' ? 0 : path.split('/').length - 1;
}
