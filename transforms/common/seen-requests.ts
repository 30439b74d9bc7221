import type { RequestTest } from '../../src/engine';
import { findsPattern } from '../../src/regex';

/** Requests in whose path a text is escaped, as it was sent. @param escape for instance `%3F`, in any letter case */
export function withEscape(escape: string): RequestTest {
  const wanted = escape.toLowerCase();
  return ({ target, query }) =>
    target
      .slice(0, target.length - query.length)
      .toLowerCase()
      .includes(wanted);
}

/**
 * Requests for files that have one of these extensions anywhere in their names, as mod_mime sees them, or of a part of the path
 * that does: what stands behind it is for the program.
 * @param extensions without a dot, or with it
 */
export function forExtensions(extensions: Iterable<string>): RequestTest {
  const known = new Set([...extensions].map((name) => name.replace(/^\./, '').toLowerCase()));
  return ({ path }) =>
    path.includes('.') &&
    path.split('/').some((part) =>
      part
        .split('.')
        .slice(1)
        .some((name) => known.has(name.toLowerCase())),
    );
}

/** Requests whose path a rule matches. @param pattern as RewriteRule has it @param prefix the URL that it is compared without */
export function matchingRule(pattern: string, ignoresCase: boolean, prefix: string): RequestTest {
  const isNegated = pattern.startsWith('!');
  const regex = isNegated ? pattern.slice(1) : pattern;
  return ({ path }) => {
    if (!path.startsWith(prefix)) return false;
    const found = findsPattern(regex, path.slice(prefix.length), ignoresCase);
    return found !== undefined && found !== isNegated;
  };
}

/** Requests that were answered with a status of a range. @param to the highest; without it, the status is `from` */
export function withStatus(from: number, to = from): RequestTest {
  return ({ status }) => status !== undefined && status >= from && status <= to;
}

/**
 * Requests for a listing of mod_autoindex that somebody has sorted: no other request shows that it was for a listing
 * (modules/generators/mod_autoindex.c: index_directory).
 */
export const sortsListing: RequestTest = ({ query }) => /^\?C=[NMSD];O=[AD]/.test(query);

/** Requests that each of some tests is about. */
export function allOf(...tests: readonly RequestTest[]): RequestTest {
  return (request) => tests.every((test) => test(request));
}

/** Requests with a blank or a control character in their path, which a rule puts into a query as it is. */
export const hasBlank: RequestTest = ({ path }) => /[\0-\x20\x7f]/.test(path);
