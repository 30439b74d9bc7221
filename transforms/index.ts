import type { Transform } from '../src/engine';
import acceptMutex from './mpm/accept-mutex';
import authBasicAuthoritative from './auth/auth-basic-authoritative';
import authDigestAuthInt from './auth/auth-digest-auth-int';
import authDigestMd5Sess from './auth/auth-digest-md5-sess';
import authFileStandard from './auth/auth-file-standard';
import authLdapBindPasswordEmpty from './auth/auth-ldap-bind-password-empty';
import authLdapCharsetConfig from './auth/auth-ldap-charset-config';
import authnProviderAliasTaken from './auth/authn-provider-alias-taken';
import strictArgument from './arguments/strict-argument';
import statusCodeRefused from './arguments/status-code-refused';
import hostListComment from './access/host-list-comment';
import requireExpression from './access/require-expression';
import listenTwice from './mpm/listen-twice';
import proxySectionRegex from './proxy/proxy-section-regex';
import cookieLog from './logging/cookie-log';
import debugLevel from './logging/debug-level';
import defaultType from './content/default-type';
import directoryMatchEnd from './core/directory-match-end';
import dumpioLogLevel from './logging/dumpio-log-level';
import emptyList from './syntax/empty-list';
import expressionText from './core/expression-text';
import includePattern from './core/include-pattern';
import keepAlive from './core/keep-alive';
import keepAliveTimeout from './core/keep-alive-timeout';
import ldapTrustedClientCert from './auth/ldap-trusted-client-cert';
import limitAtServerLevel from './core/limit-at-server-level';
import limitMethod from './core/limit-method';
import memCache from './cache/mem-cache';
import options from './core/options';
import pipedLog from './logging/piped-log';
import regexPcre2 from './regex/regex-pcre2';
import regexRefused from './regex/regex-refused';
import regexReplacement from './regex/regex-replacement';
import requireLdapGroup from './auth/require-ldap-group';
import rewriteLock from './rewrite/rewrite-lock';
import rewriteLog from './rewrite/rewrite-log';
import scriptSock from './content/script-sock';
import serverNamePattern from './core/server-name-pattern';
import serverTokens from './core/server-tokens';
import ssiAccessEnable from './filter/ssi-access-enable';
import sslMutex from './ssl/ssl-mutex';
import win32DisableAcceptEx from './mpm/win32-disable-accept-ex';
import { adviceTransforms } from './defaults/advice';
import { ofTheChange } from './shared/written-for';
import backslashLineEnd from './syntax/backslash-line-end';
import buildDependentDirective from './modules/build-dependent-directive';
import configNice from './modules/config-nice';
import debianLayout from './modules/debian-layout';
import ifModuleName from './modules/if-module-name';
import loadModule from './modules/load-module';
import access from './access/order-allow-deny';
import thirdPartyModule from './modules/third-party-module';
import maxClients from './mpm/max-clients';
import maxRequestsPerChild from './mpm/max-requests-per-child';
import { misplacedDirective } from './syntax/misplaced-directive';
import nameVirtualHost from './vhost/name-virtual-host';
import proxyIoBufferSize from './proxy/proxy-io-buffer-size';
import proxyPassInDirectory from './proxy/proxy-pass-in-directory';
import addTypeHandler from './content/add-type-handler';
import cacheDirLevelsUnset from './cache/cache-dir-levels-unset';
import cacheDisable from './cache/cache-disable';
import cacheEnable from './cache/cache-enable';
import cacheFileSize from './cache/cache-file-size';
import cacheIgnore from './cache/cache-ignore';
import cookieTracking from './logging/cookie-tracking';
import directoryIndexDisabled from './content/directory-index-disabled';
import errorDocument502 from './core/error-document-502';
import proxyPassInLocation from './proxy/proxy-pass-in-location';
import proxyScgi from './proxy/proxy-scgi';
import proxyWorkerShared from './proxy/proxy-worker-shared';
import rewriteCond from './rewrite/rewrite-cond';
import rewriteRuleOwnHost from './rewrite/rewrite-rule-own-host';
import rewriteRuleUnsafe from './rewrite/rewrite-rule-unsafe';
import sslCaInSection from './ssl/ssl-ca-in-section';
import sslCipherSuite from './ssl/ssl-cipher-suite';
import sslCompressionOn from './ssl/ssl-compression-on';
import sslDnFormat from './ssl/ssl-dn-format';
import sslHostNotSni from './ssl/ssl-host-not-sni';
import sslProtocolOld from './ssl/ssl-protocol-old';
import sslProtocolSslv2 from './ssl/ssl-protocol-sslv2';
import sslProtocolUnset from './ssl/ssl-protocol-unset';
import sslProxyCheckPeer from './ssl/ssl-proxy-check-peer';
import sslRandomSeedEgd from './ssl/ssl-random-seed-egd';
import sslRequire from './ssl/ssl-require';
import sslRevocationCheck from './ssl/ssl-revocation-check';
import sslSessionCache from './ssl/ssl-session-cache';
import filterProvider from './filter/filter-provider';
import ssiExpr from './filter/ssi-expr';
import ssiInherited from './filter/ssi-inherited';
import substituteLongLine from './filter/substitute-long-line';
import indexOptionsXhtml from './content/index-options-xhtml';
import deflateSmallBody from './filter/deflate-small-body';
import outputFilterUnknown from './filter/output-filter-unknown';
import davLockDb from './content/dav-lock-db';
import indexOptionsFancy from './content/index-options-fancy';
import sslVerifyClientInSection from './ssl/ssl-verify-client-in-section';
import allowOverrideUnset from './defaults/allow-override-unset';
import { defaultTransforms } from './defaults/default-changed';
import optionsUnset from './defaults/options-unset';
import { unknownDirective } from './syntax/unknown-directive';
import versionBlock from './syntax/version-block';

const owners = [
  access,
  proxyIoBufferSize,
  proxyPassInDirectory,
  addTypeHandler,
  cacheDirLevelsUnset,
  cacheDisable,
  cacheEnable,
  cacheFileSize,
  cacheIgnore,
  cookieTracking,
  directoryIndexDisabled,
  errorDocument502,
  proxyPassInLocation,
  proxyScgi,
  proxyWorkerShared,
  rewriteCond,
  rewriteRuleOwnHost,
  rewriteRuleUnsafe,
  sslCaInSection,
  sslCipherSuite,
  sslCompressionOn,
  sslDnFormat,
  sslHostNotSni,
  sslProtocolOld,
  sslProtocolSslv2,
  sslProtocolUnset,
  sslProxyCheckPeer,
  sslRandomSeedEgd,
  sslRequire,
  sslRevocationCheck,
  sslSessionCache,
  sslVerifyClientInSection,
  authBasicAuthoritative,
  authDigestAuthInt,
  authDigestMd5Sess,
  authFileStandard,
  authLdapBindPasswordEmpty,
  authLdapCharsetConfig,
  authnProviderAliasTaken,
  ldapTrustedClientCert,
  requireLdapGroup,
  filterProvider,
  ssiExpr,
  ssiInherited,
  substituteLongLine,
  indexOptionsXhtml,
  deflateSmallBody,
  outputFilterUnknown,
  davLockDb,
  indexOptionsFancy,
  allowOverrideUnset,
  ...defaultTransforms,
  optionsUnset,
  maxClients,
  maxRequestsPerChild,
  nameVirtualHost,
  acceptMutex,
  cookieLog,
  debugLevel,
  defaultType,
  directoryMatchEnd,
  dumpioLogLevel,
  emptyList,
  expressionText,
  includePattern,
  keepAlive,
  keepAliveTimeout,
  limitAtServerLevel,
  limitMethod,
  memCache,
  options,
  pipedLog,
  regexPcre2,
  regexRefused,
  regexReplacement,
  rewriteLock,
  rewriteLog,
  scriptSock,
  serverNamePattern,
  serverTokens,
  ssiAccessEnable,
  sslMutex,
  win32DisableAcceptEx,
  ifModuleName,
  loadModule,
  thirdPartyModule,
  debianLayout,
  configNice,
  buildDependentDirective,
  proxySectionRegex,
  strictArgument,
  statusCodeRefused,
  listenTwice,
  requireExpression,
  hostListComment,
];

let ownerByName: ReadonlyMap<string, string> | undefined;

/** The transform that looks after a directive (lower case). */
function ownerOf(key: string): string | undefined {
  ownerByName ??= new Map(
    owners.flatMap(({ id, directives }) => directives.map((name) => [name.toLowerCase(), id] as const)),
  );
  return ownerByName.get(key);
}

/** Rules about lines that both versions take, and about what changes for a server that changes its version. */
const OF_THE_CHANGE = new Set([
  'proxy-io-buffer-size',
  'add-type-handler',
  'cache-dir-levels-unset',
  'cache-enable',
  'cache-file-size',
  'cache-ignore',
  'cookie-tracking',
  'directory-index-disabled',
  'error-document-502',
  'proxy-pass-in-location',
  'proxy-scgi',
  'proxy-worker-shared',
  'rewrite-cond',
  'rewrite-rule-own-host',
  'ssl-host-not-sni',
  'ssl-protocol-unset',
  'ssl-verify-client-in-section',
  'auth-ldap-charset-config',
  'ssi-inherited',
  'substitute-long-line',
  'index-options-xhtml',
  'deflate-small-body',
  'dav-lock-db',
  'index-options-fancy',
  'directory-match-end',
  'keep-alive-timeout',
  'piped-log',
]);

/** Every transform, in the order their findings win where two overlap. A test asks `checkRegistry` about them. */
export const transforms: readonly Transform[] = [
  ...owners.map((each) => (OF_THE_CHANGE.has(each.id) ? ofTheChange(each) : each)),
  unknownDirective(ownerOf),
  misplacedDirective(ownerOf),
  backslashLineEnd,
  versionBlock,
  ...adviceTransforms.map(ofTheChange),
];
