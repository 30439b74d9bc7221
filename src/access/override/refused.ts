import type { ConfigFile } from '../../config';
import type { Directive, Section } from '../../syntax';
import type { Scope } from '../policy';
import { type AllowOverrideIndex, forReading } from './allow-override';
import { isRefusedIn24, lineRefusedByBoth } from './htaccess-lines';
import { type OverrideState, type OverridesInForce, allowsClass, allowsName } from './in-force';

const OF_HOSTS: ReadonlySet<string> = new Set(['order', 'allow', 'deny']);

/** Whether AllowOverride lets a section of a `.htaccess` say what it does to the server that it is for. */
export function maySay({ policy, modern, lines }: Scope, inForce: OverridesInForce): boolean {
  const { hosts, requires, authz, satisfy, authType, authorizers } = policy;
  const requiring = requires !== undefined || authz !== undefined || modern !== undefined;
  const auth = authType !== undefined || satisfy.length + authorizers.size > 0;
  // AllowOverrideList, which no 2.2 has, lets in single directives.
  const isListed = (name: string): boolean => inForce.names.has(name);
  const areHostsListed = (): boolean =>
    lines.old.every(({ node }) => !OF_HOSTS.has(node.key) || isListed(node.key));
  const isAuthListed =
    authorizers.size === 0 &&
    (authType === undefined || isListed('authtype')) &&
    (satisfy.length === 0 || isListed('satisfy'));
  return (
    (hosts === undefined || allowsClass(inForce, 'L') || areHostsListed()) &&
    (!auth || allowsClass(inForce, 'A') || isAuthListed) &&
    (!requiring || allowsName(inForce, 'Require'))
  );
}

/**
 * What AllowOverride does not let a section of a `.htaccess` say, or the file around it, to all of which httpd then answers 500;
 * undefined where it lets in all that counts.
 */
export function forbiddenIn(
  scope: Scope,
  state: OverrideState,
  overrides: AllowOverrideIndex,
): 'access' | Directive | Section | undefined {
  if (!maySay(scope, forReading(state, scope))) return 'access';
  return scope.reading === '2.2' ? lineRefusedByBoth(overrides.reading)(state)(scope.place.root) : undefined;
}

/** The `.htaccess` files to which 2.2 answers 500 wherever it reads them; 2.4 does so, too, as they are left as they are. */
export function refusedFiles(
  scopes: readonly Scope[],
  overrides: AllowOverrideIndex,
): ReadonlySet<ConfigFile> {
  const refused = new Map<ConfigFile, Set<string>>();
  for (const scope of scopes) {
    const holder = scope.parent ?? scope;
    if (!scope.certain || holder.pattern.kind !== 'path') continue;
    const states = overrides.statesFor(scope);
    const isRefused = states.every((state) => {
      const inForce = forReading(state, scope);
      if (!inForce.isRead || inForce.isOpaque || forbiddenIn(scope, state, overrides) === undefined)
        return false;
      return (
        scope.lines.old.length > 0 || (scope.lines.for24.length > 0 && isRefused24(scope, state, overrides))
      );
    });
    if (states.length === 0 || !isRefused) continue;
    const directories = refused.get(scope.place.root) ?? new Set();
    refused.set(scope.place.root, directories.add(holder.pattern.path));
  }
  // Where a link leads to a file it may be read in another directory.
  return new Set(
    [...refused].flatMap(([file, { size }]) => (size === file.directories.length ? [file] : [])),
  );
}

function isRefused24({ place }: Scope, { on24 }: OverrideState, overrides: AllowOverrideIndex): boolean {
  return !allowsName(on24, 'Require') || isRefusedIn24(place.root, on24, overrides.reading);
}
