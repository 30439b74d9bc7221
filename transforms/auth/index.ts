import type { Transform } from '../../src/engine';
import authBasicAuthoritative from './auth-basic-authoritative';
import authDigestAuthInt from './auth-digest-auth-int';
import authDigestMd5Sess from './auth-digest-md5-sess';
import authFileStandard from './auth-file-standard';
import authLdapBindPasswordEmpty from './auth-ldap-bind-password-empty';
import authLdapCharsetConfig from './auth-ldap-charset-config';
import authnProviderAliasTaken from './authn-provider-alias-taken';
import ldapTrustedClientCert from './ldap-trusted-client-cert';
import requireLdapGroup from './require-ldap-group';

export const auth: readonly Transform[] = [
  authBasicAuthoritative,
  authDigestAuthInt,
  authDigestMd5Sess,
  authFileStandard,
  authLdapBindPasswordEmpty,
  authLdapCharsetConfig,
  authnProviderAliasTaken,
  ldapTrustedClientCert,
  requireLdapGroup,
];
