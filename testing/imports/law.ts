/**
 * The import law: what the files of a place may import. `npm run docs` writes it into `.oxlintrc.json`, so that editors show a
 * breach, and `__tests__/imports.test.ts` holds every import, `require` and `import()` to it.
 */
export interface Place {
  /** A folder whose files lie directly in it, or a file without its extension. The most specific place of a file counts. */
  readonly place: string;
  /** What of ours it may import beside its own files: paths without extension; `/*` stands for every file of a folder. */
  readonly imports: readonly string[];
  /** The modules of Node that it may import, without `node:`. */
  readonly node: readonly string[];
}

const place = (name: string, imports: readonly string[], node: readonly string[] = []): Place => ({
  place: name,
  imports,
  node,
});

/**
 * The rooms of a folder, from the lowest up: a room imports those below it, each by its index. The last word stands for the files
 * of the folder itself, which also import `above`.
 */
function rooms(
  folder: string,
  order: readonly string[],
  outside: readonly string[],
  above: readonly string[] = [],
): Place[] {
  const paths = order.map((name) => `${folder}/${name}`);
  return [
    place(folder, [...paths, ...outside, ...above]),
    ...paths.map((path, i) => place(path, [...paths.slice(0, i), ...outside])),
  ];
}

const HTTPD = ['src/httpd', 'src/httpd/*'];
const TYPES = ['src/config/types', 'src/engine/types', 'src/log/types'];
const ACCESS = ['src/syntax', 'src/regex', 'src/edit', 'src/config', 'src/engine/types', ...HTTPD];
const ACCESS_ROOMS = [
  'primitives',
  'policy',
  'mapping',
  'collect',
  'override',
  'models',
  'inherit',
  'rewrite',
  'verify',
  'subrequests',
  'report',
  'decide',
  'view',
];
const WRITE_NODE = ['fs', 'os', 'path', 'crypto', 'util'];

const withFileSystem = (room: Place): Place => ({
  ...room,
  node: WRITE_NODE,
  imports:
    room.place === 'src/write/system' ? [...room.imports, 'src/write/system/attributes'] : room.imports,
});

const CLI = ['src/cli/io', 'src/cli/trouble', 'src/cli/options', 'src/shell-word', 'src/suggest'];
const CLI_DATA = ['src/syntax', 'src/config', 'src/edit', 'src/engine', 'src/report', ...TYPES, ...HTTPD];
const CLI_ACCESS = ['src/access', 'src/access/policy', 'src/access/primitives', 'src/access/explain'];
const CLI_WORK = [
  'src/fleet',
  'src/ask',
  'src/compare',
  'src/compare/ask',
  'src/log',
  'src/collect',
  'src/configtest',
  'src/configtest/error',
  'src/git',
  'src/git/error',
  'src/write',
  'src/write/error',
];
const COMMANDS = [
  ...CLI,
  'src/cli/commands/*',
  'src/cli/input',
  'src/cli/output',
  'src/cli/manual',
  'src/cli/parts',
];

const RULES = [
  'src/syntax',
  'src/regex',
  'src/edit',
  'src/config',
  'src/access',
  'src/engine',
  'src/shell-word',
  ...HTTPD,
];

const PLACES: readonly Place[] = [
  place('src/maps', []),
  place('src/shell-word', []),
  place('src/suggest', []),
  place('src/syntax', []),
  place('src/regex', []),
  place('src/httpd', []),
  place('src/httpd/messages', ['src/httpd/*', 'src/httpd/messages/lines', 'src/httpd/messages/questions']),
  place('src/httpd/messages/questions', [
    'src/httpd/messages/shape',
    'src/httpd/messages/start',
    'src/httpd/messages/syntax',
  ]),
  place('src/httpd/messages/lines', ['src/httpd/*', 'src/httpd/messages/syntax']),
  place('src/edit', ['src/syntax']),

  place('src/config', [
    'src/config/source',
    'src/config/tree',
    'src/config/include',
    'src/syntax',
    'src/regex',
    ...HTTPD,
  ]),
  place('src/config/source', ['src/config/types', 'src/syntax', 'src/regex', ...HTTPD]),
  place('src/config/source/disk', ['src/config/source/*', 'src/config/types'], ['fs', 'os', 'v8']),
  place('src/config/tree', ['src/config/types', 'src/syntax', 'src/regex', ...HTTPD]),
  ...rooms(
    'src/config/include',
    ['layout', 'files', 'start', 'follow', 'search'],
    ['src/config/types', 'src/config/source', 'src/config/tree', 'src/syntax', ...HTTPD],
  ),

  ...rooms('src/access', ACCESS_ROOMS, ACCESS),
  place('src/access/explain', [...ACCESS_ROOMS.map((name) => `src/access/${name}`), ...ACCESS]),
  place('src/access/replay', [
    ...[...ACCESS_ROOMS, 'explain'].map((name) => `src/access/${name}`),
    ...ACCESS,
  ]),

  ...rooms(
    'src/judge',
    ['text', 'reading', 'answer', 'site', 'questions'],
    ['src/syntax', 'src/regex', 'src/config/types', 'src/httpd/directives', 'src/httpd/modules'],
  ),

  ...rooms(
    'src/engine',
    ['tree-index', 'types', 'wanted', 'apply', 'collect'],
    [
      'src/syntax',
      'src/regex',
      'src/edit',
      'src/config',
      'src/httpd/release',
      'src/httpd/judge',
      'src/httpd/providers',
    ],
    ['src/judge', 'src/suggest'],
  ),
  ...rooms(
    'src/report',
    ['encoding', 'diff', 'content', 'terminal', 'html'],
    ['src/syntax', 'src/edit', ...TYPES],
  ),
  ...rooms(
    'src/write',
    ['error', 'system', 'journal', 'transaction', 'recovery'],
    ['src/syntax', 'src/edit', ...TYPES],
  ).map(withFileSystem),
  place('src/write/system/attributes', ['src/write/error'], ['child_process', 'os']),
  place('src/write/editor', ['src/write/error'], ['child_process', 'fs', 'os', 'path']),
  place(
    'src/configtest',
    ['src/shell-word', 'src/syntax', 'src/edit', ...TYPES],
    ['child_process', 'fs', 'os', 'path'],
  ),
  place(
    'src/git',
    ['src/shell-word', 'src/config', 'src/config/types', 'src/write'],
    ['child_process', 'fs', 'path'],
  ),
  place('src/fleet', ['src/report']),
  place('src/collect', ['src/config', 'src/collect/*'], ['zlib']),
  // What the library has of it, where there is no Node.
  ...['collected', 'server', 'read-tar', 'tar-format'].map((file) =>
    place(`src/collect/${file}`, ['src/config', 'src/collect/*']),
  ),
  place('src/log', [
    'src/syntax',
    'src/config',
    ...['policy', 'report', 'replay'].map((room) => `src/access/${room}`),
    ...TYPES,
  ]),
  place('src/ask', [
    'src/suggest',
    'src/syntax',
    'src/edit',
    'src/config',
    'src/access/explain',
    'src/access/policy',
    'src/access/primitives',
    'src/engine',
    'src/report',
    'src/log',
    ...TYPES,
    ...HTTPD,
    'src/httpd/messages',
  ]),
  place('src/compare', ['src/config', 'src/log', ...TYPES]),
  place('src/compare/ask', ['src/compare/*'], ['http', 'https', 'net']),
  place('src/log/stream', ['src/log/*', 'src/config', 'src/config/source/disk'], ['fs', 'path', 'zlib']),

  place('src/cli', [
    ...CLI_DATA,
    ...CLI_WORK,
    'src/log/*',
    'src/cli/commands',
    'src/cli/options',
    'src/cli/output',
    'src/lsp/types',
  ]),
  place('src/cli/options', [...CLI, ...CLI_DATA, 'src/access', 'src/log']),
  place('src/cli/input', [...CLI, ...CLI_DATA, ...CLI_ACCESS, ...CLI_WORK]),
  place('src/cli/output', [...CLI, ...CLI_DATA, ...CLI_ACCESS, 'src/ask']),
  place('src/cli/manual', [...CLI, ...CLI_DATA]),
  place('src/cli/parts', [...CLI, ...CLI_DATA]),
  place('src/cli/commands/lsp', [
    ...COMMANDS,
    ...CLI_DATA,
    ...CLI_WORK,
    'src/ask',
    'src/lsp/access-lines',
    'src/lsp/positions',
    'src/lsp/types',
  ]),
  place('src/lsp', ['src/syntax', ...HTTPD], ['worker_threads']),
  ...['', '/compare', '/debug', '/explain', '/why'].map((folder) =>
    place(`src/cli/commands${folder}`, [...COMMANDS, ...CLI_DATA, ...CLI_ACCESS, ...CLI_WORK]),
  ),

  place('src/convert', [
    'src/ask',
    'src/collect/collected',
    'src/config',
    'src/engine',
    'src/log',
    'src/report',
    'transforms',
    ...TYPES,
  ]),
  place('src/index', [
    'src/convert',
    'src/ask',
    'src/collect/server',
    'src/log/types',
    'src/syntax',
    'src/edit',
    'src/config',
    'src/engine',
    'src/report',
    'src/httpd/modules',
    'src/httpd/release',
    'transforms',
  ]),
  place(
    'src/main',
    [
      'package.json',
      'transforms',
      'src/cli',
      'src/collect',
      'src/lsp',
      'src/config/source/disk',
      'src/configtest',
      'src/git',
      'src/log/*',
      'src/compare/*',
      'src/write',
      'src/write/*',
    ],
    ['crypto', 'sea', 'tty', 'v8', 'worker_threads'],
  ),

  // The page in the browser: the library is its only door, but for what the page itself must not be as large as.
  place('page', ['src', 'src/httpd/release']),

  place('transforms', ['src/engine', 'transforms/*', 'transforms/common/*']),
  place('transforms/common', ['transforms/common/words', 'transforms/common/servers', ...RULES]),
  place('transforms/common/words', RULES),
  place('transforms/common/servers', ['transforms/common/lines', 'transforms/common/words', ...RULES]),
  place('transforms/*', ['transforms/common', 'transforms/common/*', ...RULES]),
];

/** Places that do without `src/maps`: the lowest, the judge, which shares nothing, and the page, whose door is the library. */
const WITHOUT_MAPS =
  /^(?:src\/(?:maps|syntax|regex|httpd|judge|config)(?:\/.*)?|src\/(?:collect|lsp|index|main|convert).*|page)$/;

export const LAW: readonly Place[] = PLACES.map((entry) =>
  WITHOUT_MAPS.test(entry.place) ? entry : { ...entry, imports: [...entry.imports, 'src/maps'] },
);

/** The place that a file belongs to, by its path without extension; undefined where the law has none. */
export function placeOf(file: string): Place | undefined {
  const folder = file.slice(0, Math.max(0, file.lastIndexOf('/')));
  return (
    LAW.find((entry) => entry.place === file) ??
    LAW.find((entry) => entry.place === folder) ??
    LAW.find((entry) => entry.place.endsWith('/*') && matches(entry.place, folder))
  );
}

const matches = (pattern: string, path: string): boolean =>
  pattern === path ||
  (pattern.endsWith('/*') &&
    path.startsWith(pattern.slice(0, -1)) &&
    !path.slice(pattern.length - 1).includes('/'));

/**
 * Why an import breaks the law; undefined where it does not.
 * @param from the file that imports, without its extension
 * @param to the file imported, without its extension, or `node:` and the name of a module
 */
export function breachOf(from: string, to: string): string | undefined {
  const law = placeOf(from);
  if (law === undefined) return `${from} has no place in the law`;
  const isAllowed = to.startsWith('node:')
    ? law.node.includes(to.slice('node:'.length))
    : placeOf(to) === law || law.imports.some((pattern) => matches(pattern, to));
  return isAllowed ? undefined : `${law.place} may not import ${to}`;
}
