import { encode, markdownText } from '../report';
import { type FleetReport, HOST_STATUSES } from './types';
import { differenceNames, fleetVerdict, groupName, someNames, STATUS_WORDS } from './words';

const text = (decoded: string): string => markdownText(encode(decoded));

/** Hosts that are named with their trouble, and in a row. */
const MAX_TROUBLE = 20;
const MAX_NAMES = 50;

/** The merge as Markdown, in UTF-8, as a byte string. */
export function fleetMarkdown(report: FleetReport): string {
  const { groups, questions, assumptions, hosts, drift, progress } = report;
  const numbers = (counts: FleetReport['groups'][number]['counts']): (string | number)[] =>
    HOST_STATUSES.map((status) => counts[status]);
  return encode(
    [
      `### httpd 2.2 to 2.4: many hosts\n\n**${text(fleetVerdict(report))}**\n`,
      table(
        ['Group', ...HOST_STATUSES.map((status) => STATUS_WORDS[status][0])],
        [
          ...groups.map(({ name, counts }) => [text(groupName(name)), ...numbers(counts)]),
          ...(progress === undefined ? [] : [['all hosts before', ...numbers(progress.counts)]]),
        ],
      ),
      ...(progress === undefined
        ? []
        : [
            `#### Since the earlier merge\n\n`.concat(
              progress.moved
                .map(
                  ({ name, from, to }) =>
                    `- ${text(`${name}: ${STATUS_WORDS[from][0]} → ${STATUS_WORDS[to][0]}`)}\n`,
                )
                .join('') || 'No host has moved.\n',
              progress.added.length === 0 ? '' : `- new: ${text(someNames(progress.added))}\n`,
              progress.gone.length === 0 ? '' : `- gone: ${text(someNames(progress.gone))}\n`,
            ),
          ]),
      list(
        'Questions, those of most hosts first',
        questions.map(
          (question) =>
            `${question.blocker ? '**blocker** ' : ''}${text(question.text)} (${text(someNames(question.hosts.map(({ name }) => name)))})`,
        ),
      ),
      list(
        'What is assumed',
        assumptions.map(
          (assumption) =>
            `${text(assumption.key)}: ${text(assumption.text)} (${text(someNames(assumption.hosts))})`,
        ),
      ),
      list('Not on the way yet', [
        ...hosts
          .filter(({ trouble }) => trouble.length > 0)
          .slice(0, MAX_TROUBLE)
          .map(({ name, trouble }) => text(`${name}: ${trouble.join('; ')}`)),
        ...(['failed', 'blocked'] as const).flatMap((status) => {
          const names = hosts.filter((host) => host.status === status).map(({ name }) => name);
          return names.length === 0
            ? []
            : [text(`${STATUS_WORDS[status][0]}: ${someNames(names, MAX_NAMES)}`)];
        }),
      ]),
      list(
        'Hosts of a group that differ',
        drift.map(
          ({ group, path, differing, sameText }) =>
            `${text(groupName(group))}, ${text(path)}: ${text(differenceNames(differing, sameText))}`,
        ),
      ),
    ]
      .filter((part) => part !== '')
      .join('\n'),
  );
}

function table(heads: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |\n`;
  return line(heads) + line(heads.map((_, i) => (i === 0 ? '---' : '---:'))) + rows.map(line).join('');
}

function list(title: string, items: readonly string[]): string {
  return items.length === 0 ? '' : `#### ${title}\n\n${items.map((item) => `- ${item}\n`).join('')}`;
}
