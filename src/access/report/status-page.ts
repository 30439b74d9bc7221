import { type Facts, type Scope, type State, mergePolicy, setsHandlerWithoutFile } from '../policy';
import { type AccessFinding, manualFinding } from './findings';

/**
 * Tells of a page that a handler makes without a file, as `server-status`, and that `Satisfy Any` of a site opens to whoever has
 * a password there, beside the addresses that its own section names.
 * @param statesBefore the states before the section
 */
export function openedStatusPageRemark(
  scope: Scope,
  statesBefore: readonly State[],
  facts: Facts,
): AccessFinding | undefined {
  const { policy, lines, section, file } = scope;
  const isByAddressAlone = policy.hosts !== undefined && policy.requires === undefined && policy.satisfy.length === 0; // prettier-ignore
  if (section === undefined || !isByAddressAlone || !setsHandlerWithoutFile(scope)) return undefined;
  const isOpened = statesBefore.some((base) => {
    const { requires, satisfy } = mergePolicy(base, policy, facts);
    return requires !== undefined && [...satisfy.values()].includes('any');
  });
  if (!isOpened) return undefined;
  const words = [...new Set(lines.old.flatMap(({ node }) => (node.key === 'allow' && node.kind === 'directive' ? node.args.slice(1).map(({ value }) => value) : [])))]; // prettier-ignore
  const areAddresses = words.length > 0 && words.every((word) => /^[\d.:/a-f]+$/i.test(word));
  const message = `a Satisfy Any above it opens this page to whoever has a password there, too, on 2.2 as on 2.4: if that is not meant, have each way in there ask for ${areAddresses ? `Require ip ${words.join(' ')}` : 'these addresses'}, too`;
  return manualFinding(file, section.open.from, 'warning', message);
}
