import { lastInForce, type Place, type ServerLine, serversOf } from '../../src/config';
import type { TransformContext } from '../../src/engine';
import { packageInRhel } from '../../src/httpd/third-party';
import type { Directive } from '../../src/syntax';
import { isCarriedOver } from '../common/lines';
import { debianInclude } from './module-lines';

type System = 'Debian' | 'SUSE' | 'Gentoo' | 'FreeBSD' | 'RHEL';

/** Whose package a server configuration comes from, and the line that shows it. */
export interface Platform {
  readonly system: System;
  readonly node: Directive;
  readonly place: Place;
}

type Context = Pick<TransformContext, 'index' | 'tree'>;

const SHOWN_BY: readonly (readonly [names: readonly string[], argument: number, pattern: RegExp, System])[] =
  [
    [['Include'], 0, /(?:^|\/)sysconfig\.d\/loadmodule\.conf$/, 'SUSE'],
    [['Include', 'IncludeOptional'], 0, /^\/etc\/apache2\/modules\.d\/\*\.conf$/, 'Gentoo'],
    [['LoadModule'], 1, /libexec\/apache2[24]\//, 'FreeBSD'],
  ];

/** The platform of a server configuration; undefined for one that was built from the sources, or that no line tells of. */
export function platformOf(context: Context): Platform | undefined {
  const debian = debianInclude(context.index);
  if (debian !== undefined) return { system: 'Debian', ...debian };
  for (const [names, argument, pattern, system] of SHOWN_BY) {
    const line = context.index
      .directives(names)
      .find(({ node, place }) => isCarriedOver(place) && pattern.test(node.args[argument]?.value ?? ''));
    if (line !== undefined) return { system, ...line };
  }
  const root = serverRoot(context);
  return root?.node.args[0]?.value === '/etc/httpd' ? { system: 'RHEL', ...root } : undefined;
}

/** The ServerRoot line that counts. */
export function serverRoot({ tree }: Pick<TransformContext, 'tree'>): ServerLine<Directive> | undefined {
  const { main } = serversOf(tree);
  return main && lastInForce(main, ['ServerRoot']);
}

/** How modules that a target lacks come there. @param names without `_module` */
export function howToEnable(context: Context, names: readonly string[]): string {
  const packages = [...new Set(names.flatMap((name) => packageInRhel(name) ?? []))];
  const rhel = packages.length === 0 ? '' : `dnf install ${packages.join(' ')}`;
  const texts: Readonly<Record<System, string>> = {
    Debian: `a2enmod ${names.join(' ')} enables them`,
    SUSE: `a2enmod, or APACHE_MODULES in /etc/sysconfig/apache2, names them: ${names.join(' ')}`,
    Gentoo: `APACHE2_MODULES in make.conf names them, and httpd is built again: ${names.join(' ')}`,
    FreeBSD:
      'the options of www/apache24 build them, and their LoadModule lines in etc/apache24/httpd.conf load them',
    RHEL: `conf.modules.d has their LoadModule lines${rhel === '' ? '' : `; some have packages of their own: ${rhel}`}`,
  };
  const system = platformOf(context)?.system;
  if (system !== undefined) return texts[system];
  return [
    ...(rhel === '' ? [] : [`RHEL and its kin have packages of their own for some: ${packages.join(', ')}`]),
    `Debian and SUSE enable them with a2enmod ${names.join(' ')}`,
  ].join('. ');
}
