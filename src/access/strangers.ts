import { findModule } from '../httpd/modules';

/** Modules of others that are often loaded and have no say in who gets in. */
const BYSTANDERS = new Set(
  (
    'php4 php5 php7 jk passenger rails fastcgi fcgid suphp ruid2 mpm_itk security2 evasive20 rpaf extract_forwarded cloudflare remoteip ' +
    'geoip pagespeed xsendfile bw bandwidth cband qos limitipconn spamhaus dosevasive20 gzip layout macro chroot upload_progress ' +
    'h264_streaming flvx throttle transform tidy dav_svn dontdothat'
  ).split(' '),
);

/** Identifiers of LoadModule lines that are not httpd's own and may answer `Require`, or ask for passwords in ways of their own. */
export function strangers(loadModules: readonly string[]): string[] {
  return loadModules.filter(
    (identifier) =>
      findModule(identifier) === undefined && !BYSTANDERS.has(identifier.replace(/_module$/, '')),
  );
}
