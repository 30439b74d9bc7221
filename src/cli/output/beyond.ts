import type { RunOptions, RunResult } from '../../engine/types';
import { oneLine, plural, filesByPlace } from '../../report';
import type { Io } from '../io';
import type { ConvertOptions } from '../options';

/** Why changes outside of the paths given stay out of what is written. */
export const BEYOND = 'outside of the paths given: add --follow to write it';

/** Whether files outside of the paths given may be written: as told, or answered; undefined while nobody was asked. */
export interface Consent {
  given: boolean | undefined;
}

export function consentOf({ follow, interactive }: ConvertOptions): Consent {
  // Whoever is shown each change, with the name of its file, has a say in each.
  return { given: follow || interactive ? true : undefined };
}

/**
 * The result of a run that writes, or saves what is to be written, without what lies outside of the paths given and what goes
 * together with that, unless it may be written: a person at a terminal is asked, once a run.
 * @param runWithout the run, without what is declined
 */
export function withinPaths(
  runWithout: (declines: RunOptions['declines']) => RunResult,
  declines: RunOptions['declines'],
  consent: Consent,
  io: Io,
): RunResult {
  const whole = runWithout(declines);
  const beyond = whole.plan.filter(({ file }) => file.isBeyond === true);
  if (beyond.length === 0 || consent.given === true) return whole;
  const files = beyond.map(({ file }) => file);
  const what = `${filesByPlace(whole.tree, files)}, outside of the paths given`;
  if (consent.given === undefined) {
    const answer = io.ask(
      `The change takes in ${what}. Write ${files.length === 1 ? 'it' : 'these'} too? [y/N] `,
    );
    consent.given = answer !== undefined && /^y(?:es)?$/i.test(answer.trim());
    if (consent.given) return whole;
  }
  const result = runWithout((finding) =>
    finding.edits.length > 0 && finding.file.isBeyond === true ? BEYOND : declines?.(finding),
  );
  const within = whole.plan.length - beyond.length - result.plan.length;
  const together = within > 0 ? `, and ${plural(within, 'file')} whose changes go together with that` : '';
  io.stderr.write(
    oneLine(`httpd-codemod: not written: ${what}${together}: add --follow to write all of it`) + '\n',
  );
  return result;
}
