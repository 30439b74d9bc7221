import type { ConfigTree } from '../config/types';
import { decidesAccess } from './reading';
import { type MetOnWay, linesIn } from './site';
import { type Line, everyLine } from './text';
import type { JudgedFinding } from './types';

/** Whether 2.4 answers by lines that no change has touched, of which an error says that they let others in. */
export function isOfAuthor(
  { bodies, sections }: MetOnWay,
  before: ConfigTree,
  after: ConfigTree,
  findings: readonly JudgedFinding[],
): boolean {
  const decides = bodies.findLast((lines) => [...everyLine(lines)].some(({ name }) => name === 'require'));
  const [first] = decides ?? [];
  if (decides === undefined || first === undefined) return false;
  const section = sections.find(({ body }) => body === decides);
  const path = section?.file ?? first.file;
  const was = linesOf(before, path);
  const is = section === undefined ? linesOf(after, path) : bodyAt(linesOf(after, path), section);
  if (is === undefined) return false;
  const included = new Set([...everyLine(decides)].flatMap(({ file }) => (file === path ? [] : [file])));
  for (const file of included)
    if (accessText(linesOf(before, file)) !== accessText(linesOf(after, file))) return false;
  const text = accessText(is);
  // Where the section stands in the text as it was; where several would be it, nobody can say.
  const places = [...everyLine(was)].filter(
    ({ name, rest, body }) =>
      name === section?.name && rest === section.rest && body !== undefined && accessText(body) === text,
  );
  if (section === undefined ? accessText(was) !== text : places.length !== 1) return false;
  const { body = was, start, end } = places[0] ?? { start: 0, end: Infinity };
  return findings.some(
    ({ level, status, file, at }) =>
      level === 'error' &&
      status === 'none' &&
      (included.has(file.path) || (file.path === path && start <= at && at < end && !isInInner(body, at))),
  );
}

function linesOf({ files }: ConfigTree, wanted: string): readonly Line[] {
  const file = files.find(({ path }) => path === wanted);
  return file === undefined ? [] : linesIn(file);
}

function bodyAt(lines: readonly Line[], { start, end }: Line): readonly Line[] | undefined {
  return [...everyLine(lines)].find(
    (line) => line.body !== undefined && line.start === start && line.end === end,
  )?.body;
}

/** Sections whose lines are not those of the section around them. */
const INNER = /^(?:files|filesmatch|if|elseif|else)$/;

/** The lines about access of a section, without those in such sections: an empty one leaves nothing behind. */
function accessText(lines: readonly Line[]): string {
  return lines
    .map(({ name, rest, body }) => {
      if (body === undefined) return decidesAccess(name) ? `${name} ${rest}\n` : '';
      const text = INNER.test(name) ? '' : accessText(body);
      return text === '' ? '' : `<${name} ${rest}\n${text}>`;
    })
    .join('');
}

function isInInner(lines: readonly Line[], at: number): boolean {
  return lines.some(
    ({ name, body, start, end }) =>
      body !== undefined && start <= at && at < end && (INNER.test(name) || isInInner(body, at)),
  );
}
