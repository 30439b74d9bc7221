import { asksAboutEachUrl } from '../../src/access';
import type { ConfigFile, Place } from '../../src/config';
import type { TransformContext } from '../../src/engine';
import type { Directive } from '../../src/syntax';
import { eachLine, isAtServerLevel, isUnknown } from '../common/lines';
import { flagsOf, rewriteWords } from '../common/words';
import { getOrInsert } from '../../src/maps';

/** What Allow and Deny make of one variable. */
export interface AccessVariable {
  /** The name as it stands in the first line that asks for it. */
  readonly name: string;
  /** The first line by which somebody gets in if it is set. */
  letsIn?: VariableLine;
  /** The first line by which somebody is kept out if it is set. */
  keepsOut?: VariableLine;
}

interface VariableLine {
  readonly node: Directive;
  readonly file: ConfigFile;
}

/** The variables that Allow and Deny ask for, by their names in lower case. */
export function accessVariables(context: TransformContext): ReadonlyMap<string, AccessVariable> {
  const found = new Map<string, AccessVariable>();
  eachLine(context, ['Allow', 'Deny'], (node, { file }) => {
    if (!/env=/i.test(node.rest)) return;
    for (const { value } of node.args) {
      const [, not, name] = /^env=(!?)(.+)$/is.exec(value) ?? [];
      if (name === undefined) continue;
      const key = name.toLowerCase();
      const variable = getOrInsert(found, key, (): AccessVariable => ({ name }));
      const letsIn = (node.key === 'allow') === (not === '');
      variable[letsIn ? 'letsIn' : 'keepsOut'] ??= { node, file };
    }
  });
  return found;
}

/** A line by which a request goes on to another URL of the same server. */
export interface Redirect {
  readonly name: string;
  /** 2.2 asked about that URL wherever the request came from. */
  readonly isAsked: boolean;
}

/** What has been found of something that may lead on. */
type Known = WeakMap<TransformContext['index'], { readonly redirect: Redirect | undefined }>;

const knownRedirects: Known = new WeakMap();
const knownPages: Known = new WeakMap();

/** The first line by which a request goes on, one of those whose URLs 2.2 always asked about before all others. */
export function redirectOf(context: TransformContext): Redirect | undefined {
  return getOrInsert(knownRedirects, context.index, () => ({ redirect: findRedirect(context) })).redirect;
}

/** The first ErrorDocument whose page 2.2 asked about. */
export function errorPageOf(context: TransformContext): Redirect | undefined {
  return getOrInsert(knownPages, context.index, () => ({ redirect: findErrorPage(context) })).redirect;
}

function findRedirect(context: TransformContext): Redirect | undefined {
  let found: Redirect | undefined;
  eachLine(context, ['RewriteRule', 'Action'], (node, place) => {
    if (found?.isAsked === true || (node.key !== 'action' && !redirects(node, place))) return;
    const isAsked = asksAboutEachUrl(context.tree, urlIn(targetOf(node)));
    if (found === undefined || isAsked) found = { name: node.name, isAsked };
  });
  return found;
}

function findErrorPage(context: TransformContext): Redirect | undefined {
  let found: Redirect | undefined;
  eachLine(context, ['ErrorDocument'], (node) => {
    const page = node.args[1]?.value;
    if (found !== undefined || page?.startsWith('/') !== true) return;
    if (asksAboutEachUrl(context.tree, urlIn(page))) found = { name: node.name, isAsked: true };
  });
  return found;
}

function targetOf(node: Directive): string | undefined {
  return node.key === 'action' ? node.args[1]?.value : rewriteWords(node)[1]?.text;
}

/** The path of a URL that is the same for all requests. */
function urlIn(target: string | undefined): string | undefined {
  if (target?.startsWith('/') !== true || isUnknown(target) || /[$%\\]/.test(target)) return undefined;
  return target.replace(/\?.*/s, '');
}

const LEADS_OUT = new Set(['r', 'redirect', 'f', 'forbidden', 'g', 'gone', 'p', 'proxy']);

/** At server level mod_rewrite comes before access, and redirects to nothing (mod_rewrite.c: hook_uri2file, hook_fixup). */
function redirects(node: Directive, place: Place): boolean {
  if (isAtServerLevel(place)) return false;
  const [, target, flags] = rewriteWords(node);
  if (target === undefined || target.text === '-') return false;
  return !flagsOf(flags).some(({ key }) => LEADS_OUT.has(key));
}
