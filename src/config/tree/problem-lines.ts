import { type Directive, firstWhere } from '../../syntax';
import type { ConfigFile, Problem } from '../types';

/** Gives those of the problems that are at a line. A file may have a hundred thousand Includes, each with its problem. */
export function problemsByLine(
  problems: readonly Problem[],
): (node: Directive, file: ConfigFile) => readonly Problem[] {
  const byFile = new Map<string, Problem[]>();
  for (const problem of [...problems].sort((a, b) => a.at - b.at)) {
    const list = byFile.get(problem.file.path);
    if (list === undefined) byFile.set(problem.file.path, [problem]);
    else list.push(problem);
  }
  return ({ start, end }, { path }) => {
    const list = byFile.get(path) ?? [];
    const [from, to] = [start, end].map((offset) => firstWhere(list, ({ at }) => at >= offset));
    return list.slice(from, to);
  };
}
