import { type Facts, type Scope, type State, mergePolicy, setsHandlerWithoutFile } from '../policy';
import { type AccessFinding, manualFinding } from './findings';

const CLOSED =
  'on 2.2 a Satisfy Any above it opened this page to whoever has a password there; what is written here lets in by address alone. If others are to see the page, add their Require lines to it';

/**
 * Tells of a page that a handler makes without a file, as `server-status`, and that `Satisfy Any` of a site opens to whoever has
 * a password there, beside the addresses that its own section names.
 * @param statesBefore the states before the section
 * @param isClosed what is written lets in by address alone
 */
export function openedStatusPageRemark(
  scope: Scope,
  statesBefore: readonly State[],
  facts: Facts,
  isClosed: boolean,
): AccessFinding | undefined {
  const { lines, section, file } = scope;
  if (section === undefined || !isOpenedPage(scope, statesBefore, facts)) return undefined;
  if (isClosed) return manualFinding(file, section.open.from, 'warning', CLOSED);
  const words = [...new Set(lines.old.flatMap(({ node }) => (node.key === 'allow' && node.kind === 'directive' ? node.args.slice(1).map(({ value }) => value) : [])))]; // prettier-ignore
  const areAddresses = words.length > 0 && words.every((word) => /^[\d.:/a-f]+$/i.test(word));
  const message = `a Satisfy Any above it opens this page to whoever has a password there, too, on 2.2 as on 2.4: if that is not meant, have each way in there ask for ${areAddresses ? `Require ip ${words.join(' ')}` : 'these addresses'}, too`;
  return manualFinding(file, section.open.from, 'warning', message);
}

/** Whether a section for such a page names addresses alone, and a `Satisfy Any` before it opens it to whoever has a password. */
export function isOpenedPage(scope: Scope, statesBefore: readonly State[], facts: Facts): boolean {
  const { policy } = scope;
  if (policy.hosts === undefined || policy.requires !== undefined || policy.satisfy.length > 0) return false;
  if (!setsHandlerWithoutFile(scope)) return false;
  return statesBefore.some((base) => {
    const { requires, satisfy } = mergePolicy(base, policy, facts);
    return requires !== undefined && [...satisfy.values()].includes('any');
  });
}
