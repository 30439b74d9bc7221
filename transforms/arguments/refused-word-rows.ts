import { isComplete } from '../../src/config';
import type { TransformContext } from '../../src/engine';
import { findModule } from '../../src/httpd/modules';
import { findThirdParty } from '../../src/httpd/third-party';
import { memo } from '../../src/maps';
import { isUnknown } from '../common/lines';
import { flagsOf, rewriteWords } from '../common/words';
import { knownValues, refusedByBoth } from './refused-by-both-rows';
import type { StrictArgument } from './strict-argument-rows';

/** A directive whose words are all of a list, in any case, that 2.4 and 2.2 have in their sources. */
interface WordList {
  readonly names: readonly string[];
  /** What either version takes. */
  readonly words: RegExp;
  /** What a word that is not among them is not. */
  readonly what: string;
  readonly source: string;
  readonly examples: readonly string[];
  readonly accepted: readonly string[];
  readonly messageRule?: string;
}

const LISTS: readonly WordList[] = [
  {
    names: ['FileETag'],
    words: /^[-+]?(?:none|all|inode|mtime|size|digest)$/i,
    what: 'part of an ETag',
    source: 'server/core.c: set_etag_bits',
    examples: ['FileETag MTime Sise', 'FileETag Off'],
    accepted: ['FileETag none', 'FileETag -INode +mtime', 'FileETag All'],
  },
  {
    names: ['SSLOptions'],
    // CompatEnvVars has a finding of its own.
    words:
      /^[-+]?(?:stdenvvars|compatenvvars|exportcertdata|fakebasicauth|strictrequire|optrenegotiate|legacydnstringformat)$/i,
    what: 'option of mod_ssl',
    source: 'modules/ssl/ssl_engine_config.c: ssl_cmd_SSLOptions',
    examples: ['SSLOptions +StdEnvVar', 'SSLOptions FakeBasicAuth Strict'],
    accepted: ['SSLOptions +stdenvvars -ExportCertData', 'SSLOptions OptRenegotiate StrictRequire'],
  },
  {
    names: ['SSLVerifyClient'],
    words: /^(?:none|off|optional|require|on|optional_no_ca)$/i,
    what: 'way to ask for a certificate',
    source: 'modules/ssl/ssl_engine_config.c: ssl_cmd_verify_parse',
    examples: ['SSLVerifyClient required', 'SSLVerifyClient 1'],
    accepted: ['SSLVerifyClient None', 'SSLVerifyClient optional_no_ca'],
  },
  {
    names: ['ServerSignature'],
    words: /^(?:on|off|email)$/i,
    what: 'signature (On, Off, EMail)',
    source: 'server/core.c: set_signature_flag',
    examples: ['ServerSignature None', 'ServerSignature Prod'],
    accepted: ['ServerSignature EMail', 'ServerSignature off'],
  },
  {
    names: ['MultiviewsMatch'],
    words: /^(?:any|negotiatedonly|filters|handlers)$/i,
    what: 'kind of extension (Any, NegotiatedOnly, Filters, Handlers)',
    source: 'modules/http/mod_mime.c: multiviews_match',
    examples: ['MultiviewsMatch All', 'MultiviewsMatch Handlers Filter'],
    accepted: ['MultiviewsMatch any', 'MultiviewsMatch Handlers Filters'],
  },
  {
    names: ['ForceLanguagePriority'],
    words: /^(?:none|prefer|fallback)$/i,
    what: 'choice of a language (None, Prefer, Fallback)',
    source: 'modules/mappers/mod_negotiation.c: set_force_priority',
    examples: ['ForceLanguagePriority On', 'ForceLanguagePriority Prefer Fall'],
    accepted: ['ForceLanguagePriority prefer Fallback', 'ForceLanguagePriority None'],
  },
  {
    names: ['RewriteOptions'],
    words:
      /^(?:inherit(?:before|down|downbefore)?|ignoreinherit|allownoslash|maxredirects=.*|allowanyuri|mergebase|ignorecontextinfo|legacyprefixdocroot|unsafeprefixstat)$/i,
    what: 'option of mod_rewrite',
    source: 'modules/mappers/mod_rewrite.c: cmd_rewriteoptions',
    examples: ['RewriteOptions inherits', 'RewriteOptions Inherit On'],
    accepted: ['RewriteOptions Inherit', 'RewriteOptions inherit MaxRedirects=5'],
  },
  {
    names: ['IndexOptions'],
    words:
      /^(?:[-+]?(?:fancyindexing|foldersfirst|htmltable|iconsarelinks|ignorecase|ignoreclient|scanhtmltitles|suppress(?:columnsorting|description|htmlpreamble|icon|lastmodified|size|rules)|trackmodified|versionsort|xhtml|showforbidden|addaltclass|icon(?:width|height)|type=.*|charset=.*|useolddateformat)|none|-(?:name|description)width|\+?(?:icon(?:width|height)|(?:name|description)width)=.*)$/i,
    what: 'option of mod_autoindex',
    source: 'modules/generators/mod_autoindex.c: add_opts',
    examples: [
      'IndexOptions FancyIndex',
      'IndexOptions +SuppressDate +HTMLTable',
      'IndexOptions +NameWidth',
      'IndexOptions -IconWidth=9',
      'IndexOptions -None',
    ],
    accepted: [
      'IndexOptions +FancyIndexing -NameWidth -IconWidth',
      'IndexOptions NameWidth=* Type=text/html',
      'IndexOptions None',
    ],
  },
  {
    names: ['CharsetOptions'],
    // DebugLevel, which 2.2 takes, has a finding of its own here and in the next row.
    words: /^(?:(?:no)?(?:implicitadd|translateallmimetypes)|debuglevel=.*)$/i,
    what: 'option of mod_charset_lite',
    source: 'modules/filters/mod_charset_lite.c: add_charset_options',
    examples: ['CharsetOptions Debug', 'CharsetOptions ImplicitAdd NoTranslate'],
    accepted: ['CharsetOptions NoImplicitAdd TranslateAllMimeTypes'],
  },
  {
    names: ['ExtFilterOptions'],
    words: /^(?:(?:no)?logstderr|onfail=(?:remove|abort)|debuglevel=.*)$/i,
    what: 'option of mod_ext_filter',
    source: 'modules/filters/mod_ext_filter.c: add_options',
    examples: ['ExtFilterOptions LogStdout', 'ExtFilterOptions Onfail=stop'],
    accepted: ['ExtFilterOptions NoLogStderr Onfail=Remove'],
  },
  {
    names: ['AcceptPathInfo'],
    words: /^(?:on|off|default)$/i,
    what: 'choice (On, Off, Default)',
    source: 'server/core.c: set_accept_path_info',
    examples: ['AcceptPathInfo None', 'AcceptPathInfo 1'],
    accepted: ['AcceptPathInfo default'],
  },
  {
    names: ['EnableMMAP', 'EnableSendfile'],
    words: /^(?:on|off)$/i,
    what: 'choice (On, Off)',
    source: 'server/core.c: set_enable_mmap, set_enable_sendfile',
    examples: ['EnableMMAP 0', 'EnableSendfile no'],
    accepted: ['EnableMMAP off', 'EnableSendfile On'],
  },
  {
    names: ['CookieStyle'],
    words: /^(?:netscape|cookie2?|rfc2109|rfc2965)$/i,
    what: 'style of cookies (Netscape, Cookie, Cookie2)',
    source: 'modules/metadata/mod_usertrack.c: set_cookie_style',
    examples: ['CookieStyle RFC6265'],
    accepted: ['CookieStyle rfc2965', 'CookieStyle Cookie'],
  },
  {
    names: ['AuthDigestQop'],
    // Since 2.4.69 only auth is left: the others have a finding of their own.
    words: /^(?:none|auth|auth-int)$/i,
    what: 'quality of protection (auth)',
    source: 'modules/aaa/mod_auth_digest.c: set_qop',
    examples: ['AuthDigestQop on', 'AuthDigestQop auth full'],
    accepted: ['AuthDigestQop Auth'],
    messageRule: 'auth-digest-auth-int',
  },
  {
    names: ['AuthDigestAlgorithm'],
    words: /^md5(?:-sess)?$/i,
    what: 'algorithm (MD5)',
    source: 'modules/aaa/mod_auth_digest.c: set_algorithm',
    examples: ['AuthDigestAlgorithm SHA-256'],
    accepted: ['AuthDigestAlgorithm md5'],
  },
  {
    names: ['XBitHack'],
    words: /^(?:on|off|full)$/i,
    what: 'choice (On, Off, Full)',
    source: 'modules/filters/mod_include.c: set_xbithack',
    examples: ['XBitHack 1'],
    accepted: ['XBitHack full'],
  },
];

/** What Header and RequestHeader may do, as 2.4 has it: more than 2.2. */
const ACTION = /^(?:add|set|setifempty|append|merge|unset|echo|note|edit\*?)$/i;

const CONDITION = /^(?:always|onsuccess)$/i;

/** Actions that 2.4 and 2.2 refuse for a header without a value. */
const WITH_VALUE = /^(?:add|set|setifempty|append|merge|note|edit\*?)$/i;

const FLAG_OF_COND = /^(?:nocase|nc|ornext|or|novary|nv)$/;

/**
 * The flags of a RewriteRule of 2.4: what 2.2 lacks of them is told by the rules about what is written for 2.4. Both take any
 * that begins with a D.
 */
const FLAG_OF_RULE =
  /^(?:b(?:ackrefescaping|ne|np|ackrefernoplus|ctls)?|c(?:hain|o|ookie)?|d.*|e(?:nv|nd)?|f(?:orbidden)?|g(?:one)?|h(?:andler)?|l(?:ast)?|n(?:e|oescape|ext|s|osubreq|c|ocase)?|p(?:roxy|t|assthrough)?|qs(?:a|append|d|discard|l|last)|r(?:edirect)?|s(?:kip)?|t(?:ype)?|unsafe(?:prefixstat|allow3f)|unc)$/;

/** The providers of the modules of both versions, and of 2.4. Names are case-sensitive. */
const PROVIDERS = new Set(['file', 'dbm', 'dbd', 'anon', 'ldap', 'socache']);

/** The names that lines define for providers; undefined where a module of somebody else may know more, or may be loaded. */
const definedProviders = memo(({ tree, index }: TransformContext): ReadonlySet<string> | undefined => {
  const loaded = index.directives(['LoadModule']).map(({ node }) => node.args[0]?.value ?? '');
  const mayBeMore = loaded.some((identifier) => findModule(identifier) === undefined && mayLogIn(identifier));
  if (mayBeMore || loaded.length === 0 || !isComplete(tree)) return undefined;
  const defining = [
    ...index.sections(['AuthnProviderAlias']),
    ...index.directives(['AuthnzFcgiDefineProvider']),
  ];
  return new Set(defining.flatMap(({ node }) => node.args[1]?.value ?? []));
});

/** Whether a module of somebody else may ask for passwords: what is known for something else does not. */
function mayLogIn(identifier: string): boolean {
  const name = identifier.replace(/_module$/, '');
  return findThirdParty(name) === undefined || /auth(?!z_)|perl|python|wsgi|lua/i.test(name);
}

/** Words of which neither version takes others than these. */
export const REFUSED_WORDS: readonly StrictArgument[] = [
  ...LISTS.map(({ words, what, ...row }) =>
    refusedByBoth(
      {
        ...row,
        linePattern: /[^ \t]/,
        in22: `refuses what is no ${what}, too`,
        in24: `refuses what is no ${what}`,
        at: 'directory',
      },
      ({ args }) => {
        const wrong = knownValues(args).find((value) => !words.test(value));
        return wrong === undefined ? undefined : `"${wrong}", which is no ${what}`;
      },
    ),
  ),
  refusedByBoth(
    {
      names: ['Header', 'RequestHeader'],
      linePattern: /[ \t]/,
      in22: 'refuses what is no action on a header, and one that lacks its value, too',
      in24: 'refuses what is no action on a header, and one that lacks its value',
      source: 'modules/metadata/mod_headers.c: header_inout_cmd',
      at: 'directory',
      examples: ['Header sets X-A b', 'Header always append X-A', 'Header edit X-A', 'Header always edit X-A b', 'RequestHeader remove X-A', 'RequestHeader echo X-A', 'Header always put X-A b'],
      accepted: ['Header always Set X-A b', 'Header echo X-A', 'Header edit X-A b early', 'RequestHeader unset X-A', 'Header onsuccess append X-A b'],
    },
    ({ key, args }) => {
      const skipped = key === 'header' && CONDITION.test(args[0]?.value ?? '') ? 1 : 0;
      const [action, ...rest] = args.slice(skipped);
      const [word] = knownValues(action === undefined ? [] : [action]);
      if (word === undefined) return undefined;
      if (!ACTION.test(word)) return `"${word}", which is no action on a header`;
      if (key === 'requestheader' && /^(?:echo|note)$/i.test(word)) return `${word}, which is for Header alone`;
      if (knownValues(rest).length < rest.length) return undefined;
      if (rest.length === 2 && /^edit/i.test(word)) return `a pattern without what comes in its place behind ${word}`;
      return rest.length === 1 && WITH_VALUE.test(word) ? `a header without a value behind ${word}` : undefined;
    },
  ),
  refusedByBoth(
    {
      names: ['SetEnvIf', 'SetEnvIfNoCase', 'BrowserMatch', 'BrowserMatchNoCase'],
      linePattern: /[^ \t]/,
      in22: 'refuses a line without an expression or without a variable, too',
      in24: 'refuses a line without an expression or without a variable',
      source: 'modules/metadata/mod_setenvif.c: add_setenvif, add_setenvif_core',
      at: 'directory',
      examples: ['SetEnvIf Referer', 'SetEnvIf Referer ^x', 'BrowserMatch Bot', 'SetEnvIf Referer "" a', 'SetEnvIfNoCase "" ^x a', 'BrowserMatch Bot ""'],
      accepted: ['SetEnvIf Referer ^x a', 'BrowserMatchNoCase bot a=1 b'],
    },
    ({ key, args }) => {
      const least = key.startsWith('setenvif') ? 3 : 2;
      const [name, ...words] = args.slice(0, least).map(({ value }) => value);
      if (least === 3 && name === '') return 'a line without a header';
      const [pattern = '', variable] = least === 3 ? words : [name, ...words];
      // What a variable stands for may be several words.
      if (args.length < least && knownValues(args).length < args.length) return undefined;
      if (pattern === '') return 'a line without an expression';
      return variable === undefined || variable === '' ? 'a line that sets no variable' : undefined;
    },
  ),
  refusedByBoth(
    {
      names: ['AddOutputFilterByType'],
      linePattern: /[^ \t]/,
      in22: 'refuses a filter without a type, too',
      in24: 'refuses a filter without a type',
      source: 'server/core.c, modules/filters/mod_filter.c: add_ct_output_filters, filter_bytype',
      at: 'directory',
      examples: ['AddOutputFilterByType DEFLATE'],
      accepted: ['AddOutputFilterByType DEFLATE text/html'],
    },
    ({ args }) => (args.length === 1 && knownValues(args).length === 1 ? 'a filter without a type' : undefined),
  ),
  refusedByBoth(
    {
      names: ['RewriteRule', 'RewriteCond'],
      linePattern: /[^ \t]/,
      in22: 'refuses a line without a second word, and flags that are empty, that it does not know or that stand in no brackets, too',
      in24: 'refuses a line without a second word, and flags that are empty, that it does not know or that stand in no brackets',
      source: 'modules/mappers/mod_rewrite.c: cmd_rewriterule, cmd_rewritecond, cmd_parseflagfield',
      at: 'directory',
      examples: ['RewriteRule ^a', 'RewriteRule ^a b L', 'RewriteRule ^a b [L,XX]', 'RewriteRule ^a b [L,]', 'RewriteCond %{HTTP_HOST} ^a []', 'RewriteCond %{HTTP_HOST} ^a [NC', 'RewriteCond %{HTTP_HOST} ^a [L]'],
      accepted: ['RewriteRule ^a b [NC,NE,NS,QSA,PT,S=1,E=a:b]', 'RewriteRule ^a - [last,passthrough]', 'RewriteRule ^a - [DiscardPathInfo]', 'RewriteCond %{HTTP_HOST} ^a [nocase,OR,NV]'],
    },
    (node) => {
      if (node.kind === 'section') return undefined;
      const [, second, flags] = rewriteWords(node);
      if (second === undefined) return `a ${node.name} of one word`;
      if (flags === undefined || isUnknown(flags.text)) return undefined;
      if (!/^\[.*\]$/s.test(flags.text)) return `"${flags.text}", which is no list of flags in brackets`;
      if (flags.text.slice(1, -1).split(',').some((flag) => flag.trim() === '')) return `${flags.text}, in which a flag is empty`;
      const known = node.key === 'rewritecond' ? FLAG_OF_COND : FLAG_OF_RULE;
      const wrong = flagsOf(flags).find(({ key }) => !known.test(key));
      return wrong && `${wrong.key.toUpperCase()}, which is no flag of ${node.name}`;
    },
  ),
  refusedByBoth(
    {
      names: ['AuthBasicProvider', 'AuthDigestProvider'],
      linePattern: /[^ \t]/,
      in22: 'refuses the name of a provider that nothing loaded registers, too',
      in24: 'refuses the name of a provider that nothing loaded registers',
      source: 'modules/aaa/mod_auth_basic.c: add_authn_provider',
      at: 'directory',
      // Examples would need a server with all of its modules, which no 2.4 that asks about a line has.
      examples: [],
      accepted: ['AuthBasicProvider file', 'AuthBasicProvider dbm file', 'AuthDigestProvider file'],
    },
    ({ args }, _place, context) => {
      const defined = definedProviders(context);
      const wrong = knownValues(args).find((value) => !PROVIDERS.has(value) && defined?.has(value) === false);
      return wrong && `${wrong}, which no module that is loaded provides`;
    },
  ),
]; // prettier-ignore
