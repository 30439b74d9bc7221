/** Words after `Require` that need no user (ap_register_auth_provider with AUTHZ_PROVIDER_GROUP in 2.4's modules). */
const WITHOUT_USER = new Set(
  'all env expr forward-dns host ip local method ssl ssl-verify-client'.split(' '),
);

/** Words after `Require` that ask for a user. */
const WITH_USER = new Set(
  (
    'dbd-group dbd-login dbd-logout dbm-file-group dbm-group file-group file-owner group ' +
    'ldap-attribute ldap-dn ldap-filter ldap-group ldap-search ldap-user user valid-user'
  ).split(' '),
);

/**
 * Whether a module that 2.4 ships answers a word after `Require`, in some release.
 * @param name as it is written: 2.4 knows each in one letter case
 */
export function isProvider(name: string): boolean {
  return WITHOUT_USER.has(name) || WITH_USER.has(name);
}

/** Whether a word after `Require` may ask for a user; those that nobody knows may. */
export function asksForUser(name: string): boolean {
  return !WITHOUT_USER.has(name);
}
