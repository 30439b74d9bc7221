import {
  type Facts,
  type Scope,
  type State,
  decisionIn,
  effectiveRequires,
  isMissingRequire,
  mergePolicy,
  policyVariants,
} from '../policy';
import { type AccessFinding, manualFinding } from './findings';

/**
 * What a person should know of a section whose Require lines, or the lack of them, let nobody in: both versions keep everybody
 * out, and in other words.
 * @param statesBefore the states before the section
 */
export function letsNobodyInRemark(
  scope: Scope,
  statesBefore: readonly State[],
  facts: Facts,
): AccessFinding | undefined {
  const line = scope.lines.requires[0] ?? scope.lines.authType ?? scope.lines.old[0];
  if (line === undefined) return undefined;
  const someState = (test: (state: State) => boolean): boolean =>
    policyVariants(scope).some(({ policy }) =>
      statesBefore.some((base) => test(mergePolicy(base, policy, facts))),
    );
  const message =
    facts.reading === '2.2'
      ? someState((state) => hasNoGroupFile(state, facts)) && NO_GROUP_FILE
      : someState((state) => isMissingRequire(decisionIn(state, facts))) && NO_REQUIRE;
  if (message === false) return undefined;
  return manualFinding(line.file, line.node.start, 'warning', message);
}

const NO_GROUP_FILE =
  'no group file is in effect for Require lines here: 2.2 asked for a password that let nobody in (401), 2.4 refuses without asking (403); name the file, or say who is meant';

const NO_REQUIRE =
  'an AuthType without a Require: 2.4 answered 500 where the host lists did not decide, and refuses there now (403); add the Require that is meant';

function hasNoGroupFile({ requires, authorizers }: State, { classes, modules }: Facts): boolean {
  if (requires === undefined) return false;
  return classes.some(
    (method) => effectiveRequires(requires, method, authorizers, modules)?.noGroupFile === true,
  );
}
