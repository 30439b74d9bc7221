import type { Transform } from '../src/engine';
import acceptMutex from './accept-mutex';
import authBasicAuthoritative from './auth-basic-authoritative';
import authDigestAuthInt from './auth-digest-auth-int';
import authDigestMd5Sess from './auth-digest-md5-sess';
import authFileStandard from './auth-file-standard';
import authLdapBindPasswordEmpty from './auth-ldap-bind-password-empty';
import authLdapCharsetConfig from './auth-ldap-charset-config';
import authnProviderAliasTaken from './authn-provider-alias-taken';
import cookieLog from './cookie-log';
import debugLevel from './debug-level';
import defaultType from './default-type';
import directoryMatchEnd from './directory-match-end';
import dumpioLogLevel from './dumpio-log-level';
import emptyList from './empty-list';
import expressionText from './expression-text';
import includePattern from './include-pattern';
import keepAlive from './keep-alive';
import keepAliveTimeout from './keep-alive-timeout';
import ldapTrustedClientCert from './ldap-trusted-client-cert';
import limitAtServerLevel from './limit-at-server-level';
import limitMethod from './limit-method';
import memCache from './mem-cache';
import options from './options';
import pipedLog from './piped-log';
import regexPcre2 from './regex-pcre2';
import regexRefused from './regex-refused';
import regexReplacement from './regex-replacement';
import requireLdapGroup from './require-ldap-group';
import rewriteLock from './rewrite-lock';
import rewriteLog from './rewrite-log';
import scriptSock from './script-sock';
import serverNamePattern from './server-name-pattern';
import serverTokens from './server-tokens';
import ssiAccessEnable from './ssi-access-enable';
import sslMutex from './ssl-mutex';
import win32DisableAcceptEx from './win32-disable-accept-ex';
import { adviceTransforms } from './advice';
import { ofTheChange } from './shared/written-for';
import backslashLineEnd from './backslash-line-end';
import buildDependentDirective from './build-dependent-directive';
import configNice from './config-nice';
import debianLayout from './debian-layout';
import ifModuleName from './if-module-name';
import loadModule from './load-module';
import access from './order-allow-deny';
import thirdPartyModule from './third-party-module';
import maxClients from './max-clients';
import maxRequestsPerChild from './max-requests-per-child';
import { misplacedDirective } from './misplaced-directive';
import nameVirtualHost from './name-virtual-host';
import proxyIoBufferSize from './proxy-io-buffer-size';
import proxyPassInDirectory from './proxy-pass-in-directory';
import addTypeHandler from './add-type-handler';
import cacheDirLevelsUnset from './cache-dir-levels-unset';
import cacheDisable from './cache-disable';
import cacheEnable from './cache-enable';
import cacheFileSize from './cache-file-size';
import cacheIgnore from './cache-ignore';
import cookieTracking from './cookie-tracking';
import directoryIndexDisabled from './directory-index-disabled';
import errorDocument502 from './error-document-502';
import proxyPassInLocation from './proxy-pass-in-location';
import proxyScgi from './proxy-scgi';
import proxyWorkerShared from './proxy-worker-shared';
import rewriteCond from './rewrite-cond';
import rewriteRuleOwnHost from './rewrite-rule-own-host';
import rewriteRuleUnsafe from './rewrite-rule-unsafe';
import sslCaInSection from './ssl-ca-in-section';
import sslCipherSuite from './ssl-cipher-suite';
import sslCompressionOn from './ssl-compression-on';
import sslDnFormat from './ssl-dn-format';
import sslHostNotSni from './ssl-host-not-sni';
import sslProtocolOld from './ssl-protocol-old';
import sslProtocolSslv2 from './ssl-protocol-sslv2';
import sslProtocolUnset from './ssl-protocol-unset';
import sslProxyCheckPeer from './ssl-proxy-check-peer';
import sslRandomSeedEgd from './ssl-random-seed-egd';
import sslRequire from './ssl-require';
import sslRevocationCheck from './ssl-revocation-check';
import sslSessionCache from './ssl-session-cache';
import filterProvider from './filter-provider';
import ssiExpr from './ssi-expr';
import ssiInherited from './ssi-inherited';
import substituteLongLine from './substitute-long-line';
import indexOptionsXhtml from './index-options-xhtml';
import deflateSmallBody from './deflate-small-body';
import outputFilterUnknown from './output-filter-unknown';
import davLockDb from './dav-lock-db';
import indexOptionsFancy from './index-options-fancy';
import sslVerifyClientInSection from './ssl-verify-client-in-section';
import allowOverrideUnset from './allow-override-unset';
import { defaultTransforms } from './default-changed';
import optionsUnset from './options-unset';
import { unknownDirective } from './unknown-directive';
import versionBlock from './version-block';

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
