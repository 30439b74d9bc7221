import { type Place, serversOf, insertionPointFor } from '../../src/config';
import { insertAt } from '../../src/edit';
import { type TransformContext, defineTransform } from '../../src/engine';
import { FACTS } from '../../src/httpd/facts';
import { isRegistered } from '../../src/httpd/methods';
import { type Directive, type Section, quoteWord } from '../../src/syntax';
import { isCarriedOver } from '../common/lines';

export default defineTransform({
  id: 'limit-method',
  changes: ['C25'],
  title: 'Methods in a .htaccess that 2.4 does not know',
  why: 'In 2.4, a <Limit> in a .htaccess cannot register a method, and 2.4 answers every request with an error. The server configuration can register it.',
  docs: ['core: Limit, RegisterHttpMethod', 'server/core.c: ap_limit_section'],
  lifeSpan: FACTS['limit-method-registered'],
  directives: ['RegisterHttpMethod'],
  run(context) {
    let known: ReadonlySet<string> | undefined;
    const servers = serversOf(context.tree);
    const unknownMethods = new Map<string, Place>();
    context.sections(['Limit', 'LimitExcept'], (section, place) => {
      if (place.root.role !== 'htaccess' || !isCarriedOver(place)) return;
      for (const { value } of section.args) {
        known ??= registeredMethods(context);
        if (value === '' || isRegistered(value) || known.has(value) || value.includes('${')) continue;
        if (!unknownMethods.has(value)) unknownMethods.set(value, place);
        if (servers.main?.whole === true) continue;
        context.report({
          file: place.file,
          at: section.open.from,
          level: 'error',
          message: `2.4 does not know the method ${value} and answers 500 here: add RegisterHttpMethod ${quoteWord(value)} to the server configuration`,
        });
      }
    });
    const [first] = unknownMethods.values();
    if (servers.main?.whole !== true || first === undefined) return;
    const point = insertionPointFor(servers, servers.main, [
      ['RegisterHttpMethod'],
      ['TraceEnable', 'AccessFileName'],
    ]);
    const methods = [...unknownMethods.keys()].map(quoteWord).join(' ');
    context.report({
      file: point.file,
      at: point.node?.start ?? 0,
      level: 'error',
      safety: 'safe',
      message: `2.4 does not know all methods of the <Limit> in ${first.file.name} and would answer 500 there: RegisterHttpMethod ${methods} adds them`,
      edits: [insertAt(point.file.document, point, [`RegisterHttpMethod ${methods}`])],
    });
  },
});

/** The methods that the server configuration makes known before 2.4 reads a `.htaccess`. */
function registeredMethods({ tree, directives, sections }: TransformContext): ReadonlySet<string> {
  const known = new Set<string>();
  const addMethods = ({ args }: Directive | Section, { root }: Place): void => {
    if (tree.roots.includes(root)) for (const { value } of args) known.add(value);
  };
  directives(['RegisterHttpMethod'], addMethods);
  sections(['Limit', 'LimitExcept'], addMethods);
  return known;
}
