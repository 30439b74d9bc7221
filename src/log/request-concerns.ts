import { AccessReplay, serversReaching } from '../access/replay';
import type { ConfigTree } from '../config';
import type { Outcome } from '../engine/types';
import { ConcernedFindings } from './concerned';
import type { LogEntry } from './entries';

/** Which rules of a run have told that a request is answered otherwise. */
export class RequestConcerns {
  readonly #concerned: ConcernedFindings;
  readonly #replay: AccessReplay;
  readonly #accessRule: string;

  /** @param accessRule the rule that tells of what the models find */
  constructor(tree: ConfigTree, after: ConfigTree, outcomes: readonly Outcome[], accessRule: string) {
    this.#concerned = new ConcernedFindings(outcomes, serversReaching(tree));
    this.#replay = new AccessReplay(tree, after);
    this.#accessRule = accessRule;
  }

  /** @param isOfStatus the status differs, so that who gets in may be the cause */
  rulesFor(entry: LogEntry, isOfStatus: boolean): readonly string[] {
    const kind = this.#replay.kindOf(entry);
    const rules = this.#concerned.of(entry, kind.vhost).map(({ rule }) => rule);
    const differs = isOfStatus && kind.verdict !== 'same' && kind.verdict !== 'unknown';
    return [...new Set(differs ? [this.#accessRule, ...rules] : rules)];
  }
}
