import type { ConfigFile } from '../../config';
import type { Directive } from '../../syntax';

/** Why a word of `Allow from` or `Deny from` never matches a client. */
export type HostProblem =
  /** The word is `env=` without a name. */
  | 'no-variable'
  | 'comma'
  | 'hash'
  | 'wildcard'
  | 'no-host-name'
  /** The word is what people write who mean nobody. */
  | 'nobody';

/** Why SSLRequireSSL, which was one way in among others under `Satisfy Any`, cannot become a Require line. */
export type SslObstacle =
  | 'expression'
  /** 2.2 asked only those whom the host lists let in. */
  | 'asked-later'
  /** Whether 2.2 asked only these modules is not known. */
  | 'order-not-known'
  /** A line stands in a conditional block. */
  | 'conditional'
  /** The run does not show whether StrictRequire made it a must in 2.2. */
  | 'strict-not-shown'
  | 'strict-not-everywhere'
  /** SSLEngine optional lets it answer 426. */
  | 'upgrade'
  | 'mixed';

/** Why a section cannot be rewritten, whatever it meets: `report/refusals` has a row for each. `directive` as written. */
export type SectionProblem =
  | {
      readonly kind:
        | 'auth-merging'
        | 'endless-line'
        | 'hash'
        | 'not-read'
        | 'regex-slashes'
        | 'several-blocks'
        | 'template'
        | 'too-many-blocks';
    }
  | { readonly kind: 'misplaced-section'; readonly name: string }
  | { readonly kind: 'per-request-block'; readonly node: Directive; readonly file: ConfigFile }
  /**
   * A guard asks for a module that no LoadModule line before it loads: it is not known which of the lines in it 2.2 read.
   * @param guard as it opens
   */
  | { readonly kind: 'guard-without-module'; readonly guard: string }
  /** @param block as it opens */
  | { readonly kind: 'module-of-one-version'; readonly block: string }
  | { readonly kind: 'block-of-24' | 'block-of-compat' | 'gone' | 'no-host'; readonly directive: string }
  | { readonly kind: 'limit-in-limit'; readonly version: '2.2' | '2.4' }
  /** @param text what a template or a variable puts something in place of */
  | {
      readonly kind: 'placeholder';
      readonly directive: string;
      readonly text: string;
      readonly stands: 'for-hosts' | 'for-a-value';
    }
  | { readonly kind: 'invalid-line'; readonly directive: 'Order' | 'Satisfy' }
  | { readonly kind: 'invalid-address'; readonly address: string }
  | { readonly kind: 'unregistered-method'; readonly method: string }
  /** Only 2.2 reads a line of mod_ssl, and no Require says the same. */
  | { readonly kind: 'ssl-for-22'; readonly directive: string }
  | { readonly kind: 'ssl-alternative'; readonly directive: string; readonly because: SslObstacle };
