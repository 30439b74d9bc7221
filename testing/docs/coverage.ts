import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One change from 2.2 to 2.4, as docs/facts/changes.md lists it. */
export interface ChangeRow {
  readonly id: string;
  /** What changed, as Markdown. */
  readonly title: string;
  /** What the rules do about it, as Markdown. */
  readonly done: string;
}

/** What a rule that names the change in its `changes` does not say. */
interface Extra {
  readonly id: string;
  /** Who looks after it, where that is no rule. */
  readonly rules?: readonly string[];
  /** `rule/case` of the fixture that shows it, where it is not all of the rule's. */
  readonly fixture?: string;
  /** Why there is no rule. */
  readonly none?: string;
}

const SAME = 'the same in both versions';

/** The changes that have no rule of their own. */
export const EXTRA: readonly Extra[] = [
  {
    id: 'A11',
   
    none: SAME,
    fixture: 'unknown-directive/noop-same-in-both',
  },
  { id: 'A20', none: 'neither version has it' },
  { id: 'B6', none: 'no configuration' },
  { id: 'C21', rules: ['syntax'] },
  {
    id: 'C38',
   
    none: SAME,
    fixture: 'unknown-directive/noop-same-in-both',
  },
  { id: 'F16', none: SAME, fixture: 'unknown-directive/noop-same-in-both' },
  {
    id: 'F18',
   
    none: SAME,
    fixture: 'unknown-directive/noop-same-in-both',
  },
  { id: 'F20', none: SAME, fixture: 'unknown-directive/noop-same-in-both' },
  { id: 'F34', none: '2.2 has no limit: such a rule never ended', fixture: 'unknown-directive/noop-same-in-both' },
  { id: 'F38', none: 'the links are the same', fixture: 'unknown-directive/noop-same-in-both' },
  { id: 'F35', none: 'the client has the page already', fixture: 'unknown-directive/noop-same-in-both' },
  { id: 'L05', none: 'httpd itself is asked: --configtest' },
  { id: 'L07', none: SAME, fixture: 'unknown-directive/noop-same-in-both' },
  { id: 'L08', none: SAME, fixture: 'unknown-directive/noop-same-in-both' },
  {
    id: 'P09',
   
    none: SAME,
    fixture: 'unknown-directive/noop-same-in-both',
  },
  { id: 'S12', none: 'neither version takes it' },
  { id: 'S13', none: SAME, fixture: 'unknown-directive/noop-same-in-both' },
];


/** The rows of docs/facts/changes.md that have an id, in their order. */
function changesOf(markdown: string): ChangeRow[] {
  return markdown.split('\n').flatMap((line) => {
    const id = /^\| <a id="([A-Z]\d+)"><\/a>/.exec(line)?.[1];
    if (id === undefined) return [];
    const [, , title = '', , done = ''] = line.split(/(?<!\\)\|/);
    return [{ id, title: title.trim(), done: done.trim() }];
  });
}

export const CHANGES = changesOf(readFileSync(join(process.cwd(), 'docs/facts/changes.md'), 'utf8'));
