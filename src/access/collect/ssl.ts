import { type Place, isConditional } from '../../config';
import type { Directive } from '../../syntax';
import type { UrlMapping } from '../mapping';
import { added } from '../primitives';
import type { ScopeContext } from './lines';
import type { ScopeBuilder } from './scope-builder';

const NAMES = new Set(['sslrequiressl', 'sslrequire', 'ssloptions', 'sslengine']);

/**
 * SSLRequireSSL is part of the host check: under `Satisfy Any` a way in among others in 2.2, and a must in 2.4 (docs/facts/access-rewrite.md).
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
  add(node: Directive, place: Place, context: ScopeContext, scopes: readonly ScopeBuilder[]): void {
    const { before, after } = context.condition;
    if (before === false) return;
    const sure = before === true && after === true && context.undecided.length + context.outer.length === 0;
    if (node.key === 'sslengine') this.#optional ||= node.args[0]?.value.toLowerCase() === 'optional';
    else if (node.key === 'ssloptions') this.#addOptions(node, place, sure);
    else
      for (const scope of scopes) {
        this.#isUsed = true;
        scope.ssl = added(scope.ssl, {
          node,
          inner: context.inner,
          file: place.file,
          sure,
          isReadBy24: before === after,
        });
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

  /** Whether there is a check at all. */
  get isUsed(): boolean {
    return this.#isUsed;
  }

  get isOptional(): boolean {
    return this.#optional;
  }

  /** Whether a check failed is final whatever Satisfy says; undefined where that differs within the run. */
  get isMust(): boolean | undefined {
    return this.#various ? undefined : this.#strict;
  }

  /** Files what has been found with what each section sets. */
  assignChecks(scopes: readonly ScopeBuilder[], mapping: UrlMapping): void {
    if (!this.#isUsed) return;
    for (const scope of scopes)
      if (scope.ssl !== undefined && scope.vhost !== undefined && mapping.isOverTls(scope.vhost)) {
        // There the check holds for every request, in both versions.
        const expressions = scope.ssl.filter(({ node }) => node.key === 'sslrequire');
        scope.ssl = expressions.length > 0 ? expressions : undefined;
      }
    this.#isUsed = scopes.some(({ ssl }) => ssl !== undefined);
    const kind = this.isMust === true ? 'must' : 'check';
    for (const scope of scopes) {
      const line = scope.ssl?.findLast(({ node, sure }) => sure && node.key === 'sslrequiressl');
      if (line !== undefined) scope.sslCheck = { kind, origin: line.node };
    }
  }
}
