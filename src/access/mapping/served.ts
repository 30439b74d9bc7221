import { findsPattern } from '../../regex';
import type { Directive } from '../../syntax';
import type { Route, UserDirSettings } from './routes';

/** A DocumentRoot line. */
export interface DocumentRootLine {
  /** Undefined where it is not known. */
  readonly path: string | undefined;
  readonly asWritten: string;
  readonly sure: boolean;
}

/** What one server, main or virtual, says itself about what it serves from where. */
export interface Served {
  /** Its DocumentRoot lines in their order; one in a conditional may not be read. Undefined for a root that is not known. */
  readonly roots: DocumentRootLine[];
  readonly routes: Route[];
  /** Its ServerPath lines, which a virtual host does not take from the main server. */
  readonly serverPaths: string[];
  userDir: UserDirSettings | undefined;
  /** Its RewriteRule lines: they are read once somebody asks where they lead. */
  readonly rewrites: Directive[];
  /** RewriteOptions inherit: those of the main server are its own too. */
  inherits: boolean;
}

/** Whether a URL matches the pattern of a RewriteRule, or may. */
export function mayMatch(pattern: string, flags: string, url: string): boolean {
  const isNegated = pattern.startsWith('!');
  const ignoreCase = /[[,]NC?(?:ocase)?[\],]/i.test(flags);
  return findsPattern(isNegated ? pattern.slice(1) : pattern, url, ignoreCase) !== isNegated;
}
