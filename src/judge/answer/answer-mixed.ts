import type { ConfigTree } from '../../config/types';
import { answerOf22 } from './answer-22';
import { answerOf24 } from './answer-24';
import { type Line, Unreadable } from '../text';
import { type Limited, MetSections, meetsTls } from './met-sections';
import type { JudgeClient, JudgeRequest, Letter } from './request';

type SectionLines = readonly Line[];

const isList = ({ name }: Line): boolean => /^(?:order|allow|deny|satisfy)$/.test(name);
const isRequire = ({ name }: Line): boolean => name.startsWith('require');

/** The lines of a section itself, those in `<Limit>` and in containers of Require lines too. */
function linesIn(body: SectionLines): readonly Line[] {
  return body.flatMap((line) =>
    /^(?:limit|limitexcept|require(?:all|any|none))$/.test(line.name)
      ? [line, ...linesIn(line.body ?? [])]
      : [line],
  );
}

/** Whether a section has a line that 2.4 alone knows. */
export function isFor24(body: SectionLines): boolean {
  return linesIn(body).some(
    ({ name, words: [first = '', second = ''] }) =>
      /^(?:authmerging|require(?:all|any|none))$/.test(name) ||
      (name === 'require' &&
        /^(?:all|env|expr|host|ip|local|method|ssl)$/i.test(first.toLowerCase() === 'not' ? second : first)),
  );
}

function hasLists(body: SectionLines): boolean {
  return linesIn(body).some(isList);
}

/** Whether a section says who gets in, to either version. */
function decides(body: SectionLines): boolean {
  return linesIn(body).some((line) => isList(line) || isRequire(line));
}

/** The answer about the section that decides for a request; undefined without one, or where one version alone is met. */
export function wantedOf(
  bodies: readonly SectionLines[],
  placesOf: (body: SectionLines) => readonly string[],
  chosen: NonNullable<ConfigTree['chosen']>,
): 'as-today' | 'as-written' | undefined {
  if (!bodies.some(isFor24) || !bodies.some(hasLists)) return undefined;
  const choice = choiceFor(bodies, placesOf, chosen);
  return choice === undefined ? undefined : choice === 'as-today' ? 'as-today' : 'as-written';
}

/** Whether a person answered that the section that decides is to say what it says today, whichever lines are met. */
export function isToStay(
  bodies: readonly SectionLines[],
  placesOf: (body: SectionLines) => readonly string[],
  chosen: NonNullable<ConfigTree['chosen']>,
): boolean {
  return choiceFor(bodies, placesOf, chosen) === 'as-today';
}

function choiceFor(
  bodies: readonly SectionLines[],
  placesOf: (body: SectionLines) => readonly string[],
  chosen: NonNullable<ConfigTree['chosen']>,
): string | undefined {
  const last = bodies.findLast(decides) ?? bodies.at(-1);
  if (last === undefined) return undefined;
  const key = !isFor24(last) && hasLists(last) ? 'old-lines' : 'half-converted';
  return chosen(key, placesOf(last))?.choice;
}

/** Decides as a 2.4 with mod_access_compat: the last section's lists and the Require lines, joined by its Satisfy. */
export function answerOfToday(bodies: readonly SectionLines[], request: JudgeRequest): Letter {
  if (!meetsTls(new MetSections(bodies), request)) throw new Unreadable('SSLRequireSSL');
  const lists = bodies.findLast((body) => linesIn(body).some(isList));
  const listed =
    lists === undefined ? 'P' : answerOf22(new MetSections([withoutRequire(lists)]), request, undefined);
  const users = answerOf24(new MetSections(bodies), request);
  const here: readonly Limited[] = new MetSections([lists ?? []]).linesFor(request.method)[0] ?? [];
  const satisfy = here.findLast(({ line, counts }) => line.name === 'satisfy' && counts);
  if (satisfy?.line.words[0]?.toLowerCase() === 'any') return listed === 'P' ? 'P' : users;
  return listed === 'P' ? users : 'F';
}

/**
 * Decides as the authors of the sections wrote them: a section with lines for 2.4 says all by itself, and after it the others are
 * read as by 2.2.
 * @param modules as for {@link answerOf22}
 */
export function answerAsWritten(
  bodies: readonly SectionLines[],
  request: JudgeRequest & JudgeClient,
  modules: readonly string[] | undefined,
): Letter {
  for (const body of bodies)
    for (const { name } of linesIn(body)) if (name === 'authmerging') throw new Unreadable(name);
  const at = bodies.findLastIndex(isFor24);
  if (at >= 0 && !bodies.slice(at + 1).some(decides)) return answerOf24(new MetSections(bodies), request);
  const read = bodies.map((body, i) => (i > at ? body : withoutRequire(withoutLists(body))));
  return answerOf22(new MetSections(read), request, modules);
}

function withoutRequire(body: SectionLines): SectionLines {
  return without(body, isRequire);
}

function withoutLists(body: SectionLines): SectionLines {
  return without(body, isList);
}

function without(body: SectionLines, goes: (line: Line) => boolean): SectionLines {
  return body.flatMap((line) =>
    goes(line) ? [] : line.body === undefined ? [line] : [line.with({ body: [...without(line.body, goes)] })],
  );
}
