import { type Finding, type TransformContext, defineTransform } from '../../src/engine';
import { isCarriedOver } from '../common/lines';
import { isServerFor24 } from '../common/written-for';
import {
  COPY_TO_APACHE24,
  flagsOfSuse,
  INCLUDE_CONF_MODULES,
  MERGE_DEBIAN,
  MERGE_FREEBSD,
  MERGE_GENTOO,
  MERGE_RHEL,
  MERGE_SUSE,
  optionsOfGentoo,
  READ_CONF_MODULES,
  stepsOnWindows,
} from './layout-commands';
import { type Platform, platformOf, serverRoot } from './platform';

/** What is to be done about a platform, at the line that shows it or at another. */
interface Step extends Pick<Finding, 'level' | 'message' | 'commands' | 'install'> {
  readonly line?: Pick<Platform, 'node' | 'place'>;
}

export default defineTransform({
  id: 'package-layout',
  changes: [],
  title: 'What packages of 2.4 have elsewhere',
  why: "FreeBSD's package of 2.4 has its modules and its configuration in directories of its own. In the RHEL family, systemd starts 2.4 and waits for mod_systemd, and other packages have their LoadModule lines in conf.modules.d. On SUSE and Gentoo, files beside the configuration say which modules are loaded and what 2.4 is started with. On Windows, 2.4 is another directory and another service.",
  docs: [
    'FreeBSD: www/apache24, pkg-plist',
    'RHEL 7: httpd.service(8)',
    'SUSE: a2enmod(8), /etc/sysconfig/apache2',
    'Gentoo: /etc/conf.d/apache2',
    'platform/windows: Running Apache as a Service',
  ],
  advisory: true,
  run(context) {
    if (!context.tree.isServer || isServerFor24(context)) return;
    const platform = platformOf(context);
    const step = platform === undefined ? onWindows(context) : STEPS[platform.system](context, platform);
    if (step === undefined) return;
    const { line = platform!, ...finding } = step;
    context.report({ file: line.place.file, at: line.node.from, ...finding });
  },
});

function onDebian(): Step {
  return {
    level: 'info',
    message:
      "the package of 2.4 brings an /etc/apache2 of its own: put this server's sites, settings and modules into it, rather than in its place (--format sh prints the commands)",
    install: MERGE_DEBIAN,
  };
}

/** Where httpd.conf reads what SUSE's start script makes. */
function onSuse({ tree }: TransformContext): Step {
  const names = tree.startNames?.names ?? [];
  return {
    level: 'info',
    message:
      "SUSE's 2.4 brings an /etc/apache2 of its own, and loads the modules that /etc/sysconfig/apache2 names: put this server's files into the one, and its modules and flags into the other (--format sh prints the commands)",
    install: [...MERGE_SUSE, ...(names.length > 0 ? flagsOfSuse(names) : [])],
  };
}

/** Where httpd.conf reads modules.d, as Gentoo's does. */
function onGentoo({ tree }: TransformContext): Step {
  const names = tree.startNames?.names ?? [];
  return {
    level: 'info',
    message:
      "Gentoo's 2.4 brings an /etc/apache2 of its own, and is started with the names in /etc/conf.d/apache2: put this server's files into the one, and its names into the other (--format sh prints the commands)",
    install: [...MERGE_GENTOO, ...(names.length > 0 ? optionsOfGentoo(names) : [])],
  };
}

function onFreeBsd(_: TransformContext, { node }: Platform): Step | undefined {
  if (node.args[1]?.value.includes('libexec/apache22/') !== true) return undefined;
  return {
    level: 'error',
    message:
      "FreeBSD's 2.4 has its modules in libexec/apache24 and its configuration in etc/apache24: copy the configuration there, write 24 for 22 in such paths, and set apache24_enable in /etc/rc.conf (--format sh prints the commands)",
    commands: COPY_TO_APACHE24,
    install: MERGE_FREEBSD,
  };
}

function inRhelFamily(context: TransformContext): Step | undefined {
  const isDone = context.index.someDirective(['Include', 'IncludeOptional'], ({ args }) =>
    args.some(({ value }) => value.startsWith('conf.modules.d/')),
  );
  if (isDone) return undefined;
  const include = context.index
    .directives(['Include'])
    .find(({ node, place }) => isCarriedOver(place) && node.args[0]?.value === 'conf.d/*.conf');
  return {
    ...(include && { line: include }),
    level: 'warning',
    message: `from RHEL 7 on, systemd waits for mod_systemd when it starts httpd, and other packages have their LoadModule lines in conf.modules.d: have ${include === undefined ? 'httpd.conf include both' : 'a file in conf.d load the one and include the others'} (--format sh prints the commands)`,
    commands: include === undefined ? INCLUDE_CONF_MODULES : READ_CONF_MODULES,
    install: MERGE_RHEL,
  };
}

function onWindows(context: TransformContext): Step | undefined {
  const line = serverRoot(context);
  const root = line?.node.args[0]?.value ?? '';
  return line === undefined || !root.includes('Apache2.2')
    ? undefined
    : {
        line,
        level: 'info',
        message: `2.4 is another directory on Windows, and another service: write its directory for ${root}, and install the service (--format sh prints the steps)`,
        commands: stepsOnWindows(root),
      };
}

const STEPS: Readonly<
  Record<Platform['system'], (context: TransformContext, platform: Platform) => Step | undefined>
> = { Debian: onDebian, SUSE: onSuse, Gentoo: onGentoo, FreeBSD: onFreeBsd, RHEL: inRhelFamily };
