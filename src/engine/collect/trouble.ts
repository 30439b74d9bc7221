import { type ConfigFile, type ConfigTree, type Place, SourceError } from '../../config';
import type { Edit } from '../../edit';
import type { Directive, Section } from '../../syntax';
import type { Finding, Transform } from '../types';

/**
 * Runs what a transform does, so that an exception in it is a finding and the other transforms go on. Whatever it has reported so
 * far stays, but for its edits: the rule may not have come to what goes together with them.
 * @throws SourceError: the tree itself cannot be read
 */
export function guarded(
  { id }: Pick<Transform, 'id'>,
  { files, unreached }: ConfigTree,
  findings: Finding[],
  action: () => void,
): void {
  try {
    action();
  } catch (error) {
    const file = files[0] ?? unreached[0];
    if (error instanceof SourceError || file === undefined) throw error;
    findings.push(troubleFinding(id, file, 0, 'rule', error));
  }
}

/** Guards, like {@link guarded}, what a transform does at one node: the other files go on. */
export function guardedVisit<N extends Directive | Section>(
  id: string,
  visit: (node: N, place: Place) => void,
  findings: Finding[],
): (node: N, place: Place) => void {
  return (node, place) => {
    try {
      visit(node, place);
    } catch (error) {
      if (error instanceof SourceError) throw error;
      const at = node.kind === 'section' ? node.open.from : node.from;
      findings.push(troubleFinding(id, place.file, at, 'file', error));
    }
  };
}

function troubleFinding(
  rule: string,
  file: ConfigFile,
  at: number,
  trouble: 'file' | 'rule',
  cause: unknown,
): Finding {
  const fault = faultOf(cause);
  const left =
    trouble === 'file' ? 'this file is left as it is' : `nothing that ${rule} would change is changed`;
  return {
    rule,
    file,
    at,
    level: 'error',
    safety: 'manual',
    message: `a fault of the rule ${rule} itself: ${fault}: ${left}; please report it to those who wrote the rule`,
    edits: [],
    trouble,
    cause,
  };
}

/** What a rule reports, as far as it has the right fields. */
type Reported = { readonly [K in keyof Finding]?: Finding[K] | undefined };

const LEVELS: ReadonlySet<string> = new Set(['error', 'warning', 'info']);

/** @throws TypeError for a finding that only a rule without types can report */
export function checkFinding({ file, at, level, message, edits = [] }: Reported): void {
  const end = file?.document?.text.length;
  const isIn = (from: unknown, to: unknown): boolean =>
    Number.isInteger(from) && 0 <= Number(from) && Number(from) <= Number(to);
  const isEdit = (edit: Edit): boolean =>
    isIn(edit.start, edit.end) &&
    isIn(edit.end, end) &&
    typeof edit.text === 'string' &&
    /^[\0-\xff]*$/.test(edit.text);
  const lack = (what: string): never => {
    throw new TypeError(`it reports a finding without ${what}`);
  };
  if (end === undefined) lack('a file of the tree');
  if (!isIn(at, Infinity)) lack('a place');
  if (!LEVELS.has(String(level))) lack('one of the levels');
  if (typeof message !== 'string') lack('a message');
  if (!Array.isArray(edits) || !edits.every(isEdit)) lack('edits in its file, in latin1');
}

/** What an exception of a rule says, as one line. */
export function faultOf(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  return message.replace(/[^ -~]+/g, ' ').slice(0, 200);
}
