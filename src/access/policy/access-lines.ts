import type { ConfigFile, Frame } from '../../config';
import type { Directive, Section } from '../../syntax';

/** One line of a section that the access transform owns, or that decides how its lines are read. */
export interface ScopeLine {
  readonly file: ConfigFile;
  readonly node: Directive | Section;
  /** The sections between the scope and the line: Limit, conditionals. */
  readonly inner: readonly Frame[];
}

/** A line that sets a part of the access state, and which of the versions read it as theirs where it stands. */
export interface LineWithReaders extends ScopeLine {
  readonly readBy22: boolean;
  /** Undefined where only a 2.4 without mod_access_compat reads it. */
  readonly readBy24: boolean | undefined;
}

/** An access line that is a directive. */
export type AccessDirective = LineWithReaders & { readonly node: Directive };

/** The access lines of one section in the order in which they are read, and questions about who reads them. */
export class AccessLines {
  readonly all: readonly LineWithReaders[];
  #old: readonly LineWithReaders[] | undefined;
  #requires: readonly LineWithReaders[] | undefined;
  #for24: readonly LineWithReaders[] | undefined;

  /** @param old lines that take the place of those that `old` would find */
  constructor(all: readonly LineWithReaders[], old?: readonly LineWithReaders[]) {
    this.all = all;
    this.#old = old;
  }

  /** Lines that both versions read: Order, Allow, Deny, Satisfy, Authz*Authoritative. */
  get old(): readonly LineWithReaders[] {
    return (this.#old ??= this.#where((line) => isForBoth(line) && !IN_24.has(keyOf(line))));
  }

  /** Require lines that both versions read; with mod_access_compat, AuthMerging lines too. */
  get requires(): readonly LineWithReaders[] {
    return (this.#requires ??= this.#where(
      (line) => isForBoth(line) && (keyOf(line) === 'require' || keyOf(line) === 'authmerging'),
    ));
  }

  /** The AuthType line that both versions read: the last counts. */
  get authType(): AccessDirective | undefined {
    const line = this.all.findLast((each) => isForBoth(each) && keyOf(each) === 'authtype');
    return line as AccessDirective | undefined;
  }

  /** Lines that 2.2 reads and not every 2.4 does, because a conditional says so. */
  get for22(): readonly LineWithReaders[] {
    return this.#where(({ readBy22, readBy24 }) => readBy22 && readBy24 !== true);
  }

  /** Every Require that 2.4 may read here, in whatever containers, Limits and conditionals. */
  get for24(): readonly LineWithReaders[] {
    return (this.#for24 ??= this.#readBy24('require'));
  }

  get authTypesFor24(): readonly LineWithReaders[] {
    return this.#readBy24('authtype');
  }

  /** Every AuthMerging line that 2.4 may read here. */
  get merging(): readonly LineWithReaders[] {
    return this.#readBy24('authmerging');
  }

  #readBy24(key: string): readonly LineWithReaders[] {
    return this.#where((line) => line.readBy24 !== false && keyOf(line) === key);
  }

  #where(holds: (line: LineWithReaders) => boolean): readonly LineWithReaders[] {
    return this.all.some(holds) ? this.all.filter(holds) : NO_ACCESS_LINES.all;
  }
}

/** Most sections have no access lines: they share this. */
export const NO_ACCESS_LINES = new AccessLines(Object.freeze([]));

/** Directives that 2.4 reads without mod_access_compat. */
export const IN_24: ReadonlySet<string> = new Set(['require', 'authmerging', 'authtype']);

function isForBoth({ readBy22, readBy24 }: LineWithReaders): boolean {
  return readBy22 && readBy24 === true;
}

function keyOf({ node }: LineWithReaders): string {
  return node.key;
}
