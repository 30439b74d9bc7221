import { type Scope, type State, scopeName } from '../policy';
import { differenceText } from './differences';
import type { KeptCheck } from '../rewrite';
import { type Refusal, refusalText, sslObstacleText } from './refusals';
import type { AccessRun } from './run-context';

/** A section that lets in fewer than in 2.2, for want of an exact text. */
export type StrictForm = StrictestText | KeptCheck | DeniedSection | BelowDenied;

/** A section that lets nobody in from now on. */
interface DeniedSection {
  /** Why it would have kept others from being converted. */
  readonly denies: Refusal;
}

/** A section that says exactly what is left of those above it, of which some let nobody in from now on. */
interface BelowDenied {
  /** The one that has a part in what it says, where it is known which. */
  readonly below: Scope | undefined;
}

/** A section that is written in the strictest form. */
interface StrictestText {
  /** Why there is no exact text. */
  readonly problem: Refusal;
  /** The states that a request may have met before it comes to the section. */
  readonly before: readonly State[];
  /** Whether no AuthType is in force in some of these states: what asks for a password lets nobody in. */
  readonly noLogin: (states: readonly State[]) => boolean;
  /** Sections for files that are refused altogether, lest more be asked of all others. */
  readonly refused: readonly Scope[];
}

/**
 * Says what is written, why nothing exact is, and whom it refuses.
 * @param names the directives that are rewritten
 * @param assuming what is assumed, from ", assuming"; empty where nothing is
 */
export function strictMessage(
  scope: Scope,
  names: string,
  form: StrictForm,
  { newlyRefused, keptChecks }: AccessRun,
  assuming: string,
): string {
  const become =
    scope.reading === '2.2' ? 'become Require' : 'are restated as a 2.4 with mod_access_compat decides';
  if ('denies' in form)
    return `${scopeName(scope)}: its access lines become Require all denied, which lets nobody in${assuming}; there is no exact form: ${refusalText(form.denies)}`;
  if ('below' in form)
    return `${scopeName(scope)}: ${names} ${become}, and ${form.below === undefined ? 'a section above' : scopeName(form.below)} has become Require all denied: whoever 2.2 let in here only by the lines of both is refused now${assuming}`;
  if ('directive' in form) return `${scopeName(scope)}: ${names} ${become}, and ${checkText(form, assuming)}`;
  const check = keptChecks.get(scope);
  const { problem, before, noLogin, refused: files } = form;
  const found = newlyRefused.find(scope, before, noLogin);
  const refused =
    found === 'none'
      ? 'no request that was tried is newly refused'
      : found === 'not-known'
        ? 'which requests are newly refused has not been found out'
        : `newly refused is ${differenceText(found, '2.4')}`;
  const apart =
    files.length === 0 ? '' : `, and so is who asks for a file of ${files.map(scopeName).join(', ')}`;
  return `${scopeName(scope)}: ${names} become Require in the strictest form, which lets in only whom ${scope.reading === '2.2' ? '2.2' : 'it'} let in whatever a request had met before${assuming}; ${refused}${apart}${check === undefined ? '' : `; ${whyItStays(check)}`}; there is no exact form: ${refusalText(problem)}`;
}

/** Says of a check that it stays, whom that refuses, and why it does. */
export function checkText(check: KeptCheck, assuming = ''): string {
  return `${whyItStays(check)}${assuming}; there is no exact form: ${sslObstacleText(check.because)}`;
}

function whyItStays({ directive }: KeptCheck): string {
  return `${directive} stays, a must in 2.4, so that newly refused is whom Satisfy Any let in without what it asks for`;
}

/** Says of a run that some of its sections are in the strictest form. @param count how many */
export function strictSummary(count: number): string {
  const sections = count === 1 ? '1 section is' : `${count} sections are`;
  return `${sections} written in the strictest form, which may refuse what 2.2 let in: say there by hand who may get in, or give --exact to leave these access lines as they are`;
}
