import type { JudgedFinding } from './types';
import type { Line } from './text';
import { decidesAccess } from './reading';

interface JudgedEdit<F> {
  readonly start: number;
  readonly end: number;
  readonly finding: F;
  /** The edit takes away, or writes, a line that has to do with who gets in. */
  readonly decides: boolean;
}

/** The edits that are applied, by where they are made. */
export class EditPlaces<F extends JudgedFinding> {
  readonly #byFile = new Map<string, JudgedEdit<F>[]>();

  constructor(findings: readonly F[]) {
    // Thousands of files have the same few lines.
    const known = new Map<string, boolean>();
    const decidesIn = (lines: string): boolean => {
      let decides = known.get(lines);
      if (decides === undefined) known.set(lines, (decides = hasDecidingLine(lines)));
      return decides;
    };
    for (const finding of findings) {
      if (finding.status !== 'applied') continue;
      const { edits, at, file } = finding;
      const { path, document } = file;
      // Where several runs have made it, the edits of all may be with another finding of the file.
      for (const { start, end, text } of edits.length > 0
        ? edits
        : [{ start: at, end: at, text: OF_ACCESS }]) {
        const decides = decidesIn(text) || decidesIn(lineAround(document.text, start, end));
        let list = this.#byFile.get(path);
        if (list === undefined) this.#byFile.set(path, (list = []));
        list.push({ start, end, finding, decides });
      }
    }
    for (const list of this.#byFile.values()) list.sort((a, b) => a.start - b.start);
  }

  get isEmpty(): boolean {
    return ![...this.#byFile.keys()].some((path) => this.has(path));
  }

  /** Whether a file has an edit that has to do with who gets in: 500 may be the answer to any line of a `.htaccess`. */
  has(path: string): boolean {
    return (
      this.#byFile.get(path)?.some(({ decides, finding }) => decides || finding.file.role === 'htaccess') ===
      true
    );
  }

  /** Whether a section, or a file that it includes, has such an edit. */
  inSection(section: Line): boolean {
    const { file, start, end, body = [] } = section;
    return (
      this.#within(file, start, end).some(({ decides }) => decides) ||
      body.some((line) => line.file !== file && this.has(line.file))
    );
  }

  /** The changes in what a request meets: in its sections, else in its files; where some are about access, these. */
  concerned(sections: readonly Line[], files: ReadonlySet<string>): readonly F[] {
    const inSections = [
      ...sections.flatMap(({ file, start, end }) => this.#within(file, start, end)),
      ...[...files]
        .filter((path) => !sections.some(({ file }) => file === path))
        .flatMap((path) => this.#byFile.get(path) ?? []),
    ];
    const all =
      inSections.length > 0 ? inSections : [...files].flatMap((path) => this.#byFile.get(path) ?? []);
    const deciding = all.filter(({ decides }) => decides);
    return [...new Set((deciding.length > 0 ? deciding : all).map(({ finding }) => finding))];
  }

  #within(file: string, start: number, end: number): readonly JudgedEdit<F>[] {
    const list = this.#byFile.get(file) ?? [];
    let low = 0;
    for (let high = list.length; low < high;) {
      const middle = (low + high) >> 1;
      if (list[middle]!.start < start) low = middle + 1;
      else high = middle;
    }
    const found: JudgedEdit<F>[] = [];
    for (let i = low; i < list.length && list[i]!.start < end; i++) found.push(list[i]!);
    return found;
  }
}

/** What is taken to be written where that is not known. */
const OF_ACCESS = 'Require';

function lineAround(text: string, start: number, end: number): string {
  return text.slice(text.lastIndexOf('\n', start - 1) + 1, end);
}

function hasDecidingLine(text: string): boolean {
  for (const [, name = ''] of text.matchAll(/^[ \t]*<?\/?([A-Za-z]+)/gm))
    if (decidesAccess(name.toLowerCase())) return true;
  return false;
}
