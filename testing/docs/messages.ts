import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKS } from '../../src/cli/commands/rules';
import type { Level, Safety, Transform } from '../../src/engine/types';
import { MESSAGES } from '../../src/httpd/messages';
import { folded } from './fold';

const FIXTURES = '__fixtures__/transforms';

/** A message that ends a run, with its cause and cure. `text` stands in the sources. */
interface TroubleRow {
  readonly text: string;
  readonly cause: string;
  readonly cure: string;
}

export const TROUBLE: readonly TroubleRow[] = [
  {
    text: 'no httpd configuration found',
    cause: 'The directory has neither a server configuration nor a `.htaccess` below it.',
    cure: 'Name the file, or the directory that holds it.',
  },
  {
    text: 'no such file or directory',
    cause: 'A path that was given is not there.',
    cure: 'Correct the path. For files that an `Include` names, see [findings of the run itself](#findings-of-the-run-itself).',
  },
  {
    text: 'not an httpd configuration (binary data)',
    cause: 'The file holds bytes that no configuration has.',
    cure: 'Leave the file out.',
  },
  {
    text: 'larger than 64 MB',
    cause: 'No configuration is that large; an error log may be.',
    cure: 'For `why`, hand it the end of the log: `tail -n 10000 LOG`, by way of `why -`.',
  },
  {
    text: 'its includes expand to too many files',
    cause: 'Files include each other over and over.',
    cure: 'Look for an `Include` that matches its own file.',
  },
  {
    text: ' contradict each other',
    cause: 'Two options ask for different things.',
    cure: 'Leave one out.',
  },
  {
    text: ': name another one',
    cause: '`--output` names a file that the run reads: one of the configuration, the project file, or the list of `--files-from`.',
    cure: 'Write the output elsewhere.',
  },
  {
    text: ': changed since it was ',
    cause: 'Somebody changed the file after it was read, or after the write that is to be undone.',
    cure: 'Run again; with `undo`, `--keep-changed` leaves such files and takes back the others.',
  },
  {
    text: ': not used, as somebody else could have written it',
    cause: 'A plan, or a directory or link on the way to it, belongs to another user or may be written by others.',
    cure: 'Make the plan anew, in a directory of your own that only you may write.',
  },
  {
    text: 'no place for a journal (',
    cause: 'The directory of the journals cannot be made, or somebody else could put journals there; the reason stands in brackets.',
    cure: 'Set `XDG_STATE_HOME` to a directory of your own, with mode 0700.',
  },
  {
    text: ': cannot write: ',
    cause: 'The system refuses it; the reason follows.',
    cure: 'Mend that, or run as the owner of the files. Nothing has been written.',
  },
  {
    text: '; nothing taken back',
    cause: 'A journal is damaged, so it cannot be said what to restore.',
    cure: '`undo --list` shows which, and `undo --repair` puts it aside.',
  },
  {
    text: 'a write is running or was interrupted',
    cause: 'Another run writes, or one was killed.',
    cure: 'Wait for it, or run `httpd-codemod undo`.',
  },
  {
    text: 'configtest: no httpd found',
    cause: '`--configtest` found no httpd on the path.',
    cure: 'Name it: `--configtest=/usr/sbin/httpd`.',
  },
  {
    text: 'configtest failed: nothing written',
    cause: 'httpd 2.4 refuses the result; its messages stand above.',
    cure: 'Resolve what they name (`httpd-codemod why` explains them), and run again.',
  },
  {
    text: 'an Include would read this copy',
    cause: 'With that ending, the backup would be read as configuration.',
    cure: 'Choose another ending, or leave `--backup` out: `undo` needs none.',
  },
  {
    text: 'does not say that it is an Apache httpd',
    cause: '`--target` names a program that is something else.',
    cure: 'Give the path of httpd, or a release: `--target 2.4.62`.',
  },
  {
    text: ': is no shell script: have it run ',
    cause: 'There is a pre-commit hook already, and it cannot be added to.',
    cure: 'Call `httpd-codemod hook run` from it.',
  },
  {
    text: 'internal error (--debug prints where): ',
    cause: 'A mistake in the tool. Nothing has been written.',
    cure: 'Report it, with what `--debug` prints.',
  },
];

/** A finding that the run itself reports, under the name of one of its checks. `text` stands in the sources. */
interface CheckRow {
  readonly check: string;
  readonly text: string;
  readonly cure: string;
}

export const CHECK_ROWS: readonly CheckRow[] = [
  {
    check: 'include',
    text: 'no such file or directory',
    cure: 'Give the file in the same run, at the path that the line names. If the server has none either, remove the line.',
  },
  {
    check: 'include',
    text: "this is a copy of another server's configuration, and lacks ",
    cure: 'Copy the files that it names, too, or run on the server itself.',
  },
  {
    check: 'include',
    text: 'the directory to search is not there',
    cure: 'Nothing, if the server has none either. Otherwise give the directory.',
  },
  {
    check: 'include',
    text: 'cannot be read: ',
    cure: 'Run as a user who may read the file. What can meet its lines stays as it is until then.',
  },
  {
    check: 'include',
    text: 'nothing in this run includes this file: it is converted on its own',
    cure: 'Give the file that includes it, if there is one: what stands there may change what this file means.',
  },
  {
    check: 'include',
    text: ' not in use by this server, and left as ',
    cure: 'Nothing, or `--unused` to convert these files, too.',
  },
  {
    check: 'include',
    text: 'the links that enable sites and modules are not here',
    cure: 'Give the directories of links (`sites-enabled`, `mods-enabled`), or `--unused`.',
  },
  {
    check: 'include',
    text: 'what it names is not known before the template is filled in',
    cure: 'Convert what the template makes, too.',
  },
  {
    check: 'include',
    text: 'the value of the variable is not known (give it with -D)',
    cure: 'Give `-D NAME=VALUE`, as the server is started with it.',
  },
  {
    check: 'include',
    text: ' includes itself this way: ',
    cure: 'Take one of the Include lines out: no httpd starts with this.',
  },
  {
    check: 'syntax',
    text: ': httpd refuses the file',
    cure: 'Write the `>`, or what else the message names.',
  },
  {
    check: 'syntax',
    text: 'begins with a byte order mark',
    cure: 'Save the file without it.',
  },
  {
    check: 'syntax',
    text: 'a line longer than ',
    cure: 'Write it as several lines that mean the same.',
  },
  {
    check: 'syntax',
    text: 'sections are nested too deeply',
    cure: 'Take some of the sections apart.',
  },
  {
    check: 'syntax',
    text: 'httpd refuses the file until it is filled in',
    cure: 'Say `--templates`, or convert what the template makes.',
  },
  { check: 'ignore', text: 'ignore-begin inside another one is not read', cure: 'End the first one, or remove the second.' },
  { check: 'ignore', text: 'ignore-end without ignore-begin', cure: 'Write the comment that begins, or remove this one.' },
  {
    check: 'ignore',
    text: 'ignore-begin without ignore-end: all that follows is left alone',
    cure: 'Write `# httpd-codemod-ignore-end` where it ends.',
  },
  { check: 'ignore', text: 'httpd-codemod knows no comment ', cure: 'Write one of those in [leave something alone](guides/leaving-alone.md).' },
  { check: 'write', text: 'cannot be written: ', cure: 'Run as the owner of the file.' },
  {
    check: 'write',
    text: ' names (hard links): a file of its own takes the place of this one',
    cure: 'Give the paths of all its names, or let each become a file of its own.',
  },
];

const CURES: Readonly<Record<Safety, string>> = {
  safe: 'Nothing: the change keeps what 2.2 did.',
  review: 'See that the assumption in the message holds.',
  strict: 'See who is refused: the message names a request, if one was found.',
  manual: 'What the message says: no line is changed.',
};

interface FixtureFinding {
  readonly level: Level;
  readonly safety: Safety;
  readonly message: string;
}

/** docs/messages.md: what ends a run, what 2.4 says, and every finding of the fixtures, rule by rule. */
export function messagesPage(transforms: readonly Transform[], escape: (text: string) => string): string {
  const cell = (text: string): string => escape(text).replace(/\r|\n/g, ' ');
  const rule = (id: string): string => `[\`${id}\`](rules/${id}.md)`;
  const lines = [
    '# Every message',
    '',
    'Made from the rules and their fixtures. To look up one message of httpd, or a whole error log: `httpd-codemod why`.',
    '',
    '- [What ends a run](#what-ends-a-run)',
    '- [What httpd 2.4 says](#what-httpd-24-says)',
    '- [Findings](#findings)',
    '- [Findings of the run itself](#findings-of-the-run-itself)',
    '',
    '## What ends a run',
    '',
    'Exit status 2, and nothing has been written.',
    '',
    '| Message | Cause | Cure |',
    '| --- | --- | --- |',
    ...TROUBLE.map(({ text, cause, cure }) => `| ${cell(withoutEnds(text))} | ${cause} | ${cure} |`),
    '',
    '## What httpd 2.4 says',
    '',
    'When it starts, or in its error log. `…` stands for what differs from case to case.',
    '',
    '| Message | Rule | Cure |',
    '| --- | --- | --- |',
    ...MESSAGES.map(
      ({ pattern, rule: id, remedy }) =>
        `| ${cell(readable(pattern))} | ${id === undefined ? '' : rule(id)} | ${remedy === '' ? 'Load the module that has the directive, or convert it: `why` says which.' : cell(remedy.replaceAll(/(?:\$<\w+>)+/g, '…'))} |`,
    ),
    '',
    '## Findings',
    '',
    'What a run says about a configuration, one line a message: `…` stands for what differs from case to case. The cause is on the page of the rule, to which the name leads.',
    'The level says what happens without the change ([levels and kinds](guides/report.md#levels-and-kinds)); the kind says what to do:',
    '',
    ...Object.entries(CURES).map(([kind, cure]) => `- ${kind}: ${cure}`),
  ];
  for (const { id } of transforms) {
    const findings = findingsOf(id);
    if (findings.length === 0) continue;
    lines.push('', `### [${id}](rules/${id}.md)`, '');
    for (const { message, level, safety } of findings) lines.push(`- ${level}, ${safety}: ${cell(message)}`);
  }
  lines.push(
    '',
    '## Findings of the run itself',
    '',
    'No rule reports these. `-v` prints the name of a check behind them, where other findings have the id of a rule.',
  );
  for (const [check, { title, why }] of Object.entries(CHECKS))
    lines.push(
      '',
      `### ${check}`,
      '',
      `${title}. ${why}`,
      '',
      '| Message | Cure |',
      '| --- | --- |',
      ...CHECK_ROWS.filter((row) => row.check === check).map(({ text, cure }) => `| ${cell(withoutEnds(text))} | ${cure} |`),
    );
  return `${lines.join('\n')}\n`;
}

/** A part of a message without the punctuation at its ends. */
const withoutEnds = (text: string): string => text.replace(/^[;:]? |[:,]? $/g, '');

/** The messages of a rule's fixtures, each once for all that it is said of. */
function findingsOf(id: string): readonly FixtureFinding[] {
  const home = join(FIXTURES, id);
  const found = new Map<string, FixtureFinding>();
  for (const name of existsSync(home) ? readdirSync(home).toSorted() : []) {
    const path = join(home, name, 'findings.json');
    if (!existsSync(path)) continue;
    for (const finding of JSON.parse(readFileSync(path, 'utf8')) as FixtureFinding[])
      if (!found.has(finding.message)) found.set(finding.message, finding);
  }
  const kinds = new Map<string, FixtureFinding[]>();
  for (const finding of found.values()) {
    const key = `${finding.level} ${finding.safety}`;
    kinds.set(key, [...(kinds.get(key) ?? []), finding]);
  }
  return [...kinds.values()].flatMap((findings) =>
    folded(findings.map(({ message }) => withoutNames(message))).map((message) => ({ ...findings[0]!, message })),
  );
}

/** A message without what it is about: sections, quoted words, paths and addresses. */
const withoutNames = (message: string): string =>
  message
    .replace(/^<\w+(?: (?:[^">]|"[^"]*")*)?>(?=[: ])/, '…')
    .replace(/"[^"]+"/g, '"…"')
    .replace(/(?<=^|[\s(])[\w.{}%-]*\/[\w./{}%:-]*[\w/}]/g, '…')
    .replace(/\b\d+\.\d+\.\d+\.\d+\b/g, '…');

/** A pattern of messages as text: its first alternative, with `…` for what is not fixed. */
export function readable({ source }: RegExp): string {
  let depth = 0;
  let end = source.length;
  for (let i = 0; i < source.length && end === source.length; i++) {
    const char = source[i]!;
    if (char === '\\') i++;
    else if (char === '[') i = source.indexOf(']', i + 2);
    else if (char === '(') depth++;
    else if (char === ')') depth--;
    else if (char === '|' && depth === 0) end = i;
  }
  let text = source.slice(0, end);
  // From the inside out: what looks around and an optional group are left out, of any other the first alternative stays.
  for (let before = ''; before !== text; ) {
    before = text;
    text = text
      .replace(/\((?:\?<?[!=](?:[^()\\]|\\.)*\)|(?:\?:|\?<\w+>)?(?:[^()\\]|\\.)*\)\?)/, '')
      .replace(/\((?:\?:|\?<\w+>)?((?:[^()\\[\]]|\\.|\[(?:[^\]\\]|\\.)*\])*)\)/, (_, inner: string) => inner.split('|')[0]!);
  }
  return text
    .replace(/\\[wds]\*|\[(?:[^\]\\]|\\.)*\]\?/g, '')
    .replace(/(?:\.|\\[SWwd]|\[(?:[^\]\\]|\\.)*\])(?:[*+]|\{[\d,]+\})\??/g, '…')
    .replace(/\[(\w)\w\]/g, '$1')
    .replace(/[ <>'\w]\?/g, '')
    .replace(/\\b|[\^$]/g, '')
    .replace(/\\(.)/g, '$1')
    .replace(/(?:\[[^\]]*\])?…+/g, '…')
    .trim();
}
