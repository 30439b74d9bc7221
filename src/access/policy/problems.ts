/** Why a word of `Allow from` or `Deny from` never matches a client. */
export type HostProblem =
  /** It is `env=` without a name. */
  | 'no-variable'
  | 'comma'
  | 'hash'
  | 'wildcard'
  /** It has characters that no host name has. */
  | 'no-host-name'
  /** It is what people write who mean nobody. */
  | 'nobody';

/** Why SSLRequireSSL, which was one way in among others under `Satisfy Any`, cannot become a Require line. */
export type SslObstacle =
  /** There is an SSLRequire. */
  | 'expression'
  /** 2.2 asked only those whom the host lists let in. */
  | 'asked-later'
  /** It is not known whether 2.2 asked only those. */
  | 'order-not-known'
  /** A line stands in a conditional block. */
  | 'conditional'
  /** The run does not show whether StrictRequire made it a must in 2.2. */
  | 'strict-not-shown'
  /** StrictRequire is not set everywhere. */
  | 'strict-not-everywhere'
  /** SSLEngine optional lets it answer 426. */
  | 'upgrade'
  /** Lines of 2.2 and of 2.4 are mixed. */
  | 'mixed';

/** Why a section cannot be rewritten, whatever it meets. `directive` is a name as it is written. */
export type SectionProblem =
  /** httpd refuses a section of this name in its place. */
  | { readonly kind: 'misplaced-section'; readonly name: string }
  /**
   * A guard asks for a module that no LoadModule line before it loads: it is not known which of the lines in it 2.2 read.
   * @param guard as it opens
   */
  | { readonly kind: 'guard-without-module'; readonly guard: string }
  /** A block asks for a module that the LoadModule lines load for one version alone. @param block as it opens */
  | { readonly kind: 'module-of-one-version'; readonly block: string }
  /** A line in 2.2's words stands in a block that only 2.4 reads. */
  | { readonly kind: 'block-of-24'; readonly directive: string }
  /** A line that may let somebody in stands in a block that only a 2.4 with mod_access_compat reads. */
  | { readonly kind: 'block-of-compat'; readonly directive: string }
  | { readonly kind: 'limit-in-limit'; readonly version: '2.2' | '2.4' }
  /** 2.4 has no such directive. */
  | { readonly kind: 'gone'; readonly directive: string }
  /** AuthMerging is not followed where lines of 2.2 and of 2.4 are mixed. */
  | { readonly kind: 'auth-merging' }
  /**
   * A line names hosts, or another value, that a template or a variable puts in place of a word.
   * @param text as it stands there
   */
  | {
      readonly kind: 'placeholder';
      readonly directive: string;
      readonly text: string;
      readonly stands: 'for-hosts' | 'for-a-value';
    }
  /** 2.2 itself refuses the line. */
  | { readonly kind: 'invalid-line'; readonly directive: 'Order' | 'Satisfy' }
  /** 2.2 itself refuses the line: it wants "from" and a host. */
  | { readonly kind: 'no-host'; readonly directive: string }
  /** 2.2 itself refuses the address. */
  | { readonly kind: 'invalid-address'; readonly address: string }
  /** 2.4 refuses a word with # in it. */
  | { readonly kind: 'hash' }
  /** 2.4 answers 500 to a `.htaccess` that limits a method that is not registered. */
  | { readonly kind: 'unregistered-method'; readonly method: string }
  /** One of its lines is read in several conditional blocks. */
  | { readonly kind: 'several-blocks' }
  /** Its access lines are split over more conditional blocks than the rewrite handles. */
  | { readonly kind: 'too-many-blocks' }
  /** Its regex asks for the end of the name, which never matched in 2.2 and does in 2.4. */
  | { readonly kind: 'regex-end' }
  /** Its regex asks for several slashes in a row, which 2.4 makes one before it looks. */
  | { readonly kind: 'regex-slashes' }
  /** Lines that httpd does not read, as of a template, stand among its access lines. */
  | { readonly kind: 'template' }
  /** One of its lines is longer than either version reads. */
  | { readonly kind: 'endless-line' }
  /** Its file could not be read, or stands in a directory that could not. */
  | { readonly kind: 'not-read' }
  /** A check of TLS was one way in among others under Satisfy Any and is a must in 2.4. */
  | { readonly kind: 'ssl-alternative'; readonly directive: string; readonly because: SslObstacle };
