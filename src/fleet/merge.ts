import { groupBy } from '../maps';
import {
  type FleetDrift,
  type FleetQuestion,
  type FleetReport,
  HOST_STATUSES,
  type HostFile,
  type HostReport,
  type HostStatus,
} from './types';

/** Places of a host that a question names. */
const MAX_PLACES = 5;

/** Directories that are listed; those with most findings. */
const MAX_LISTED = 200;

/** The reports of many hosts as one. @param before an earlier merge, to tell the progress against */
export function mergeHosts(given: readonly HostReport[], before?: FleetReport): FleetReport {
  const hosts = withUniqueNames(given);
  const earlier = new Map(before?.hosts.map(({ name, status }) => [name, status]));
  return {
    version: 1,
    hosts: hosts.map(({ name, group, status, changes, blockers, trouble }) => {
      const was = earlier.get(name);
      return { name, group, status, changes, blockers, trouble, ...(was && { before: was }) };
    }),
    groups: grouped(hosts, ({ group }) => group).map(([name, all]) => ({ name, counts: countsOf(all) })),
    questions: questionsOf(hosts),
    assumptions: assumptionsIn(hosts),
    places: placesIn(hosts),
    drift: driftIn(hosts),
    ...(before && { progress: progressOf(hosts, before) }),
  };
}

/** Where two groups have a host of one name, both are called by their group, too. */
function withUniqueNames(hosts: readonly HostReport[]): readonly HostReport[] {
  const counts = new Map<string, number>();
  for (const { name } of hosts) counts.set(name, (counts.get(name) ?? 0) + 1);
  return hosts.map((host) =>
    counts.get(host.name) === 1 ? host : { ...host, name: `${host.group}/${host.name}` },
  );
}

export function countsOf(hosts: readonly { readonly status: HostStatus }[]): Record<HostStatus, number> {
  const counts = Object.fromEntries(HOST_STATUSES.map((status) => [status, 0])) as Record<HostStatus, number>;
  for (const { status } of hosts) counts[status]++;
  return counts;
}

function grouped<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
): readonly (readonly [string, readonly T[]])[] {
  return [...groupBy(items, keyOf)].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Names of files and numbers are those of a host: without them, one question is the same everywhere. */
const withoutPlaces = (text: string): string =>
  text.replace(/[^\s'"`()<>]+/g, (word) => (word.includes('/') ? '*' : word.replace(/[0-9]+/g, '*')));

function questionsOf(hosts: readonly HostReport[]): readonly FleetQuestion[] {
  const asked = hosts.flatMap((host) => host.questions.map((question) => ({ host, question })));
  const questions = grouped(
    asked,
    ({ question: { rules, text } }) => `${rules.join(' ')}\n${withoutPlaces(text)}`,
  );
  return questions
    .map(([, same]): FleetQuestion => {
      const [{ question }] = same as [(typeof same)[number]];
      const byHost = grouped(same, ({ host }) => host.name).map(([name, all]) => {
        const places = all.flatMap((each) => each.question.places);
        return { name, places: places.slice(0, MAX_PLACES), findings: places.length };
      });
      return {
        text: question.text,
        rules: question.rules,
        blocker: same.some((each) => each.question.isBlocker),
        findings: byHost.reduce((sum, { findings }) => sum + findings, 0),
        hosts: byHost,
      };
    })
    .sort((a, b) => Number(b.blocker) - Number(a.blocker) || b.hosts.length - a.hosts.length);
}

function assumptionsIn(hosts: readonly HostReport[]): FleetReport['assumptions'] {
  const all = hosts.flatMap(({ name, assumptions }) => assumptions.map((each) => ({ name, ...each })));
  return grouped(all, ({ key }) => key)
    .map(([key, same]) => ({
      key,
      text: same[0]!.text,
      findings: same.reduce((sum, { findings }) => sum + findings, 0),
      hosts: same.map(({ name }) => name),
    }))
    .sort((a, b) => b.hosts.length - a.hosts.length);
}

function placesIn(hosts: readonly HostReport[]): FleetReport['places'] {
  const places = hosts.flatMap(({ name, questions }) => {
    const paths = questions.flatMap((question) => question.places.map(directoryOf));
    return grouped(paths, (path) => path).map(([path, same]) => ({
      host: name,
      path,
      findings: same.length,
    }));
  });
  return places.sort((a, b) => b.findings - a.findings).slice(0, MAX_LISTED);
}

/** @param place `path:line` */
function directoryOf(place: string): string {
  const slash = place.lastIndexOf('/');
  return slash < 0 ? '.' : place.slice(0, slash);
}

/** Fewer hosts have no majority. */
const LEAST_ALIKE = 3;

interface Copy extends HostFile {
  readonly name: string;
  readonly path: string;
}

function driftIn(hosts: readonly HostReport[]): FleetReport['drift'] {
  return grouped(hosts, ({ group }) => group).flatMap(([group, members]) => {
    const found = members.flatMap(({ name, files }) =>
      [...files].map(([path, file]): Copy => ({ name, path, ...file })),
    );
    return grouped(found, ({ path }) => path).flatMap(([path, copies]): readonly FleetDrift[] => {
      const differing = unlikeMost(copies);
      const sameText = copies.some(({ result }) => result !== copies[0]!.result)
        ? unlikeTheirText(copies)
        : [];
      return differing.length + sameText.length === 0
        ? []
        : [{ group, path, hosts: copies.length, differing, sameText }];
    });
  });
}

/** The hosts whose result is not that of most. */
function unlikeMost(copies: readonly Copy[]): string[] {
  const most = commonResult(copies);
  const isMost =
    most !== undefined && copies.filter(({ result }) => result === most).length * 2 > copies.length;
  return copies.length < LEAST_ALIKE || !isMost
    ? []
    : copies.filter(({ result }) => result !== most).map(({ name }) => name);
}

/** The hosts whose result is not that of the others with their very text; all of these where none is the more common. */
function unlikeTheirText(copies: readonly Copy[]): string[] {
  return [...groupBy(copies, ({ text }) => text)].flatMap(([text, same]) => {
    if (text === undefined) return [];
    const common = commonResult(same);
    return same.filter(({ result }) => result !== common).map(({ name }) => name);
  });
}

/** The result that more copies have than any other; undefined where two are as common. */
function commonResult(copies: readonly Copy[]): string | undefined {
  const counts = [...groupBy(copies, ({ result }) => result)].sort(([, a], [, b]) => b.length - a.length);
  const [first, second] = counts;
  return first === undefined || first[1].length === second?.[1].length ? undefined : first[0];
}

function progressOf(hosts: readonly HostReport[], before: FleetReport): NonNullable<FleetReport['progress']> {
  const now = new Map(hosts.map(({ name, status }) => [name, status]));
  const earlier = new Map(before.hosts.map(({ name, status }) => [name, status]));
  return {
    counts: countsOf(before.hosts),
    moved: hosts.flatMap(({ name, status }) => {
      const from = earlier.get(name);
      return from === undefined || from === status ? [] : [{ name, from, to: status }];
    }),
    added: [...now.keys()].filter((name) => !earlier.has(name)),
    gone: [...earlier.keys()].filter((name) => !now.has(name)),
  };
}
