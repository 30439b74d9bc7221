import type { FleetReport, HostStatus } from './types';
import { HOST_STATUSES } from './types';
import { countsOf } from './merge';

/** What a status is called, and what it means. */
export const STATUS_WORDS: Readonly<Record<HostStatus, readonly [name: string, meaning: string]>> = {
  done: ['done', 'nothing is left to change'],
  ready: ['can move today', 'nothing keeps 2.4 from starting, and nothing is asked'],
  questions: ['wait for answers', 'can move once somebody has answered'],
  blocked: ['blocked', '2.4 would not start, or who gets in would change'],
  failed: ['not judged', 'the run could not be done'],
};

/** The verdict over all hosts, for people. */
export function fleetVerdict({ hosts, questions }: FleetReport): string {
  const counts = countsOf(hosts);
  const parts = HOST_STATUSES.filter((status) => counts[status] > 0).map(
    (status) => `${counts[status]} ${STATUS_WORDS[status][0]}`,
  );
  const [first] = questions;
  const most =
    first === undefined || first.hosts.length < 2
      ? ''
      : ` One answer helps ${first.hosts.length} hosts: ${first.text}`;
  return `${hosts.length} ${hosts.length === 1 ? 'host' : 'hosts'}: ${parts.join(', ')}.${most}`;
}

/** The groups' name for people: reports that lie in no directory are in none. */
export const groupName = (group: string): string => (group === '' ? 'all' : group);

/** Some names, and how many more there are. */
export function someNames(names: readonly string[], most = 8): string {
  const shown = names.slice(0, most).join(', ');
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}

/** Which hosts differ in a file from most of their group, and which in what comes of the same text. */
export function differenceNames(differing: readonly string[], sameText: readonly string[]): string {
  return [
    someNames(differing),
    sameText.length === 0 ? '' : `the same text, another result: ${someNames(sameText)}`,
  ]
    .filter((part) => part !== '')
    .join('; ');
}
