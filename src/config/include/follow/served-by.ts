/** The directories that a line serves. */
interface ServedBy {
  /** Paths and patterns of them, as they are written. */
  readonly paths: readonly string[];
  /** Names of directories in the homes of users. */
  readonly homes: readonly string[];
}

/**
 * The directories that a line which maps URLs to files leads to. What a pattern of URLs leads to is not told.
 * @param key of DocumentRoot, Alias, ScriptAlias, UserDir, VirtualDocumentRoot or VirtualScriptAlias
 */
export function servedBy(key: string, args: readonly string[]): ServedBy {
  const [first = '', second = ''] = args;
  switch (key) {
    case 'documentroot':
      return { paths: [first], homes: [] };
    case 'userdir':
      return /^(?:enabled?|disabled?)$/i.test(first) ? NONE : userDirectories(args);
    case 'virtualdocumentroot':
    case 'virtualscriptalias':
      return { paths: [byHost(first)], homes: [] };
    default:
      return { paths: [second], homes: [] };
  }
}

const NONE: ServedBy = { paths: [], homes: [] };

/** mod_userdir.c: translate_userdir. A `*` stands for the user, whose name comes behind a path without one. */
function userDirectories(words: readonly string[]): ServedBy {
  const paths = words.filter((word) => /^(?:[A-Za-z]:)?\//.test(word));
  return {
    paths: paths.map((path) => (path.includes('*') ? path : `${path.replace(/\/+$/, '')}/*`)),
    // What is no path here is a redirect.
    homes: words.filter(
      (word) => !paths.includes(word) && !/^[a-z]+:\/\//i.test(word) && !/^\.*$/.test(word),
    ),
  };
}

/** mod_vhost_alias.c: a component with a `%` holds a part of the host's name, which has no slash. */
function byHost(directory: string): string {
  const parts = directory.split('/');
  return parts.map((part) => (part.includes('%') ? '*' : part)).join('/');
}
