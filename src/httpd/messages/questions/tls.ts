import type { MessageShape } from '../shape';

/** What people ask of certificates, and of what is told apart by them. */
export const TLS_QUESTIONS: readonly MessageShape[] = [
  {
    pattern:
      /^(?=.*\b(?:chain|intermediate|concatenat\w*|bundle|SSLCertificateChainFile)\b)(?=.*\bcertificates?\b|.*\bSSLCertificate)(?=.*\b2\.2\b)(?!.*\b2\.4\b)/is,
    remedy:
      'write `SSLCertificateChainFile FILE` with the certificates in between: a 2.2, as a 2.4 before 2.4.8, reads of the file of SSLCertificateFile the first certificate alone, without a word about the others',
  },
  {
    pattern:
      /^(?=.*\b(?:403|forbidden)\b)(?=.*(?:\b443\b|\b(?:https|ssl)\b)).*(?:[:* ]80\b|\bhttp (?:\w+ ){0,2}?(?:works?|is|fine|ok)\b|\bonly (?:for|on|over|via|with|by|in) (?:https|ssl)\b)/is,
    rule: 'order-allow-deny',
    remedy:
      'write the <Directory> with `Require all granted` into the <VirtualHost *:443> as well, or outside of both: what stands in one virtual host counts in no other, and the DocumentRoot may be another there (`httpd -S` shows the file of each)',
  },
  {
    pattern:
      /^(?=.*\b(?:https|ssl|tls)\w*\b).*\b(?:windows xp|ie ?[5-8]|internet explorer [5-8]|java [67]|android [2-4]|old(?:er)? (?:clients?|browsers?|devices?|phones?))\b/is,
    remedy:
      'see what both sides know (`openssl ciphers -v`): 2.4 has no SSLv2, and since 2.4.17 no SSLv3 unless SSLProtocol names it; the OpenSSL of a new system may have RC4, 3DES and TLS 1.0 no more. What it still has, SSLProtocol and SSLCipherSuite of the virtual host can switch on; safe is only to update the clients',
  },
  {
    pattern:
      /^(?=.*\bTLSv1\.[12]\b).*(?:\b12\.04\b|\b10\.04\b|\bprecise\b|\bsqueeze\b|\bcent ?os ?5|\b2\.2\.(?:1?\d|2[0-2])\b)/is,
    remedy:
      'write `SSLProtocol all -SSLv2 -SSLv3`: a 2.2 before 2.2.23, as Ubuntu 12.04 and Debian 6 have it, knows no TLSv1.1 and TLSv1.2, and does not start with these words; a newer system is the real remedy',
  },
  {
    pattern: /\bSSLProtocol +TLSv1[.\d]* +TLSv1/i,
    remedy:
      'write `SSLProtocol -all +TLSv1.2 +TLSv1.3`: of several words without a sign each takes the place of those before it, so that only the last is on. TLSv1.3 needs 2.4.36 with OpenSSL 1.1.1',
  },
  {
    pattern: /\bSSLUseStapling\b|\bocsp[ -]stapling\b/i,
    rule: 'load-module',
    remedy:
      'write `SSLStaplingCache shmcb:NAME(128000)` outside of any virtual host, with mod_socache_shmcb loaded, and let SSLCertificateFile have the certificates up to the root behind its own; this machine must reach the address for OCSP that they name. 2.2 knows neither line: for both versions they stand in `<IfVersion >= 2.4>`',
  },
  {
    pattern:
      /\bSSLCertificateChainFile\b|\b(?:concatenat|append|combin)\w*\b.*\bintermediate\b|^(?=.*\bSSLCertificateFile\b).*(?:\bchain|\bintermediate|fullchain)/is,
    remedy:
      'append the certificates of SSLCertificateChainFile to the file of SSLCertificateFile, after the own one, and remove the line: since 2.4.8 that takes the whole chain. The old line still works, with a warning (AH02559); 2.2, and a 2.4 before 2.4.8, need it',
  },
  {
    pattern: /\bsslrequire\b/i,
    rule: 'ssl-require',
    remedy:
      'write `Require expr` with the same expression: `Require expr %{SSL_CLIENT_S_DN_O} == "Example"`; the lines that must all hold go into <RequireAll>. SSLRequire still works in 2.4, but is asked in addition to the Require lines, and is not taken along by <RequireAny>',
  },
  {
    pattern: /\bclient cert(?:ificate)?s?\b|\bSSLVerifyClient\b/i,
    rule: 'ssl-verify-client-in-section',
    remedy:
      'set SSLVerifyClient and SSLCACertificateFile for the whole virtual host: inside of <Location> or <Directory> a client of TLS 1.3 would have to be asked a second time, which browsers refuse (AH10158, 403); or `SSLProtocol -TLSv1.3`. The error log has the reason: AH02039 is a certificate whose authority is not in SSLCACertificateFile, AH02229 an SSLRequire that does not hold',
  },
];
