/**
 * The script of the page, run by a browser: its `showReport` shows the files of the embedded JSON, each when it is opened, until
 * the signal that it is given says that another report takes the place. It writes text nodes only, never markup, so that nothing
 * in a configuration is read as HTML.
 */
export const CLIENT = `'use strict';
function showReport(signal) {
const data = JSON.parse(document.getElementById('data').textContent);
const $ = (id) => document.getElementById(id);
const make = (name, className, ...children) => {
  const element = document.createElement(name);
  if (className) element.className = className;
  element.append(...children);
  return element;
};
const WORDS = { applied: 'change', review: 'to review', open: 'to do', script: 'done by the script', note: 'note', left: 'left out' };
let split = matchMedia('(min-width: 1100px)').matches;

function nameTraitsOf({ state, blocker }) {
  return make('span', 'mark ' + (blocker ? 'blocker' : state), blocker ? 'blocker' : WORDS[state]);
}

function findingOf(finding) {
  const line = make('p', '', nameTraitsOf(finding), ' line ' + finding.line + ': ' + finding.message + ' ');
  line.append(make('span', 'dim', '[' + data.rules[finding.rule] + ']'));
  const block = make('div', 'finding', line);
  if (finding.audience !== undefined) block.append(audienceOf(data.audiences[finding.audience]));
  return block;
}

const RANK = { yes: 2, 'asks for a password': 1, no: 0, 'error 500': 0 };
function audienceOf({ section, request, columns, rows }) {
  const table = make('table', 'who', make('caption', '', 'Who gets into ' + section + ' (' + request + ')'));
  const head = make('tr', '', make('th', '', 'From'));
  for (const column of columns) head.append(make('th', '', column));
  for (const cell of head.children) cell.scope = 'col';
  table.append(make('thead', '', head));
  const body = make('tbody');
  for (const { client, cells } of rows) {
    const row = make('tr', '', make('th', '', client));
    row.firstChild.scope = 'row';
    for (const { before, after } of cells) {
      const same = before === after;
      const opens = RANK[after] > RANK[before];
      const text = same ? after : '2.2 ' + before + ', 2.4 ' + after;
      row.append(make('td', same ? '' : opens ? 'opens' : 'differs', text));
    }
    body.append(row);
  }
  table.append(body);
  const scroll = make('div', 'scroll', table);
  scroll.tabIndex = 0;
  return scroll;
}

/** The two sides of replaced lines, in pairs: what both begin and end with is not marked. */
function pieces(before, after) {
  const words = (text) => text.match(/[ \\t]+|[^ \\t]+/g) || [];
  const a = words(before), b = words(after);
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const common = [...a.slice(0, start), ...a.slice(a.length - end)].join('').trim().length;
  if (common < 0.3 * Math.max(before.trim().length, after.trim().length)) return undefined;
  const cut = (list) => [list.slice(0, start).join(''), list.slice(start, list.length - end).join(''), list.slice(list.length - end).join('')];
  return [cut(a), cut(b)];
}
function codeCell(className, text, parts) {
  if (!parts) return make('td', className, text);
  return make('td', className, parts[0], ...(parts[1] ? [make('mark', '', parts[1])] : []), parts[2]);
}
const number = (n) => make('td', 'ln', n === undefined ? '' : String(n));

function rowsOf([oldStart, newStart, lines]) {
  const rows = [];
  let o = oldStart, n = newStart;
  for (let i = 0; i < lines.length; ) {
    const sign = lines[i][0];
    if (sign === '\\\\') { rows.push({ kind: 'end', text: lines[i] }); i++; continue; }
    if (sign === ' ') { rows.push({ kind: 'same', o: o++, n: n++, text: lines[i].slice(1) }); i++; continue; }
    const removed = [], added = [];
    while (i < lines.length && (lines[i][0] === '-' || (removed.length && lines[i][0] === '\\\\' && !added.length))) { if (lines[i][0] === '-') removed.push(lines[i].slice(1)); i++; }
    while (i < lines.length && (lines[i][0] === '+' || (added.length && lines[i][0] === '\\\\'))) { if (lines[i][0] === '+') added.push(lines[i].slice(1)); i++; }
    const block = { kind: 'change', removed: [], added: [] };
    const paired = removed.length === added.length;
    removed.forEach((text, k) => { const both = paired ? pieces(text, added[k]) : undefined; block.removed.push({ line: o++, text, parts: both && both[0] }); });
    added.forEach((text, k) => { const both = paired ? pieces(removed[k], text) : undefined; block.added.push({ line: n++, text, parts: both && both[1] }); });
    rows.push(block);
  }
  return rows;
}

function diffOf(hunk) {
  const table = make('table', 'diff' + (split ? ' split' : ''));
  const head = make('caption', 'dim', 'from line ' + hunk[0]);
  table.append(head);
  const body = make('tbody');
  for (const row of rowsOf(hunk)) {
    if (row.kind === 'end') continue;
    if (row.kind === 'same') {
      body.append(split ? make('tr', '', number(row.o), make('td', '', row.text), number(row.n), make('td', '', row.text)) : make('tr', '', number(row.o), number(row.n), make('td', '', '  ' + row.text)));
    } else if (split) {
      for (let k = 0; k < Math.max(row.removed.length, row.added.length); k++) {
        const old = row.removed[k], now = row.added[k];
        body.append(make('tr', '', number(old && old.line), codeCell(old ? 'del' : '', old ? old.text : '', old && old.parts), number(now && now.line), codeCell(now ? 'add' : '', now ? now.text : '', now && now.parts)));
      }
    } else {
      for (const { line, text, parts } of row.removed) body.append(make('tr', '', number(line), number(), codeCell('del', '- ' + text, parts && ['- ' + parts[0], parts[1], parts[2]])));
      for (const { line, text, parts } of row.added) body.append(make('tr', '', number(), number(line), codeCell('add', '+ ' + text, parts && ['+ ' + parts[0], parts[1], parts[2]])));
    }
  }
  table.append(body);
  const scroll = make('div', 'scroll', table);
  scroll.tabIndex = 0;
  return scroll;
}

function fill(details, file) {
  const body = make('div', 'body');
  const fits = file.findings.filter(matches);
  const parts = file.hunks.map((hunk, i) => make('div', 'part', make('div', 'why', ...fits.filter((finding) => finding.hunk === i).map(findingOf)), diffOf(hunk)));
  body.append(...fits.filter((finding) => finding.hunk === undefined).map(findingOf), ...parts);
  details.replaceChildren(details.firstElementChild, body);
}

const wanted = { rule: '', state: '', server: '', name: '' };
function matches(finding) {
  if (wanted.rule !== '' && finding.rule !== Number(wanted.rule)) return false;
  if (wanted.server !== '' && finding.server !== Number(wanted.server)) return false;
  if (wanted.state === 'blocker') return finding.blocker;
  if (wanted.state === 'error' || wanted.state === 'warning' || wanted.state === 'info') return finding.level === wanted.state;
  return wanted.state === '' || finding.state === wanted.state;
}

const list = $('files');
const shown = data.files.map((file) => {
  const traits = file.findings.some(({ blocker }) => blocker) ? [make('span', 'mark blocker', 'blocker'), ' '] : [];
  const changes = file.findings.filter(({ state }) => state === 'applied' || state === 'review').length;
  const text = changes + (changes === 1 ? ' change' : ' changes') + ', ' + (file.findings.length - changes) + ' other';
  const details = make('details', 'file', make('summary', '', ...traits, make('span', 'name', file.name), make('span', 'dim', ' ' + text)));
  details.addEventListener('toggle', () => { if (details.open && details.children.length === 1) fill(details, file); });
  return { file, details };
});
// Thousands of files are put into the page a few at a time: it can be read and used meanwhile.
const FIRST = 60, MORE = 250;
let placed = 0;
function place(count) {
  list.append(...shown.slice(placed, placed + count).map(({ details }) => details));
  placed += count;
  list.setAttribute('aria-busy', String(placed < shown.length));
  if (placed < shown.length) setTimeout(place, 30, MORE);
}
place(FIRST);

function update() {
  let count = 0;
  const anyFilter = wanted.rule + wanted.state + wanted.server !== '';
  for (const { file, details } of shown) {
    const fits = file.name.toLowerCase().includes(wanted.name) && (!anyFilter || file.findings.some(matches));
    details.hidden = !fits;
    if (fits) count++;
    if (details.children.length > 1) { if (details.open && fits) fill(details, file); else details.lastElementChild.remove(); }
  }
  $('count').textContent = count + ' of ' + shown.length + ' files';
}
const options = (select, texts) => texts.map((text, i) => [text, i]).sort((a, b) => (a[0] < b[0] ? -1 : 1)).forEach(([text, i]) => select.add(new Option(text, i)));
options($('rule'), data.rules);
options($('server'), data.servers);
for (const id of ['rule', 'state', 'server']) $(id).addEventListener('change', () => { wanted[id] = $(id).value; update(); });
$('name').addEventListener('input', () => { wanted.name = $('name').value.toLowerCase(); update(); });
const setSplit = (on) => { split = on; $('split').setAttribute('aria-pressed', String(on)); update(); };
$('split').addEventListener('click', () => setSplit(!split));
$('all').addEventListener('click', () => { const visible = shown.filter(({ details }) => !details.hidden); const open = visible.some(({ details }) => !details.open); for (const { details } of visible) details.open = open; });
// Paper shows what is folded on the screen; afterwards it is folded again.
let unfolded = [];
const onWindow = (name, listener) => addEventListener(name, listener, { signal });
onWindow('beforeprint', () => {
  place(shown.length);
  unfolded = [...document.querySelectorAll('details:not([open], [hidden])')];
  for (const { file, details } of shown) if (!details.hidden && details.children.length === 1) fill(details, file);
  for (const details of unfolded) details.open = true;
});
onWindow('afterprint', () => { for (const details of unfolded) details.open = false; });
onWindow('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input, select, textarea, [contenteditable]')) return;
  const visible = shown.filter(({ details }) => !details.hidden);
  const at = visible.findIndex(({ details }) => details.contains(document.activeElement));
  const go = (i) => { const next = visible[i]; if (next) { next.details.firstElementChild.focus(); next.details.scrollIntoView({ block: 'nearest' }); } };
  if (event.key === 'j') go(at < 0 ? 0 : at + 1);
  else if (event.key === 'k') go(Math.max(0, at - 1));
  else if (event.key === 's') setSplit(!split);
  else if (event.key === '/') $('name').focus();
  else return;
  event.preventDefault();
});
setSplit(split);
function openNamed() {
  const match = /^#file-(\\d+)$/.exec(location.hash);
  const target = match && shown[Number(match[1])];
  if (target) { if (!target.details.isConnected) place(shown.length); target.details.open = true; target.details.firstElementChild.focus(); target.details.scrollIntoView(); }
}
onWindow('hashchange', openNamed);
for (const { details } of shown.slice(0, 3)) details.open = true;
openNamed();
}
`;
