import { type ConfigFile, type ConfigTree, type Place, SourceError } from '../../config';
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
  const message = cause instanceof Error ? cause.message : String(cause);
  const left =
    trouble === 'file' ? 'this file is left as it is' : `nothing that ${rule} would change is changed`;
  return {
    rule,
    file,
    at,
    level: 'error',
    safety: 'manual',
    // One line, whatever the exception says.
    message: `internal error: ${message.replace(/[^ -~]+/g, ' ').slice(0, 200)}: ${left}; please report it`,
    edits: [],
    trouble,
    cause,
  };
}
