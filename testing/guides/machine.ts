import type { MachineFiles } from './platform';
import type { GuideRequest } from './requests';

/** A machine: its files, and what its control program of httpd does. */
export type Machine = Pick<GuideServer, 'files' | 'main' | 'modules' | 'drive' | 'control'> & {
  /** The main file of a machine that runs 2.2, which is not there: its control program only tells of itself. */
  readonly runs22?: string;
  /** A machine whose system is too old for the command. */
  readonly lacksCommand?: boolean;
};

/** A machine that a guide names. */
export type NamedMachine = Machine & { readonly name: string };

/** What a guide is walked on. */
export interface GuideServer {
  /** What is on the machine. */
  readonly files: MachineFiles;
  /** The configuration that httpd is started with at the end; undefined where there is none. */
  readonly main: string | undefined;
  /** Where the server expects httpd's modules, as a link. */
  readonly modules?: string;
  /** The server belongs to somebody else, who starts it. */
  readonly isProvided?: boolean;
  /** What stands for the drive here, where paths begin with the letter of one. */
  readonly drive?: string;
  /** Shell commands that its control program runs before httpd; `options` holds what httpd is given then. */
  readonly control?: string;
  /** Where a guide has several machines: these, in place of `files`. The last is asked at the end. */
  readonly machines?: readonly NamedMachine[];
  readonly requests: readonly GuideRequest[];
}
