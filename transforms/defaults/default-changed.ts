import { defaultTask } from '../common/tasks';
import { type Server, conditionIn, linesOf, serversOf, insertionPointFor } from '../../src/config';
import { insertAt } from '../../src/edit';
import { defineTransform, type Level, type Transform, type TransformContext } from '../../src/engine';
import { FACTS, holds } from '../../src/httpd/facts';
import { isKnownIn } from '../../src/httpd/lifespan';
import { type LifeSpan, livesIn, nameOf } from '../../src/httpd/release';
import { lineStart } from '../common/lines';
import { isServerFor24, ofMissingLine } from '../common/written-for';
import { reportInAccessFiles } from './access-files';
import { type ConfigurationUse, PATTERN_DIRECTIVES, useOf } from './configuration-use';

/** A server-wide default that 2.4 has changed. */
interface ChangedDefault {
  /** What the rule is called, where the name does not come from the directive's capitals. */
  readonly id?: string;
  /** Names of the directive; setting one at server level is enough. The first is 2.4's name. */
  readonly names: readonly string[];
  readonly changes: readonly string[];
  readonly docs: string;
  /** Whether its info stands alone, because it breaks some requests. */
  readonly standsAlone?: boolean;
  /** What differs, in the line that names all defaults that hardly matter. */
  readonly note?: string;
  /** The line that keeps 2.2's behaviour; in an <IfModule> if its module may be missing. */
  readonly pinLines: readonly string[];
  /** The releases that have the new default, if not all of 2.4. */
  readonly lifeSpan?: LifeSpan;
  /** Directives that the pin lines go beside. */
  readonly neighbours: readonly string[];
  /**
   * @returns what the new default means for a configuration, and whether a line depends on the old one; undefined if it makes no
   * difference
   */
  readonly matters: (
    use: ConfigurationUse,
  ) => readonly [level: Level, meaning: string, isNeeded?: boolean] | undefined;
}

const always =
  (meaning: string): ChangedDefault['matters'] =>
  () => ['info', meaning];

const LDAP_NEIGHBOURS = ['LDAPConnectionTimeout', 'LDAPTrustedMode', 'LDAPCacheTTL', 'DocumentRoot'];

const PROGRAM_DIRECTIVES = ['ScriptAlias', 'ScriptAliasMatch', 'Action'];

/** Lines that hand on what stands behind their path, slashes included. */
const REDIRECTS = ['Redirect', 'RedirectPermanent', 'RedirectTemp'];

/** Lines that keep somebody out: `/p//../x` is `/p/x` in 2.2, and `/x` where slashes are merged. */
const ACCESS = ['Deny', 'Require'];

/** The defaults that 2.4 changed, a row each. `changes` names the row of docs/facts/changes.md. */
const CHANGED_DEFAULTS: readonly ChangedDefault[] = [
  {
    names: ['EnableSendfile'],
    changes: ['C06'],
    docs: 'core: EnableSendfile',
    pinLines: ['EnableSendfile On'],
    neighbours: ['EnableMMAP', 'DocumentRoot'],
    matters: ({ has }) =>
      has('DocumentRoot', 'Alias')
        ? ['info', 'it is On in 2.2 and Off in 2.4, so files are sent a little more slowly']
        : undefined,
  },
  {
    names: ['FileETag'],
    changes: ['C07'],
    docs: 'core: FileETag',
    pinLines: ['FileETag INode MTime Size'],
    neighbours: ['EnableSendfile', 'DocumentRoot'],
    matters: ({ has }) =>
      has('DocumentRoot', 'Alias')
        ? [
            'info',
            'it is "INode MTime Size" in 2.2 and "MTime Size" in 2.4, so clients and caches fetch each file once more',
          ]
        : undefined,
  },
  {
    names: ['Timeout'],
    changes: ['C08'],
    docs: 'core: Timeout',
    pinLines: ['Timeout 300'],
    neighbours: ['KeepAlive', 'ServerRoot'],
    matters: ({ has, isProxied }) =>
      isProxied() || has(...PROGRAM_DIRECTIVES)
        ? [
            'warning',
            'it is 300 in 2.2 and 60 in 2.4, so requests fail if a program or backend is silent for more than a minute',
          ]
        : [
            'info',
            'it is 300 in 2.2 and 60 in 2.4, so clients that stall for more than a minute are disconnected',
          ],
  },
  {
    names: ['MaxConnectionsPerChild', 'MaxRequestsPerChild'],
    changes: ['C09'],
    docs: 'mpm_common: MaxConnectionsPerChild',
    pinLines: ['MaxConnectionsPerChild 10000'],
    neighbours: ['MaxClients', 'MaxRequestWorkers', 'Timeout'],
    matters: always(
      'it is 10000 in 2.2 and 0 in 2.4, so server processes are never replaced, which matters if a module leaks memory',
    ),
  },
  {
    names: ['MaxMemFree'],
    changes: ['C10'],
    docs: 'mpm_common: MaxMemFree',
    pinLines: ['MaxMemFree 0'],
    neighbours: ['MaxConnectionsPerChild', 'MaxRequestsPerChild', 'MaxClients'],
    matters: always('it is unlimited in 2.2 and 2048 KB in 2.4, so processes return memory earlier'),
  },
  {
    names: ['LimitRequestBody'],
    changes: ['C11'],
    docs: 'core: LimitRequestBody',
    lifeSpan: FACTS['limit-request-body-default'],
    pinLines: ['LimitRequestBody 0'],
    neighbours: ['LimitRequestFields', 'LimitRequestLine', 'Timeout'],
    matters: ({ has, isProxied }) =>
      isProxied() || has('Dav')
        ? ['warning', 'it is unlimited in 2.2 and 1 GiB since 2.4.54, so larger uploads are refused with 413']
        : ['info', 'it is unlimited in 2.2 and 1 GiB since 2.4.54'],
  },
  {
    names: ['ExtendedStatus'],
    changes: ['C12'],
    docs: 'core: ExtendedStatus',
    pinLines: ['ExtendedStatus Off'],
    neighbours: ['Timeout'],
    matters: ({ loads }) =>
      loads('status_module')
        ? [
            'info',
            'it is Off in 2.2 and, with mod_status, On in 2.4, so the status page shows clients and URLs',
          ]
        : undefined,
  },
  {
    names: ['MergeSlashes'],
    note: 'several slashes in a URL count as one, also in REDIRECT_URL, RewriteRule and Redirect, and before /../',
    changes: ['C29'],
    docs: 'core: MergeSlashes',
    lifeSpan: FACTS['merge-slashes'],
    pinLines: ['MergeSlashes Off'],
    neighbours: ['DocumentRoot'],
    matters: ({
      aliasBySlashes,
      has,
      hasPrograms,
      isProxied: isForBackends,
      patternForAccess,
      patternWithSlashes,
      refusalBySlashes,
      urlInUrl,
    }) => {
      const isProxied = isForBackends();
      const section = patternForAccess();
      const refusal = refusalBySlashes();
      const alias = aliasBySlashes();
      if (
        !isProxied &&
        [section, refusal, alias].every((line) => line === undefined) &&
        !hasPrograms() &&
        !has(...PATTERN_DIRECTIVES, ...REDIRECTS, ...ACCESS)
      )
        return undefined;
      const pattern = patternWithSlashes();
      const rule = urlInUrl();
      const parts = [
        ...(pattern === undefined ? [] : [`${pattern} looks for two`]),
        ...(rule === undefined ? [] : [`${rule} turns http://a into http:/a`]),
        ...(isProxied ? ['backends get one slash'] : []),
        ...(hasPrograms() ? ['programs get one in REDIRECT_URL'] : []),
        ...(section === undefined
          ? []
          : [`the section at ${section.line} decides about other URLs who gets in`]),
        ...(refusal === undefined ? [] : [`by ${refusal} other URLs are refused`]),
        ...(alias === undefined ? [] : [`by ${alias} other URLs lead to other files`]),
      ];
      return [
        isProxied || [section, pattern, rule, refusal, alias].some((line) => line !== undefined)
          ? 'warning'
          : 'info',
        `since 2.4.39 several slashes in a URL count as one, so patterns that look for // no longer match${parts.map((part) => `, and ${part}`).join('')}`,
        [pattern, rule, refusal, alias].some((line) => line !== undefined) || section?.mayLetIn === true,
      ];
    },
  },
  {
    names: ['DirectoryCheckHandler'],
    note: 'index files and the redirect to the final slash come before SetHandler',
    changes: ['C30'],
    docs: 'mod_dir: DirectoryCheckHandler',
    pinLines: ['<IfModule mod_dir.c>', '    DirectoryCheckHandler On', '</IfModule>'],
    neighbours: ['DirectoryIndex'],
    matters: ({
      handlerOfDirectory,
      has,
      indexBesideHandler,
      indexByUrl,
      indexOfProgram,
      ruleWithHandler,
    }) => {
      const rule = ruleWithHandler();
      if (rule !== undefined)
        return [
          'warning',
          `for the URL of a directory, 2.2 obeys ${rule}, and 2.4 takes the index file first`,
          true,
        ];
      const beside = indexBesideHandler();
      if (beside !== undefined)
        return [
          'warning',
          `for the URL of a directory, 2.2 asks the handler that is set there, which may refuse, and 2.4 takes the file that ${beside} names first`,
          true,
        ];
      const handler = handlerOfDirectory();
      if (handler !== undefined)
        return [
          'warning',
          `for the URL of a directory, 2.2 asks the handler that ${handler} sets, which may refuse, and 2.4 takes the index file first`,
          true,
        ];
      const index = has('ScriptAlias', 'ScriptAliasMatch') ? (indexByUrl() ?? indexOfProgram()) : undefined;
      if (index !== undefined)
        return [
          'warning',
          `for the URL of a directory of programs, 2.2 answers 403, and 2.4 runs what ${index} names`,
          true,
        ];
      return has('SetHandler', 'ScriptAlias', 'ScriptAliasMatch')
        ? [
            'info',
            '2.2 behaves as with On and 2.4 as with Off, so index files and the redirect to the final slash come before SetHandler and ScriptAlias',
          ]
        : undefined;
    },
  },
  {
    id: 'deflate-alter-etag-unset',
    names: ['DeflateAlterETag'],
    changes: ['F28'],
    docs: 'mod_deflate: DeflateAlterETag',
    pinLines: ['<IfModule mod_deflate.c>', '    DeflateAlterETag NoChange', '</IfModule>'],
    neighbours: ['DeflateCompressionLevel', 'DocumentRoot'],
    matters: ({ compresses }) =>
      compresses()
        ? [
            'info',
            'the ETag of compressed pages ends in -gzip in 2.4, and of those that INFLATE unpacks in -gunzip, so clients fetch them once more',
          ]
        : undefined,
  },
  {
    names: ['RequestReadTimeout'],
    changes: ['F05'],
    docs: 'mod_reqtimeout: RequestReadTimeout',
    pinLines: ['<IfModule mod_reqtimeout.c>', '    RequestReadTimeout header=0 body=0', '</IfModule>'],
    neighbours: ['Timeout'],
    matters: ({ loads, target }) =>
      loads('reqtimeout_module')
        ? [
            'warning',
            holds('request-timeout-rates-missing', target)
              ? `2.2 has no limits and ${nameOf(target)} has header=20 body=20, so requests that take longer than 20 seconds to arrive get 408`
              : '2.2 has no limits and 2.4 has header=20-40,MinRate=500 body=20,MinRate=500, so slow clients get 408',
          ]
        : undefined,
  },
  {
    id: 'proxy-100-continue-unset',
    names: ['Proxy100Continue'],
    changes: ['P11'],
    docs: 'mod_proxy: Proxy100Continue',
    lifeSpan: FACTS['proxy-100-continue'],
    pinLines: ['<IfModule mod_proxy.c>', '    Proxy100Continue Off', '</IfModule>'],
    neighbours: ['ProxyPass', 'ProxyPassMatch'],
    standsAlone: true,
    matters: ({ isProxied, expectLine }) => {
      if (!isProxied()) return undefined;
      const line = expectLine();
      return line === undefined
        ? [
            'info',
            'since 2.4.40 the body of a request with Expect: 100-continue waits for a 100 of the backend, and behind one that never sends it (HTTP/1.0, simple programs) such an upload ends in 503 after the timeout; 2.2 did not wait',
          ]
        : [
            'warning',
            `since 2.4.40 backends get Expect: 100-continue although ${line} takes it away, and have to answer it`,
            true,
          ];
    },
  },
  {
    id: 'ldap-timeout-unset',
    names: ['LDAPTimeout'],
    changes: ['A21'],
    docs: 'mod_ldap: LDAPTimeout',
    pinLines: ['<IfModule util_ldap.c>', '    LDAPTimeout 0', '</IfModule>'],
    neighbours: LDAP_NEIGHBOURS,
    matters: ({ has }) =>
      has('AuthLDAPURL')
        ? ['info', '2.2 waits for an LDAP server without limit, and 2.4 for 60 seconds']
        : undefined,
  },
  {
    id: 'ldap-retries-unset',
    names: ['LDAPRetries'],
    changes: ['A21'],
    docs: 'mod_ldap: LDAPRetries',
    pinLines: ['<IfModule util_ldap.c>', '    LDAPRetries 10', '</IfModule>'],
    neighbours: LDAP_NEIGHBOURS,
    matters: ({ has }) =>
      has('AuthLDAPURL')
        ? ['info', '2.2 tries an LDAP operation that fails ten times more, and 2.4 three times']
        : undefined,
  },
  {
    id: 'ldap-referrals-unset',
    names: ['LDAPReferrals'],
    changes: ['A21'],
    docs: 'mod_ldap: LDAPReferrals',
    lifeSpan: FACTS['ldap-referrals-default'],
    // httpd takes it in sections alone (modules/ldap/util_ldap.c: OR_AUTHCFG).
    pinLines: [
      '<IfModule util_ldap.c>',
      '    <Location "/">',
      '        LDAPReferrals default',
      '    </Location>',
      '</IfModule>',
    ],
    neighbours: LDAP_NEIGHBOURS,
    matters: ({ has }) =>
      // The section comes after those of the host names and directories that set it.
      has('AuthLDAPBindDN') && !has('LDAPReferrals')
        ? ['warning', '2.2 follows a referral anonymously, and 2.4 with AuthLDAPBindDN and its password']
        : undefined,
  },
];

/** A rule for each directive with a new default: tells what it means, and with --pin-defaults writes 2.2's value. */
export const changedDefaults: readonly Transform[] = CHANGED_DEFAULTS.map((row) =>
  defineTransform({
    id: row.id ?? `${row.names[0]!.replace(/[a-z][A-Z]/g, ([a, b]) => `${a}-${b}`).toLowerCase()}-unset`,
    changes: row.changes,
    title: `${row.names[0]} is not set`,
    why: 'The default of this directive changed in 2.4. --pin-defaults writes the value of 2.2.',
    docs: [row.docs],
    lifeSpan: row.lifeSpan,
    task: ({ level }) => (level === 'info' ? undefined : defaultTask(row.names[0]!)),
    run: (context) => reportUnset(context, row),
  }),
);

/** Names the defaults that changed and hardly matter here, in one finding. */
export const minorDefaults = defineTransform({
  id: 'minor-defaults-unset',
  changes: [],
  title: 'Directives with other defaults that hardly matter here',
  why: '2.4 has other defaults for these directives, and nothing in the configuration shows that it depends on them. A default that probably matters has a finding of its own.',
  docs: CHANGED_DEFAULTS.map(({ docs }) => docs),
  advisory: true,
  run(context) {
    const { main } = serversOf(context.tree);
    if (context.pinDefaults === true || main?.whole !== true || isServerFor24(context)) return;
    const rows = CHANGED_DEFAULTS.filter(
      ({ names, lifeSpan, standsAlone, matters }) =>
        standsAlone !== true &&
        (lifeSpan === undefined || livesIn(lifeSpan, context.target)) &&
        !isSet(main, names) &&
        matters(useOf(context, main))?.[0] === 'info',
    );
    if (rows.length === 0) return;
    const point = insertionPointFor(serversOf(context.tree), main, [['DocumentRoot', 'ServerRoot']]);
    const isSettable = ({ names }: ChangedDefault): boolean =>
      isKnownIn('directive', names[0]!, context.target);
    const named = (which: readonly ChangedDefault[]): string =>
      which.map(({ names, note }) => `${names[0]}${note === undefined ? '' : ` (${note})`}`).join(', ');
    const fixed = rows.filter((row) => !isSettable(row));
    const settable = rows.filter(isSettable);
    const parts = [
      ...(settable.length === 0
        ? []
        : [`${named(settable)}, which hardly matter here (--pin-defaults writes those of 2.2)`]),
      ...(fixed.length === 0
        ? []
        : [`what ${named(fixed)} sets in later releases; ${nameOf(context.target)} cannot change that`]),
    ];
    context.report({
      file: point.file,
      at: lineStart(point.node),
      level: 'info',
      message: `2.4 has other defaults for ${parts.join(', and for ')}`,
      isAboutMissing: true,
    });
  },
});

/** Whether 2.2 may read such a line, or 2.4 surely does: where its author has written it for 2.4, nothing is to be added. */
function isSet(main: Server, names: readonly string[]): boolean {
  const keys = names.map((name) => name.toLowerCase()).filter(main.mayHave);
  return (
    linesOf(main, names).length > 0 ||
    (keys.length > 0 &&
      main.lines.some((line) => keys.includes(line.node.key) && conditionIn(line).on24 === true))
  );
}

function reportUnset(
  context: TransformContext,
  { names, pinLines, neighbours, standsAlone, matters }: ChangedDefault,
): void {
  const servers = serversOf(context.tree);
  const { main } = servers;
  // In a part of a configuration, a missing line proves nothing.
  if (main?.whole !== true || isSet(main, names) || isServerFor24(context)) return;
  reportInAccessFiles(context, names[0]!);
  const effect = matters(useOf(context, main));
  if (effect === undefined) return;
  const [matter, meaning, isNeeded = false] = effect;
  // What hardly matters is said once for all of them.
  if (matter === 'info' && standsAlone !== true && context.pinDefaults !== true) return;
  const { level, unless } = ofMissingLine(context, matter);
  const point = insertionPointFor(servers, main, [neighbours]);
  const known = isKnownIn('directive', names[0]!, context.target);
  const edits =
    known && (isNeeded || context.pinDefaults === true)
      ? [insertAt(point.file.document, point, pinLines)]
      : [];
  const remedy = known
    ? ' (--pin-defaults keeps the old value)'
    : `; ${nameOf(context.target)} does not have ${names[0]} yet, so the old value cannot be kept`;
  context.report({
    file: point.file,
    at: lineStart(point.node),
    level,
    safety: edits.length > 0 ? 'safe' : 'manual',
    message: `${unless}${names[0]} is not set: ${meaning}${edits.length > 0 ? `; ${names[0]} is added with the old value` : remedy}`,
    edits,
    isAboutMissing: true,
  });
}
