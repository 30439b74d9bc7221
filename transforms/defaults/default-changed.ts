import { linesOf, type Server, serversOf, insertionPointFor } from '../../src/config';
import { insertAt } from '../../src/edit';
import { defineTransform, type Level, type Transform, type TransformContext } from '../../src/engine';
import { FACTS, holds } from '../../src/httpd/facts';
import { isKnownIn } from '../../src/httpd/lifespan';
import { type LifeSpan, type Release, nameOf } from '../../src/httpd/release';
import { isServerFor24 } from '../shared/written-for';

/** What a configuration has, as far as it decides whether a default matters. */
interface Uses {
  /** Whether any line of the run is one of these directives. */
  readonly says: (...names: readonly string[]) => boolean;
  /** The release of 2.4 that the run is for. */
  readonly target: Release;
  /** Whether the run loads a module: `status_module`. */
  readonly loads: (module: string) => boolean;
  readonly main: Server;
}

/** A server-wide default that 2.4 has changed. */
interface ChangedDefault {
  /** Any of them, set at server level, settles it. The first is what 2.4 calls it. */
  readonly names: readonly string[];
  readonly changes: readonly string[];
  readonly docs: string;
  /** What 2.2 did, as a line; two where it needs a module that may not be there. */
  readonly pin: readonly string[];
  /** The releases that have 2.4's default, where that is not all of them. */
  readonly lifeSpan?: LifeSpan;
  /** Directives that the pin goes beside. */
  readonly kin: readonly string[];
  /** What it means here: undefined where it means nothing. */
  readonly matters: (uses: Uses) => readonly [level: Level, meaning: string] | undefined;
}

const always =
  (meaning: string): ChangedDefault['matters'] =>
  () => ['info', meaning];

const RUNS = ['ScriptAlias', 'ScriptAliasMatch', 'ProxyPass', 'ProxyPassMatch', 'Action'];

/** C06 to C12, C29, C30 and F05 of docs/facts/changes.md. */
const CHANGED_DEFAULTS: readonly ChangedDefault[] = [
  {
    names: ['EnableSendfile'],
    changes: ['C06'],
    docs: 'core: EnableSendfile',
    pin: ['EnableSendfile On'],
    kin: ['EnableMMAP', 'DocumentRoot'],
    matters: ({ says }) =>
      says('DocumentRoot', 'Alias')
        ? ['info', 'On in 2.2, Off in 2.4: files go out a little slower']
        : undefined,
  },
  {
    names: ['FileETag'],
    changes: ['C07'],
    docs: 'core: FileETag',
    pin: ['FileETag INode MTime Size'],
    kin: ['EnableSendfile', 'DocumentRoot'],
    matters: ({ says }) =>
      says('DocumentRoot', 'Alias')
        ? [
            'info',
            '"INode MTime Size" in 2.2, "MTime Size" in 2.4: clients and caches fetch each file once more',
          ]
        : undefined,
  },
  {
    names: ['Timeout'],
    changes: ['C08'],
    docs: 'core: Timeout',
    pin: ['Timeout 300'],
    kin: ['KeepAlive', 'ServerRoot'],
    matters: ({ says }) =>
      says(...RUNS)
        ? [
            'warning',
            '300 in 2.2, 60 in 2.4: programs and backends that stay silent for longer than a minute are given up',
          ]
        : ['info', '300 in 2.2, 60 in 2.4: clients that stall for longer than a minute are given up'],
  },
  {
    names: ['MaxConnectionsPerChild', 'MaxRequestsPerChild'],
    changes: ['C09'],
    docs: 'mpm_common: MaxConnectionsPerChild',
    pin: ['MaxConnectionsPerChild 10000'],
    kin: ['MaxClients', 'MaxRequestWorkers', 'Timeout'],
    matters: always(
      '10000 in 2.2, 0 in 2.4: server processes are no longer replaced, which a leak would need',
    ),
  },
  {
    names: ['MaxMemFree'],
    changes: ['C10'],
    docs: 'mpm_common: MaxMemFree',
    pin: ['MaxMemFree 0'],
    kin: ['MaxConnectionsPerChild', 'MaxRequestsPerChild', 'MaxClients'],
    matters: always('unlimited in 2.2, 2048 KB in 2.4: processes give memory back earlier'),
  },
  {
    names: ['LimitRequestBody'],
    changes: ['C11'],
    docs: 'core: LimitRequestBody',
    lifeSpan: FACTS['limit-request-body-default'],
    pin: ['LimitRequestBody 0'],
    kin: ['LimitRequestFields', 'LimitRequestLine', 'Timeout'],
    matters: ({ says }) =>
      says(...RUNS, 'Dav')
        ? ['warning', 'unlimited in 2.2, 1 GiB since 2.4.54: larger uploads are refused with 413']
        : ['info', 'unlimited in 2.2, 1 GiB since 2.4.54'],
  },
  {
    names: ['ExtendedStatus'],
    changes: ['C12'],
    docs: 'core: ExtendedStatus',
    pin: ['ExtendedStatus Off'],
    kin: ['Timeout'],
    matters: ({ loads }) =>
      loads('status_module')
        ? ['info', 'Off in 2.2, On in 2.4 where mod_status is loaded: the status page names clients and URLs']
        : undefined,
  },
  {
    names: ['MergeSlashes'],
    changes: ['C29'],
    docs: 'core: MergeSlashes',
    lifeSpan: FACTS['merge-slashes'],
    pin: ['MergeSlashes Off'],
    kin: ['DocumentRoot'],
    matters: ({ says }) =>
      says('LocationMatch', 'RewriteRule')
        ? [
            'info',
            'several slashes in a URL count as one since 2.4.39: patterns that look for // no longer match',
          ]
        : undefined,
  },
  {
    names: ['DirectoryCheckHandler'],
    changes: ['C30'],
    docs: 'mod_dir: DirectoryCheckHandler',
    pin: ['<IfModule mod_dir.c>', '    DirectoryCheckHandler On', '</IfModule>'],
    kin: ['DirectoryIndex'],
    matters: ({ says }) =>
      says('SetHandler')
        ? [
            'info',
            'as if On in 2.2, Off in 2.4: index files and the redirect to the final slash come before SetHandler',
          ]
        : undefined,
  },
  {
    names: ['RequestReadTimeout'],
    changes: ['F05'],
    docs: 'mod_reqtimeout: RequestReadTimeout',
    pin: ['<IfModule mod_reqtimeout.c>', '    RequestReadTimeout header=0 body=0', '</IfModule>'],
    kin: ['Timeout'],
    matters: ({ loads, target }) =>
      loads('reqtimeout_module')
        ? [
            'warning',
            holds('request-timeout-rates-missing', target)
              ? `no limits in 2.2, header=20 body=20 in ${nameOf(target)}: requests that take longer than 20 seconds to arrive get 408`
              : 'no limits in 2.2, header=20-40,MinRate=500 body=20,MinRate=500 in 2.4: slow clients get 408',
          ]
        : undefined,
  },
];

/** One rule for each directive whose default 2.4 has changed: it tells what that means here, and writes 2.2's value where asked to. */
export const changedDefaults: readonly Transform[] = CHANGED_DEFAULTS.map((row) =>
  defineTransform({
    id: `${row.names[0]!.replace(/[a-z][A-Z]/g, ([a, b]) => `${a}-${b}`).toLowerCase()}-unset`,
    changes: row.changes,
    title: `${row.names[0]} is not set`,
    why: 'The directive has another default in 2.4. --pin-defaults writes what 2.2 did.',
    docs: [row.docs],
    lifeSpan: row.lifeSpan,
    directives: [],
    run: (context) => check(context, row),
  }),
);

function check(context: TransformContext, { names, pin, kin, matters }: ChangedDefault): void {
  const servers = serversOf(context.tree);
  const { main } = servers;
  // Nothing follows from what is missing in a part of a server.
  if (main?.whole !== true || linesOf(main, names).length > 0 || isServerFor24(context)) return;
  const told = matters(usesOf(context, main));
  if (told === undefined) return;
  const [level, meaning] = told;
  const spot = insertionPointFor(servers, main, [kin]);
  const known = isKnownIn('directive', names[0]!, context.target);
  const edits = known && context.pinDefaults === true ? [insertAt(spot.file.document, spot, pin)] : [];
  const otherwise = known
    ? ' (--pin-defaults keeps the old value)'
    : `; ${nameOf(context.target)} has no ${names[0]} yet to change that`;
  context.report({
    file: spot.file,
    at: spot.node === undefined ? 0 : (spot.node.kind === 'section' ? spot.node.open : spot.node).from,
    level,
    safety: edits.length > 0 ? 'safe' : 'manual',
    message: `${names[0]} is not set: ${meaning}${edits.length > 0 ? '' : otherwise}`,
    edits,
  });
}

function usesOf({ index, target }: TransformContext, main: Server): Uses {
  return {
    main,
    target,
    says: (...names) => index.someDirective(names, () => true) || index.someSection(names, () => true),
    loads: (module) => index.someDirective(['LoadModule'], ({ args }) => args[0]?.value === module),
  };
}
