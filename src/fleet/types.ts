/**
 * `done`: nothing is left to change; `ready`: can move today; `questions`: can move once a person has answered; `blocked`: 2.4
 * would not start, or who gets in would change; `failed`: the run could not be done.
 */
export const HOST_STATUSES = ['done', 'ready', 'questions', 'blocked', 'failed'] as const;
export type HostStatus = (typeof HOST_STATUSES)[number];

/** What a merge keeps of the report of one host: decoded texts. */
export interface HostReport {
  readonly name: string;
  /** Hosts of one group should be alike. */
  readonly group: string;
  readonly status: HostStatus;
  /** Findings whose edits are in the plan. */
  readonly changes: number;
  readonly blockers: number;
  /** Why the run could not be done. */
  readonly trouble: readonly string[];
  readonly questions: readonly HostQuestion[];
  readonly assumptions: readonly { readonly key: string; readonly text: string; readonly findings: number }[];
  /** Path → a file that was read. */
  readonly files: ReadonlyMap<string, HostFile>;
}

/** A file of a host, as a merge compares it. */
export interface HostFile {
  /** A fingerprint of what was found in the file, and of what it becomes. */
  readonly result: string;
  /** The SHA-256 of the text; undefined in a report of an earlier release. */
  readonly text: string | undefined;
}

/** Something that a person is asked about a host. */
export interface HostQuestion {
  readonly text: string;
  readonly rules: readonly string[];
  readonly isBlocker: boolean;
  /** `path:line` of each finding. */
  readonly places: readonly string[];
}

/** A question that many hosts ask. */
export interface FleetQuestion {
  readonly text: string;
  readonly rules: readonly string[];
  readonly blocker: boolean;
  readonly findings: number;
  readonly hosts: readonly {
    readonly name: string;
    readonly places: readonly string[];
    readonly findings: number;
  }[];
}

/** A file that hosts of a group have under one path. */
export interface FleetDrift {
  readonly group: string;
  readonly path: string;
  /** How many hosts have it. */
  readonly hosts: number;
  /** Hosts with another result than most: other findings or changes. */
  readonly differing: readonly string[];
  /** Hosts whose text is that of other hosts, and whose result is not: what the server has around it differs. */
  readonly sameText: readonly string[];
}

/** The reports of many hosts as one; printed as JSON as it stands. */
export interface FleetReport {
  readonly version: 1;
  readonly hosts: readonly (Pick<
    HostReport,
    'name' | 'group' | 'status' | 'changes' | 'blockers' | 'trouble'
  > & {
    /** The status of the host in the earlier merge; absent where the host was not in that. */
    readonly before?: HostStatus;
  })[];
  readonly groups: readonly {
    readonly name: string;
    readonly counts: Readonly<Record<HostStatus, number>>;
  }[];
  /** The questions of all hosts: blockers first, then those that most hosts ask. */
  readonly questions: readonly FleetQuestion[];
  readonly assumptions: readonly {
    readonly key: string;
    readonly text: string;
    readonly findings: number;
    readonly hosts: readonly string[];
  }[];
  /** Directories in which somebody has to act: of a customer's `.htaccess`, or of the server. */
  readonly places: readonly { readonly host: string; readonly path: string; readonly findings: number }[];
  /** Files that hosts of a group have under one path, and that are not the same, or do not come to the same, on all of them. */
  readonly drift: readonly FleetDrift[];
  /** Against an earlier merge; absent without one. */
  readonly progress?: {
    readonly counts: Readonly<Record<HostStatus, number>>;
    readonly moved: readonly { readonly name: string; readonly from: HostStatus; readonly to: HostStatus }[];
    readonly added: readonly string[];
    readonly gone: readonly string[];
  };
}
