import type { Transform } from '../../src/engine';
import authBasicAuthoritative from './auth-basic-authoritative';
import authDefaultAuthoritative from './auth-default-authoritative';
import authDigestAuthInt from './auth-digest-auth-int';
import authDigestClientWithoutQop from './auth-digest-client-without-qop';
import authDigestMd5Sess from './auth-digest-md5-sess';
import authDigestNonceOnce from './auth-digest-nonce-once';
import authFileStandard from './auth-file-standard';
import authLdapBindPasswordEmpty from './auth-ldap-bind-password-empty';
import authLdapCharsetConfig from './auth-ldap-charset-config';
import authnProviderAliasInHost from './authn-provider-alias-in-host';
import authnProviderAliasTaken from './authn-provider-alias-taken';
import ldapTrustedClientCert from './ldap-trusted-client-cert';
import requireLdapGroup from './require-ldap-group';

export const auth: readonly Transform[] = [
  authBasicAuthoritative,
  authDefaultAuthoritative,
  authDigestAuthInt,
  authDigestClientWithoutQop,
  authDigestMd5Sess,
  authDigestNonceOnce,
  authFileStandard,
  authLdapBindPasswordEmpty,
  authLdapCharsetConfig,
  authnProviderAliasInHost,
  authnProviderAliasTaken,
  ldapTrustedClientCert,
  requireLdapGroup,
];
