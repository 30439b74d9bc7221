import { type Place, isConditional } from '../config';
import type { Directive } from '../syntax';
import { meetingGroups } from './groups';
import type { LineSpot } from './lines';
import { plus } from './lists';
import type { Scope } from './scope';

const NAMES = new Set(['sslrequiressl', 'sslrequire', 'ssloptions', 'sslengine']);

/**
 * SSLRequireSSL is part of the host check: under `Satisfy Any` a way in among others in 2.2, and a must in 2.4 (access-semantics D5.10).
 * With `SSLOptions +StrictRequire` it was a must before.
 */
export class SslLines {
  #strict = false;
  /** Not every request of the run is under the same StrictRequire. */
  #various = false;
  /** `SSLEngine optional` answers 426, not 403. */
  #optional = false;
  #isUsed = false;

  static concerns(key: string): boolean {
    return NAMES.has(key);
  }

  /** Takes note of a line in the sections that it stands in. */
  add(node: Directive, place: Place, spot: LineSpot, scopes: readonly Scope[]): void {
    const { before, after } = spot.condition;
    if (before === false) return;
    const sure = before === true && after === true && spot.undecided.length + spot.outer.length === 0;
    if (node.key === 'sslengine') this.#optional ||= node.args[0]?.value.toLowerCase() === 'optional';
    else if (node.key === 'ssloptions') this.#addOptions(node, place, sure);
    else
      for (const scope of scopes) {
        this.#isUsed = true;
        scope.ssl = plus(scope.ssl, { node, inner: spot.inner, file: place.file, sure });
      }
  }

  #addOptions(node: Directive, { chain, root }: Place, sure: boolean): void {
    const words = node.args.map(({ value }) => value.toLowerCase());
    const turnsOn = words.includes('+strictrequire') || words.includes('strictrequire');
    const everywhere =
      sure && root.role !== 'htaccess' && chain.every(({ section }) => isConditional(section));
    if (turnsOn && everywhere) this.#strict = true;
    else if (turnsOn || words.includes('-strictrequire') || words.some((word) => !/^[+-]/.test(word)))
      this.#various = true;
  }

  /** Whether a check failed is final whatever Satisfy says; undefined where that differs within the run. */
  get isMust(): boolean | undefined {
    return this.#various ? undefined : this.#strict;
  }

  /** Files what has been found with what each section sets. */
  settle(scopes: readonly Scope[]): void {
    if (!this.#isUsed) return;
    const kind = this.isMust === true ? 'must' : 'check';
    for (const scope of scopes) {
      const line = scope.ssl.findLast(({ node, sure }) => sure && node.key === 'sslrequiressl');
      if (line === undefined) continue;
      const ssl = { kind, origin: line.node } as const;
      scope.own = { ...scope.own, ssl };
      scope.settings = scope.settings?.map((one) => ({ ...one, own: { ...one.own, ssl } }));
    }
  }

  /**
   * Makes SSLRequireSSL a part of the Require trees where it can meet a `Satisfy Any`, in all sections that can meet there.
   * @param scopes sections that can meet each other, and nothing else can
   * @param complete the run shows the whole server
   */
  intoTrees(scopes: readonly Scope[], complete: boolean): void {
    if (
      !this.#isUsed ||
      this.isMust === true ||
      !scopes.some(saysAny) ||
      !scopes.some(({ ssl }) => ssl.length > 0)
    )
      return;
    const relevant = scopes.filter(
      ({ own, ssl, old, requires }) =>
        ssl.length + old.length + requires.length > 0 || own.authType !== undefined,
    );
    for (const group of meetingGroups(relevant)) {
      if (!group.some(saysAny)) continue;
      for (const scope of group)
        if (scope.ssl.length > 0 && !scope.sslSettled) this.#intoTree(scope, complete);
    }
  }

  #intoTree(scope: Scope, complete: boolean): void {
    scope.sslSettled = true;
    const reason = this.#reason(scope, complete);
    const { node } = scope.ssl[0]!;
    if (reason !== undefined) {
      scope.problems = plus(scope.problems, {
        node,
        message: `${node.name} was one way in among others under Satisfy Any and is a must in 2.4, and ${reason}`,
      });
      return;
    }
    const { ssl } = scope.own;
    if (ssl === undefined) return;
    const tree = { ...ssl, kind: 'tree' } as const;
    scope.own = { ...scope.own, ssl: tree };
    scope.settings = scope.settings?.map((one) => ({ ...one, own: { ...one.own, ssl: tree } }));
    scope.old = [...scope.old, ...scope.ssl];
  }

  /** Why the checks of a section cannot become Require lines. */
  #reason({ ssl }: Scope, complete: boolean): string | undefined {
    if (ssl.some(({ node }) => node.key === 'sslrequire')) return 'no Require says just what SSLRequire says';
    if (ssl.some(({ sure }) => !sure)) return 'it stands in a conditional block';
    if (!complete) return 'the run does not show whether StrictRequire made it a must in 2.2';
    if (this.isMust === undefined) return 'StrictRequire, which made it a must in 2.2, is not set everywhere';
    return this.#optional ? 'SSLEngine optional lets it answer 426' : undefined;
  }
}

function saysAny({ own, settings = [] }: Scope): boolean {
  return [own, ...settings.map((one) => one.own)].some(({ satisfy }) =>
    satisfy.some(({ value }) => value === 'any'),
  );
}
