import { findsPattern } from '../../regex';
import type { Directive } from '../../syntax';
import type { Route } from './routes';

/** What one server, main or virtual, says itself about what it serves from where. */
export interface Served {
  /** Its DocumentRoot lines in their order; one in a conditional may not be read. Undefined for a root that is not known. */
  readonly roots: { readonly path: string | undefined; readonly sure: boolean }[];
  readonly routes: Route[];
  userDir: UserDirSettings | undefined;
  /** Its RewriteRule lines: they are read once somebody asks where they lead. */
  readonly rewrites: Directive[];
  /** RewriteOptions inherit: those of the main server are its own too. */
  inherits: boolean;
}

/** What the UserDir lines of a server say beside where homes are (mod_userdir.c: userdir_config). */
interface UserDirSettings {
  /** Undefined where no line says it for all users. */
  disabled: boolean | undefined;
  /** Some user is let in by name. */
  enablesUsers: boolean;
}

/** mod_userdir.c: set_user_dir. */
export function noteUserDir(
  served: Served,
  [keyword = '', ...users]: readonly string[],
  sure: boolean,
): void {
  const settings = (served.userDir ??= { disabled: undefined, enablesUsers: false });
  if (/^enabled?$/i.test(keyword)) {
    if (users.length > 0) settings.enablesUsers = true;
    else settings.disabled = false;
  } else if (/^disabled?$/i.test(keyword) && users.length === 0 && sure) settings.disabled = true;
}

/** Whether a URL matches the pattern of a RewriteRule, or may. */
export function mayMatch(pattern: string, flags: string, url: string): boolean {
  const isNegated = pattern.startsWith('!');
  const ignoreCase = /[[,]NC?(?:ocase)?[\],]/i.test(flags);
  return findsPattern(isNegated ? pattern.slice(1) : pattern, url, ignoreCase) !== isNegated;
}
