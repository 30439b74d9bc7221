import { conditionOf, placeCondition } from '../../src/config';
import { defineTransform, type TransformContext } from '../../src/engine';
import { findModule } from '../../src/httpd/modules';
import type { Directive, Node, Section } from '../../src/syntax';
import { keepsOutByItself } from '../common/keeps-out';
import { compiledIn } from './compiled-in';
import { LoadLines, plainName, RESTATED } from './module-lines';

export default defineTransform({
  id: 'if-module-protection',
  changes: [],
  title: 'Lines that keep requests out, in <IfModule> of a module that may not be there',
  why: 'A block for a module that is not loaded is skipped without a word. Where no LoadModule line is at hand, nothing shows that the new server has the modules that the old one had, and what such a block keeps out would get in.',
  docs: ['core: <IfModule>', 'mod_so: LoadModule'],
  advisory: true,
  onlyWhenUpgrading: true,
  run(context) {
    // A server that says what it loads says it for 2.4 too: load-module sees to that.
    if (context.index.someDirective(['LoadModule'], () => true)) return;
    const compiled = compiledIn(context, new LoadLines(context.index));
    let askedVariables: ReadonlySet<string> | undefined;
    context.sections(['IfModule'], (node, place) => {
      const name = node.args[0]?.value ?? '';
      if (name === '' || name.startsWith('!') || RESTATED.test(name)) return;
      const identifier = findModule(name)?.identifier;
      if (identifier !== undefined && context.targetModules?.has(identifier) === true) return;
      // A line is written that loads it.
      if (identifier !== undefined && compiled?.names.includes(plainName(identifier)) === true) return;
      // A block that 2.2 skipped kept nobody out.
      const { on22, on24 } = conditionOf(node);
      if (on22 === false || on24 !== undefined || placeCondition(place.chain).on24 === false) return;
      const line = firstGuard(node.body, {
        isTls: identifier === 'ssl_module',
        variables: () => (askedVariables ??= variablesAsked(context)),
      });
      if (line === undefined || (identifier === 'rewrite_module' && routes(node.body))) return;
      context.report({
        file: place.file,
        at: node.open.from,
        level: 'warning',
        changesAccess: true,
        message: `${line.name} at line ${place.file.document.positionAt(line.from).line} keeps requests out, and a 2.4 without ${name} skips it with the whole block: no LoadModule line is at hand, so see that 2.4 loads the module`,
      });
    });
  },
});

/**
 * Whether a block also leads requests elsewhere, as the front controller of an application does: without the module nothing of
 * the application works, which nobody overlooks.
 */
function routes(body: readonly Node[]): boolean {
  return body.some((node) => {
    if (node.kind === 'section') return node.key !== 'ifmodule' && routes(node.body);
    return (
      node.kind === 'directive' &&
      node.key === 'rewriterule' &&
      node.args[1] !== undefined &&
      node.args[1].value !== '-' &&
      !keepsOut(node, () => new Set())
    );
  });
}

/** What a block is for, and what access lines ask. */
interface GuardedBlock {
  /** The module is mod_ssl. */
  readonly isTls: boolean;
  readonly variables: () => ReadonlySet<string>;
}

/** The first line that keeps requests out; a block inside for another module is looked at by itself. */
function firstGuard(body: readonly Node[], asked: GuardedBlock): Directive | undefined {
  for (const node of body) {
    if (node.kind === 'directive' && keepsOut(node, asked.variables)) return node;
    const isLooked = node.kind === 'section' && node.key !== 'ifmodule' && !(asked.isTls && isTlsHost(node));
    const inner = isLooked ? firstGuard(node.body, asked) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** Whether a virtual host speaks TLS: nobody reaches what it kept out where a block for mod_ssl is skipped with it. */
function isTlsHost({ key, body }: Section): boolean {
  return (
    key === 'virtualhost' &&
    body.some(
      (node) => node.kind === 'directive' && node.key === 'sslengine' && /^on$/i.test(node.rest.trim()),
    )
  );
}

function keepsOut(line: Directive, asked: () => ReadonlySet<string>): boolean {
  const { key, args } = line;
  const words = args.map(({ value }) => value.toLowerCase());
  switch (key) {
    case 'deny':
    case 'require':
      return true;
    case 'order':
      return words.at(-1) !== 'deny,allow';
    case 'setenvif':
    case 'setenvifnocase':
      return words.slice(2).some((word) => asked().has(variableOf(word)));
    case 'browsermatch':
    case 'browsermatchnocase':
      return words.slice(1).some((word) => asked().has(variableOf(word)));
    default:
      return keepsOutByItself(line);
  }
}

/** The name of the variable in `NAME`, `NAME=VALUE` or `!NAME`. */
function variableOf(word: string): string {
  return word.replace(/^!/, '').replace(/=.*/s, '');
}

/** In lower case: the variables that lines which let in or keep out ask for, and those that these may be set by. */
function variablesAsked({ index }: TransformContext): ReadonlySet<string> {
  const asked = new Set<string>();
  index.visitDirectives(['Allow', 'Deny', 'Require', 'RewriteCond'], ({ args }) => {
    for (const { value } of args)
      for (const [name] of value.toLowerCase().matchAll(/[a-z0-9_.-]+/g)) asked.add(name);
  });
  if (asked.size === 0) return asked;
  index.visitDirectives(['SetEnvIf', 'SetEnvIfNoCase'], ({ args: [attribute] }) => {
    if (attribute !== undefined) asked.add(attribute.value.toLowerCase());
  });
  return asked;
}
