import type { AccessView, GroupView, Inherited, SectionView } from '../../../access';
import { sectionWithPlace } from '../../../access/policy';
import { oneLine } from '../../../report';

const READ_BY = { '2.2': '2.2', compat: '2.4 with mod_access_compat', 'as-written': 'each section' } as const;

/** Prints the groups of sections that can meet, and what each sets and inherits, for a person. A byte string. */
export function accessText({ groups, unseen }: AccessView): string {
  const lines = [
    ...groups.flatMap((group, i) => [...(i === 0 ? [] : ['']), ...groupLines(group, i + 1)]),
    ...(groups.length === 0 ? ['no section controls access'] : []),
    ...(unseen === undefined
      ? []
      : ['', `not seen: the .htaccess files that the server would read in ${unseen}`]),
  ];
  return lines.map((line) => `${oneLine(line)}\n`).join('');
}

function groupLines({ reading, inUse, sections }: GroupView, number: number): string[] {
  const use = {
    yes: '',
    no: ', which AllowOverride disables',
    'not included': ', with a file that nothing includes',
  }[inUse];
  const count = sections.length === 1 ? '1 section' : `${sections.length} sections that can meet`;
  return [
    `group ${number}: ${count}, read as ${READ_BY[reading]} does${use}`,
    ...sections.flatMap(sectionLines),
  ];
}

function sectionLines(view: SectionView): string[] {
  const { section, file, line, kind, covers, vhost, conditions, sets, inherits } = view;
  const server = vhost === undefined ? '' : `, in <VirtualHost ${vhost}>`;
  const where = conditions
    .map(({ name, is }) => `, where ${name} ${is ? 'holds' : 'does not hold'}`)
    .join('');
  return [
    `  ${sectionWithPlace({ section, file, line })}: ${kind} ${covers ?? 'anywhere'}${server}${where}`,
    ...(sets.length === 0 ? ['    sets nothing'] : ['    sets']),
    ...sets.map((setting) => `      ${setting.text} (${setting.file}:${setting.line})`),
    ...inheritedLines(inherits),
  ];
}

function inheritedLines(states: SectionView['inherits']): string[] {
  if (states === undefined) return ['    inherits an unknown state: there are too many ways to reach it'];
  if (states.length === 0) return ['    no request reaches it'];
  return states.flatMap((state, i) => {
    const head = states.length === 1 ? '    inherits' : `    inherits, ${i + 1} of ${states.length}`;
    const lines = stateLines(state);
    return [
      ...(lines.length === 0
        ? [`${head}${states.length === 1 ? '' : ':'} nothing that it does not replace`]
        : [head, ...lines]),
      ...state.ways.map((way) => `      if ${way.join(', ')}`),
    ];
  });
}

function stateLines({ lines, satisfy, authType, ssl }: Inherited): string[] {
  return [
    ...lines,
    ...Object.entries(satisfy).map(
      ([method, value]) =>
        `Satisfy ${value === 'any' ? 'Any' : 'All'}${method === '*' ? '' : ` (for ${method})`}`,
    ),
    ...(authType ? ['an AuthType'] : []),
    ...(ssl ? ['SSLRequireSSL'] : []),
  ].map((line) => `      ${line}`);
}
