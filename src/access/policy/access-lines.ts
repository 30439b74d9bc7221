import type { ConfigFile, Frame } from '../../config';
import type { Directive } from '../../syntax';
import { EMPTY_LIST } from '../primitives';

/** One line of a section that the access transform owns, or that decides how its lines are read. */
export interface ScopeLine {
  readonly file: ConfigFile;
  readonly node: Directive;
  /** The sections between the scope and the line: Limit, conditionals. */
  readonly inner: readonly Frame[];
}

/** A line of mod_ssl that asks for TLS, or for a certificate. */
export interface SslLine extends ScopeLine {
  /** 2.2 surely reads it, and so does 2.4, or else no 2.4 does. */
  readonly sure: boolean;
  /** 2.4 reads it wherever 2.2 does. */
  readonly isReadBy24: boolean;
  /** No 2.4 reads it, nor the like in a block of its own. */
  readonly isFor22: boolean;
  /** What SSLRequire asks, as `Require expr` text; undefined if none surely asks the same, or StrictRequire demands it. */
  readonly test?: string | undefined;
  /** An SSLRequire that the rewrite makes a Require line. */
  readonly inTree?: boolean;
}

/** A line that sets a part of the access state, and which of the versions read it as theirs where it stands. */
export interface LineWithReaders extends ScopeLine {
  readonly readBy22: boolean;
  /** Undefined where only a 2.4 without mod_access_compat reads it. */
  readonly readBy24: boolean | undefined;
}

/** The access lines of one section, each list in the order in which they are read. */
export interface AccessLines {
  readonly all: readonly LineWithReaders[];
  /** The lines of `old`, `requires`, `only22` and `requires24`: all that decide. */
  readonly deciding: readonly LineWithReaders[];
  /** Lines that both versions read: Order, Allow, Deny, Satisfy, Authz*Authoritative. */
  readonly old: readonly LineWithReaders[];
  /** Require lines that both versions read; with mod_access_compat, AuthMerging lines too. */
  readonly requires: readonly LineWithReaders[];
  /** The AuthType line that both versions read: the last counts. */
  readonly authType: LineWithReaders | undefined;
  /** What new lines stand beside where they replace none: AuthType, or the first line that names groups or a directory server. */
  readonly beside: LineWithReaders | undefined;
  /** Lines that 2.2 reads and not every 2.4 does, because a conditional says so. */
  readonly only22: readonly LineWithReaders[];
  /** Every Require that 2.4 may read here, in whatever containers, Limits and conditionals. */
  readonly requires24: readonly LineWithReaders[];
  /** Every AuthType line that 2.4 may read here. */
  readonly authTypesFor24: readonly LineWithReaders[];
  /** Every AuthMerging line that 2.4 may read here. */
  readonly merging: readonly LineWithReaders[];
}

/** Sorts access lines by who reads them. @param beside what new lines may stand beside if there is no AuthType */
export function linesByReader(all: readonly LineWithReaders[], beside?: LineWithReaders): AccessLines {
  const isFor24 = (line: LineWithReaders, key: string): boolean =>
    line.readBy24 !== false && line.node.key === key;
  const isReadBy22 = ({ readBy22, readBy24, node }: LineWithReaders): boolean =>
    readBy22 && (readBy24 !== true || node.key !== 'authtype');
  const authType = all.findLast((line) => isForBoth(line) && line.node.key === 'authtype');
  return {
    all,
    deciding: select(all, (line) => isReadBy22(line) || isFor24(line, 'require')),
    old: select(all, (line) => isForBoth(line) && !IN_24.has(line.node.key)),
    requires: select(all, (line) => isForBoth(line) && REQUIRES.has(line.node.key)),
    authType,
    beside: authType ?? beside,
    only22: select(all, ({ readBy22, readBy24 }) => readBy22 && readBy24 !== true),
    requires24: select(all, (line) => isFor24(line, 'require')),
    authTypesFor24: select(all, (line) => isFor24(line, 'authtype')),
    merging: select(all, (line) => isFor24(line, 'authmerging')),
  };
}

/** The lines for which something holds: the list itself where that is all of them, which it is for most. */
function select(
  all: readonly LineWithReaders[],
  holds: (line: LineWithReaders) => boolean,
): readonly LineWithReaders[] {
  const first = all.findIndex(holds);
  if (first < 0) return EMPTY_LIST;
  return first === 0 && all.every(holds) ? all : all.filter(holds);
}

/** Directives that 2.4 reads without mod_access_compat. */
export const IN_24: ReadonlySet<string> = new Set(['require', 'authmerging', 'authtype']);

const REQUIRES: ReadonlySet<string> = new Set(['require', 'authmerging']);

function isForBoth({ readBy22, readBy24 }: LineWithReaders): boolean {
  return readBy22 && readBy24 === true;
}

/** Most sections have no access lines: they share this. */
export const NO_ACCESS_LINES: AccessLines = linesByReader(EMPTY_LIST);
