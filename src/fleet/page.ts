import { encode, escapeHtml, plainPage } from '../report';
import { countsOf } from './merge';
import { type FleetReport, HOST_STATUSES, type HostStatus } from './types';
import { fleetVerdict, groupName, someNames, STATUS_WORDS } from './words';

const html = (text: string | number): string => escapeHtml(encode(String(text)));

/** The style that a fleet page has beside that of a report. Bars differ in lightness, and the columns have their numbers. */
const STYLE = `
.bars svg { display: block; width: 100%; min-width: 12rem; height: 1.1rem; border-radius: 3px; }
.s-done { fill: var(--green); } .s-ready { fill: var(--addw); } .s-questions { fill: #d4a72c; } .s-blocked { fill: var(--red); } .s-failed { fill: var(--dim); }
.bars th.bar-cell { width: 45%; } .key svg { display: inline-block; width: .9rem; height: .9rem; vertical-align: -.1rem; } .key { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; list-style: none; padding: 0; }
@media print { rect { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
`;

/** The merge as one page without a script. @param hash SHA-256 of a byte string, in hexadecimal digits */
export function fleetPage(report: FleetReport, hash: (bytes: string) => string): string {
  const parts = [
    `<p><strong>${html(fleetVerdict(report))}</strong></p>`,
    keyHtml(),
    groupsHtml(report),
    progressHtml(report),
    questionsHtml(report),
    table('What is assumed', ['Key', 'What', 'Hosts', 'Changes'], report.assumptions.map(({ key, text, hosts, findings }) => [`<code>${html(key)}</code>`, html(text), html(`${hosts.length} (${someNames(hosts)})`), html(findings)])),
    hostsHtml(report),
    table('Where somebody has to act', ['Host', 'Directory', 'Findings'], report.places.map(({ host, path, findings }) => [html(host), `<code>${html(path)}</code>`, html(findings)])),
    table('Hosts of a group that differ', ['Group', 'File', 'Hosts that have it', 'Another result than most', 'Another result for the same text'], report.drift.map(({ group, path, hosts, differing, sameText }) => [html(groupName(group)), `<code>${html(path)}</code>`, html(hosts), html(someNames(differing)), html(someNames(sameText))])),
  ]; // prettier-ignore
  return plainPage(
    'From httpd 2.2 to 2.4: many hosts',
    parts.filter((part) => part !== '').join('\n'),
    STYLE,
    hash,
  );
}

function keyHtml(): string {
  const items = HOST_STATUSES.map((status) => {
    const [name, meaning] = STATUS_WORDS[status];
    return `<li><svg viewBox="0 0 1 1" aria-hidden="true"><rect class="s-${status}" width="1" height="1"/></svg> <strong>${name}</strong>: ${meaning}</li>`;
  });
  return `<ul class="key">${items.join('')}</ul>`;
}

function groupsHtml({ groups, progress, hosts }: FleetReport): string {
  const rows = [
    ...groups.map(({ name, counts }) => [groupName(name), counts] as const),
    ...(groups.length > 1 ? [['all hosts', countsOf(hosts)] as const] : []),
    ...(progress === undefined ? [] : [['all hosts before', progress.counts] as const]),
  ].map(([name, counts]) => {
    const numbers = HOST_STATUSES.map((status) => `<td class="n">${html(counts[status])}</td>`).join('');
    return `<tr><th scope="row">${html(name)}</th>${numbers}<td>${bar(counts)}</td></tr>`;
  });
  const heads = HOST_STATUSES.map((status) => `<th scope="col" class="n">${STATUS_WORDS[status][0]}</th>`);
  return `<h2>Groups</h2>\n<div class="scroll" role="region" aria-label="Groups" tabindex="0"><table class="bars"><thead><tr><th scope="col">Group</th>${heads.join('')}<th scope="col" class="bar-cell">Share</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}

/** A picture of numbers that stand beside it. */
function bar(counts: Readonly<Record<HostStatus, number>>): string {
  let at = 0;
  const parts = HOST_STATUSES.map((status) => {
    const rect =
      counts[status] === 0
        ? ''
        : `<rect class="s-${status}" x="${at}" width="${counts[status]}" height="1"/>`;
    at += counts[status];
    return rect;
  });
  return `<svg viewBox="0 0 ${Math.max(at, 1)} 1" preserveAspectRatio="none" aria-hidden="true">${parts.join('')}</svg>`;
}

function progressHtml({ progress }: FleetReport): string {
  if (progress === undefined) return '';
  const { moved, added, gone } = progress;
  const name = (status: HostStatus): string => STATUS_WORDS[status][0];
  const lines = [
    ...moved.map((move) => `${move.name}: ${name(move.from)} → ${name(move.to)}`),
    ...(added.length > 0 ? [`new: ${someNames(added)}`] : []),
    ...(gone.length > 0 ? [`gone: ${someNames(gone)}`] : []),
  ].map((line) => `<li>${html(line)}</li>`);
  return `<h2>Since the earlier merge</h2>\n${lines.length === 0 ? '<p>No host has moved.</p>' : `<ul>${lines.join('')}</ul>`}`;
}

function questionsHtml({ questions }: FleetReport): string {
  if (questions.length === 0) return '';
  const items = questions.map(({ text, rules, blocker, hosts, findings }) => {
    const where = hosts.map(
      ({ name, places, findings: count }) =>
        `<li>${html(name)}: ${html(places.join(', '))}${count > places.length ? ` and ${count - places.length} more` : ''}</li>`,
    );
    const kind = blocker ? 'blocker' : 'open';
    return `<li class="${kind}"><p><span class="mark ${kind}">${blocker ? 'blocker' : 'to do'}</span> ${html(text)}</p>
<p class="dim">${hosts.length === 1 ? '1 host' : `${hosts.length} hosts`}, ${findings === 1 ? '1 place' : `${findings} places`}: ${html(rules.join(', '))}</p><details><summary>Where</summary><ul>${where.join('')}</ul></details></li>`;
  });
  return `<h2>Questions, those of most hosts first</h2>\n<ol class="questions">${items.join('')}</ol>`;
}

function hostsHtml({ hosts }: FleetReport): string {
  const order = ([...HOST_STATUSES] as HostStatus[]).reverse();
  const rows = [...hosts]
    .sort((a, b) => order.indexOf(a.status) - order.indexOf(b.status))
    .map(({ name, group, status, changes, blockers, trouble }) => [
      html(name),
      html(groupName(group)),
      html([STATUS_WORDS[status][0], ...trouble].join(': ')),
      html(changes),
      html(blockers),
    ]);
  return table('Hosts', ['Host', 'Group', 'State', 'Changes', 'Blockers'], rows);
}

/** @param rows decoded HTML of the cells */
function table(title: string, heads: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const head = heads.map((name) => `<th scope="col">${name}</th>`).join('');
  const body = rows.map(
    ([first = '', ...cells]) =>
      `<tr><th scope="row">${first}</th>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`,
  );
  return `<h2>${title}</h2>\n<div class="scroll" role="region" aria-label="${title}" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${body.join('\n')}</tbody></table></div>`;
}
