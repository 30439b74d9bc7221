/** Who asks. */
export interface JudgeClient {
  readonly address: string;
  readonly method: string;
  /** A user who gave the right password; `''` for a wrong one. */
  readonly user: string | undefined;
  /** Groups of which the user is a member, in the group files of which {@link isGroupFile} says so. */
  readonly groups: ReadonlySet<string>;
  /** The variables that are set for the request, in lower case; undefined where that is not known. */
  readonly env?: ReadonlySet<string>;
  /** Whether the request comes over TLS; undefined where no line that was looked at asks for it. */
  readonly tls?: boolean;
  /** What a template leaves open in a host list stands for all; else for nobody. */
  readonly isFilled?: boolean;
  /** Whether the groups are known to stand in a group file; undefined where they stand in each. */
  readonly isGroupFile?: (path: string) => boolean;
}

export interface JudgeRequest extends JudgeClient {
  readonly uri: string;
  readonly filename: string;
  readonly isDirectory: boolean;
  /** The DocumentRoot of the server that answers. */
  readonly documentRoot: string;
  /** By which the client has asked for it; else its ServerName. */
  readonly serverName: string;
}

/** P gets in · U 401 · F 403 · E 500. */
export type Letter = 'P' | 'U' | 'F' | 'E';
