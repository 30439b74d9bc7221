/** What a server is asked, as far as access depends on it. Texts are byte strings. */
export interface AccessRequest {
  /** As sent; HEAD counts as GET. */
  readonly method: string;
  /** Decoded path of the URL. */
  readonly uri: string;
  /** The file it maps to, absolute; a directory ends in a slash. */
  readonly filename: string;
  readonly address: string;
  /** The client's name, where its address resolves both ways. */
  readonly host: string | undefined;
  /** Names of the variables set when access is checked, lower case. */
  readonly env: ReadonlySet<string>;
  /** The authenticated user; undefined where there are no credentials, or wrong ones. */
  readonly user: string | undefined;
  readonly groups: ReadonlySet<string>;
  /** Over TLS; where nothing is said, it is. */
  readonly tls?: boolean;
  /** Whether an undecided conditional, `IfModule mod_x.c`, holds. */
  readonly config: (name: string) => boolean;
}

/** P got in · U 401 · F 403 · E 500 · ? the model cannot tell. */
export type Answer = 'P' | 'U' | 'F' | 'E' | '?';
