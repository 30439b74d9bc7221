import { type ConfigTree, visitTree } from '../../config';
import { findDirective } from '../../httpd/directives';
import { findModule } from '../../httpd/modules';

/** Modules of others that are often loaded and have no say in who gets in. */
const BYSTANDERS = new Set(
  (
    'php4 php5 php7 jk passenger rails fastcgi fcgid suphp ruid2 mpm_itk security2 evasive20 rpaf extract_forwarded cloudflare remoteip ' +
    'geoip pagespeed xsendfile bw bandwidth cband qos limitipconn spamhaus dosevasive20 gzip layout macro chroot upload_progress ' +
    'h264_streaming flvx throttle transform tidy dav_svn dontdothat'
  ).split(' '),
);

/**
 * Whether the modules of the run are httpd's own alone, and others that neither answer `Require` nor ask for passwords in ways of their
 * own: as its LoadModule lines say (there must be some, else the modules are not of this run), and every directive it uses.
 * @param loadModules identifiers, as `authz_user_module`
 */
export function isOurs(tree: ConfigTree, loadModules: readonly string[]): boolean {
  const known = loadModules.every(
    (identifier) => findModule(identifier) !== undefined || isBystander(identifier),
  );
  if (loadModules.length === 0 || !known) return false;
  let ours = true;
  const bystanders = loadModules.some(isBystander);
  visitTree(tree, (node) => {
    // With such a module loaded, a directive that is nobody's may be its.
    if (node.kind === 'directive' && !bystanders && findDirective(node.key) === undefined) ours = false;
  });
  return ours;
}

function isBystander(identifier: string): boolean {
  return BYSTANDERS.has(identifier.replace(/_module$/, ''));
}
