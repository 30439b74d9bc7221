/** One section's access lines in 2.2's words and in 2.4's. `DIR` rows stand in a `<Directory>`; clients are 127.0.0.0/8. */
export interface AccessRow {
  readonly name: string;
  readonly input: readonly string[];
  readonly output: readonly string[];
  /**
   * Why mod_access_compat answers differently than 2.2 did, so that no 2.4 server can be asked: the row is compared as text
   * alone.
   */
  readonly compatDiffers?: string;
  /** The lines have host names: ask from 127.0.0.1 alone, whose name needs no DNS. */
  readonly hosts?: boolean;
}

const AUTH = [
  'AuthType Basic',
  'AuthName "staff"',
  'AuthUserFile conf/htpasswd',
  'AuthGroupFile conf/htgroup',
];

const row = (name: string, input: string[], output: string[]): AccessRow => ({ name, input, output });
const auth = (name: string, input: string[], output: string[]): AccessRow => ({
  name,
  input: [...AUTH, ...input],
  output: [...AUTH, ...output],
});

export const accessRows: readonly AccessRow[] = [
  // Host lists alone (docs/facts/access-rewrite.md).
  row('allow,deny alone', ['Order allow,deny'], ['Require all denied']),
  row('deny,allow alone', ['Order deny,allow'], ['Require all granted']),
  row('an Allow without Order opens to everybody', ['Allow from 127.0.0.2'], ['Require all granted']),
  row('allow all', ['Order allow,deny', 'Allow from all'], ['Require all granted']),
  row('deny,allow, allow all, deny some', ['Order deny,allow', 'Deny from 127.0.0.2', 'Allow from all'], ['Require all granted']),
  row('deny all', ['Order deny,allow', 'Deny from all'], ['Require all denied']),
  row('deny all without Order', ['Deny from all'], ['Require all denied']),
  row('deny all, allow some', ['Order deny,allow', 'Deny from all', 'Allow from 127.0.0.2 127.1'], ['Require ip 127.0.0.2 127.1']),
  row('the lines in any order', ['Allow from 127.0.0.2', 'Deny from all', 'Order deny,allow'], ['Require ip 127.0.0.2']),
  row('allow,deny, allow some', ['Order allow,deny', 'Allow from 127.0.0.2', 'Allow from 127.1'], ['Require ip 127.0.0.2', 'Require ip 127.1']),
  row('deny wins under allow,deny', ['Order allow,deny', 'Allow from 127.0.0.2', 'Deny from all'], ['Require all denied']),
  row('allow all but some', ['Order allow,deny', 'Allow from all', 'Deny from 127.0.0.2', 'Deny from 127.1'],
    ['<RequireAll>', '    Require all granted', '    Require not ip 127.0.0.2', '    Require not ip 127.1', '</RequireAll>']),
  row('allow some but some', ['Order allow,deny', 'Allow from 127.1', 'Deny from 127.1.0.2'],
    ['<RequireAll>', '    Require ip 127.1', '    Require not ip 127.1.0.2', '</RequireAll>']),
  row('allow several but some', ['Order allow,deny', 'Allow from 127.1', 'Allow from 127.2', 'Deny from 127.1.0.2'],
    ['<RequireAll>', '    <RequireAny>', '        Require ip 127.1', '        Require ip 127.2', '    </RequireAny>',
      '    Require not ip 127.1.0.2', '</RequireAll>']),
  row('deny,allow, deny some', ['Order deny,allow', 'Deny from 127.0.0.2'],
    ['<RequireAll>', '    Require all granted', '    Require not ip 127.0.0.2', '</RequireAll>']),
  row('deny,allow, deny some, allow some of them', ['Order deny,allow', 'Deny from 127.1', 'Allow from 127.1.0.2'],
    ['Require ip 127.1.0.2', '<RequireAll>', '    Require all granted', '    Require not ip 127.1', '</RequireAll>']),
  row('mutual-failure decides as allow,deny', ['Order mutual-failure', 'Allow from 127.1', 'Deny from 127.1.0.2'],
    ['<RequireAll>', '    Require ip 127.1', '    Require not ip 127.1.0.2', '</RequireAll>']),
  row('env', ['Order deny,allow', 'Deny from all', 'Allow from env=let_me_in'], ['Require env let_me_in']),
  row('env=! in Deny', ['Order allow,deny', 'Allow from all', 'Deny from env=!let_me_in'], ['Require env let_me_in']),
  row('env=! in Allow', ['Order allow,deny', 'Allow from env=!block'],
    ['<RequireAll>', '    Require all granted', '    Require not env block', '</RequireAll>']),
  row('env and addresses on one line', ['Order allow,deny', 'Allow from env=let_me_in 127.1 env=!block'],
    ['Require env let_me_in', 'Require ip 127.1', '<RequireAll>', '    Require all granted', '    Require not env block', '</RequireAll>']),
  row('masks and partial addresses', ['Order allow,deny', 'Allow from 127.1.0.0/16 127.2. 127.3.0.0/255.255.0.0'],
    ['Require ip 127.1.0.0/16 127.2. 127.3.0.0/255.255.0.0']),
  row('IPv6', ['Order allow,deny', 'Allow from ::1 2001:db8::/32 127.0.0.2'], ['Require ip ::1 2001:db8::/32 127.0.0.2']),
  { ...row('hosts', ['Order allow,deny', 'Allow from example.com .example.org'], ['Require host example.com .example.org']), hosts: true },
  { ...row('a name that the client has', ['Order allow,deny', 'Allow from localhost'], ['Require host localhost']), hosts: true },
  { ...row('a tail of it that starts no label', ['Order allow,deny', 'Allow from ocalhost'], ['Require host ocalhost']), hosts: true },
  { ...row('none is nobody', ['Order allow,deny', 'Allow from none'], ['Require all denied']), hosts: true },
  { ...row('commas glue addresses into a host name', ['Order allow,deny', 'Allow from 127.0.0.1,127.0.0.2'], ['Require all denied']), hosts: true },
  { ...row('a trailing # is three more hosts, one of them all', ['Order allow,deny', 'Allow from 127.0.0.9 # not all'], ['Require all granted']), hosts: true },
  row('quoted words', ['Order "Allow,Deny"', 'Allow from "env=let_me_in"'], ['Require env let_me_in']),
  row('several Orders, the last counts', ['Order allow,deny', 'Deny from all', 'Order deny,allow', 'Allow from 127.1'], ['Require ip 127.1']),
  { ...row('Satisfy without Require changes nothing', ['Order allow,deny', 'Allow from 127.1', 'Satisfy Any'], ['Require ip 127.1']),
    compatDiffers: 'it lets everybody in' },
  row('a comment between the lines stays', ['Order deny,allow', '# nobody else', 'Deny from all', '# the office', 'Allow from 127.1', '# home', 'Allow from 127.2'],
    ['# nobody else', '# the office', 'Require ip 127.1', '# home', 'Require ip 127.2']),
  // With authentication (docs/facts/access-rewrite.md).
  auth('password and everybody', ['Order allow,deny', 'Allow from all', 'Require valid-user'], ['Require valid-user']),
  auth('password alone stays', ['Require user alice', 'Require user bob'], ['Require user alice', 'Require user bob']),
  auth('password and addresses', ['Order deny,allow', 'Deny from all', 'Allow from 127.1', 'Require valid-user'],
    ['<RequireAll>', '    Require ip 127.1', '    Require valid-user', '</RequireAll>']),
  auth('password and addresses, several users', ['Order deny,allow', 'Deny from all', 'Allow from 127.1', 'Require user alice', 'Require user bob'],
    ['<RequireAll>', '    Require ip 127.1', '    <RequireAny>', '        Require user alice', '        Require user bob', '    </RequireAny>', '</RequireAll>']),
  auth('a password and an address that Deny from all shuts out', ['Order allow,deny', 'Deny from all', 'Satisfy ALL', 'Allow from 127.0.0.1', 'Require valid-user'],
    ['Require all denied']),
  auth('a password or an address that Deny from all shuts out', ['Order allow,deny', 'Deny from all', 'Satisfy any', 'Allow from 127.0.0.1', 'Require valid-user'],
    ['Require valid-user']),
  auth('password or addresses', ['Order deny,allow', 'Deny from all', 'Allow from 127.1', 'Require valid-user', 'Satisfy Any'],
    ['Require ip 127.1', 'Require valid-user']),
  auth('password or everybody', ['Order allow,deny', 'Allow from all', 'Require valid-user', 'Satisfy Any'], ['Require all granted']),
  auth('password or nobody', ['Order allow,deny', 'Deny from all', 'Require valid-user', 'Satisfy Any'], ['Require valid-user']),
  auth('the "either" example of the upgrade page lets in valid users only', ['Satisfy any', 'Order allow,deny', 'Deny from all', 'Allow from 127.0.0.2', 'Require valid-user'],
    ['Require valid-user']),
  auth('the "both" example of the upgrade page lets in nobody', ['Order allow,deny', 'Deny from all', 'Allow from 127.0.0.2', 'Satisfy all', 'Require valid-user'],
    ['Require all denied']),
  auth('a password for POST alone stays', ['<Limit POST>', '    Require valid-user', '</Limit>'], ['<Limit POST>', '    Require valid-user', '</Limit>']),
  auth('a password for POST, addresses for all', ['Order allow,deny', 'Allow from 127.1', '<Limit POST>', '    Require valid-user', '</Limit>'],
    ['<Limit POST>', '    <RequireAll>', '        Require ip 127.1', '        Require valid-user', '    </RequireAll>', '</Limit>', '<LimitExcept POST>', '    Require ip 127.1', '</LimitExcept>']),
  auth('everybody reads, users write', ['<LimitExcept GET OPTIONS>', '    Order deny,allow', '    Deny from all', '    Require valid-user', '    Satisfy Any', '</LimitExcept>'],
    ['<LimitExcept GET OPTIONS>', '    Require valid-user', '</LimitExcept>']),
  row('some methods for everybody, the others for nobody',
    ['<Limit GET POST>', '    Order allow,deny', '    Allow from all', '</Limit>', '<LimitExcept GET POST>', '    Order deny,allow', '    Deny from all', '</LimitExcept>'],
    ['Require method GET POST']),
  row('a method refused', ['<Limit POST>', '    Order allow,deny', '    Deny from all', '</Limit>'],
    ['<Limit POST>', '    Require all denied', '</Limit>']),
  row('HEAD is GET', ['<Limit HEAD>', '    Deny from all', '</Limit>'], ['<Limit GET>', '    Require all denied', '</Limit>']),
  row('Satisfy for one method', [...AUTH, 'Order deny,allow', 'Deny from all', 'Require valid-user', '<Limit GET>', '    Satisfy Any', '</Limit>'],
    [...AUTH, '<Limit GET>', '    Require valid-user', '</Limit>', '<LimitExcept GET>', '    Require all denied', '</LimitExcept>']),
  // Keywords and arguments of Require.
  auth('keywords in any case', ['Require Valid-User'], ['Require valid-user']),
  auth('a backslash in a user name', ['Require user DOM\\bob alice'], ['Require user DOM\\\\bob alice']),
  { ...auth('group lines end the search: user lines are dead', ['Require user bob', 'Require group admins'], ['Require group admins']), compatDiffers: 'it asks all modules at once' },
  { ...auth('valid-user after group is dead too', ['Require valid-user', 'Require group admins'], ['Require group admins']), compatDiffers: 'it asks all modules at once' },
  { ...auth('unless the group module is told not to end it', ['AuthzGroupFileAuthoritative Off', 'Require group admins', 'Require user bob'],
    ['<RequireAny>', '    Require group admins', '    Require user bob', '</RequireAny>']), compatDiffers: 'it asks all modules at once' },
]; // prettier-ignore
