import { asksAboutEachUrl } from '../../src/access';
import type { ConfigFile, Place } from '../../src/config';
import type { TransformContext } from '../../src/engine';
import type { Directive } from '../../src/syntax';
import { eachLine, isAtServerLevel, isUnknown } from '../common/lines';
import { flagsOf, rewriteWords } from '../common/words';
import { getOrInsert } from '../../src/maps';

/** What access lines make of one variable. */
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

/** The variables that Allow and Deny ask for in what both versions read, by their names in lower case. */
export function accessVariables(context: TransformContext): ReadonlyMap<string, AccessVariable> {
  const found = new Map<string, AccessVariable>();
  eachLine(context, ['Allow', 'Deny'], (node, { file }) => addHostList(found, node, file));
  return found;
}

/** The variables that Allow, Deny and Require ask for in what either version reads, by their names in lower case. */
export function variablesOfEither(context: TransformContext): ReadonlyMap<string, AccessVariable> {
  const found = new Map<string, AccessVariable>();
  context.directives(['Allow', 'Deny'], (node, { file }) => addHostList(found, node, file));
  context.directives(['Require'], (node, { file, chain }) => {
    const words = node.args.map(({ value }) => value);
    const isNegated = words[0]?.toLowerCase() === 'not';
    const [provider = '', ...asked] = isNegated ? words.slice(1) : words;
    const isInNone = chain.some(({ section }) => section.key === 'requirenone');
    const found24 =
      provider.toLowerCase() === 'env'
        ? { names: asked, effects: [isNegated === isInNone ? ('letsIn' as const) : ('keepsOut' as const)] }
        : { names: provider.toLowerCase() === 'expr' ? namesIn(node.rest) : [], effects: BOTH_EFFECTS };
    for (const name of found24.names)
      for (const effect of found24.effects) addVariable(found, name, effect, { node, file });
  });
  return found;
}

/** What an expression asks for could let in and keep out. */
const BOTH_EFFECTS = ['letsIn', 'keepsOut'] as const;

/** The variables that an expression reads (ap_expr: %{ENV:name}, reqenv and env). */
function namesIn(expression: string): readonly string[] {
  const found = expression.matchAll(/%\{(?:req)?env:([^}]+)\}|\b(?:req)?env\(["']?([^"')]+)/gi);
  return [...found].map(([, variable, argument]) => (variable ?? argument)!);
}

function addHostList(found: Map<string, AccessVariable>, node: Directive, file: ConfigFile): void {
  if (!/env=/i.test(node.rest)) return;
  for (const { value } of node.args) {
    const [, not, name] = /^env=(!?)(.+)$/is.exec(value) ?? [];
    if (name === undefined) continue;
    addVariable(found, name, (node.key === 'allow') === (not === '') ? 'letsIn' : 'keepsOut', { node, file });
  }
}

function addVariable(
  found: Map<string, AccessVariable>,
  name: string,
  effect: 'letsIn' | 'keepsOut',
  line: VariableLine,
): void {
  getOrInsert(found, name.toLowerCase(), (): AccessVariable => ({ name }))[effect] ??= line;
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
