import { type ConfigFile, type Place, serversOf, insertionPointFor } from '../../src/config';
import { insertAt } from '../../src/edit';
import { type TransformContext, defineTransform } from '../../src/engine';
import { FACTS } from '../../src/httpd/facts';
import { isRegistered, MOST_REGISTERED } from '../../src/httpd/methods';
import { type Directive, type Section, quoteWord } from '../../src/syntax';
import { addTo } from '../../src/maps';
import { isCarriedOver } from '../common/lines';

export default defineTransform({
  id: 'limit-method',
  changes: ['C25'],
  title: 'Methods in a .htaccess that 2.4 does not know',
  why: 'In 2.4, a <Limit> in a .htaccess cannot register a method, and 2.4 answers every request with an error. The server configuration can register it.',
  docs: ['core: Limit, RegisterHttpMethod', 'server/core.c: ap_limit_section'],
  lifeSpan: FACTS['limit-method-registered'],
  directives: ['RegisterHttpMethod'],
  servesAccessFiles: true,
  run(context) {
    let known: ReadonlySet<string> | undefined;
    const servers = serversOf(context.tree);
    const unknownByFile = new Map<ConfigFile, UnknownMethods[]>();
    context.sections(['Limit', 'LimitExcept'], (section, place) => {
      if (place.root.role !== 'htaccess' || !isCarriedOver(place)) return;
      const methods = new Set<string>();
      for (const { value } of section.args) {
        known ??= registeredMethods(context);
        if (value !== '' && !isRegistered(value) && !known.has(value) && !value.includes('${'))
          methods.add(value);
      }
      if (methods.size > 0) addTo(unknownByFile, place.root, { section, place, methods });
    });
    const files = [...unknownByFile.values()];
    const fitting = servers.main?.whole === true ? filesThatFit(files, known) : new Set();
    for (const inFile of files)
      if (!fitting.has(inFile)) for (const unknown of inFile) reportUnknown(context, unknown);
    const registered = files.filter((inFile) => fitting.has(inFile)).flat();
    const first = registered[0]?.place;
    if (servers.main?.whole !== true || first === undefined) return;
    const point = insertionPointFor(servers, servers.main, [
      ['RegisterHttpMethod'],
      ['TraceEnable', 'AccessFileName'],
    ]);
    const methods = [...new Set(registered.flatMap((unknown) => [...unknown.methods]))]
      .map(quoteWord)
      .join(' ');
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

interface UnknownMethods {
  readonly section: Section;
  readonly place: Place;
  readonly methods: ReadonlySet<string>;
}

/** A longer one is nobody's method. */
const LONGEST_METHOD = 100;

const isShort = ({ length }: string): boolean => length <= LONGEST_METHOD;

/** The files for whose methods httpd has room: those that ask for few first, as nobody's `.htaccess` takes the room of others. */
function filesThatFit(
  files: readonly (readonly UnknownMethods[])[],
  known: ReadonlySet<string> | undefined,
): ReadonlySet<readonly UnknownMethods[]> {
  const taken = new Set([...(known ?? [])].filter((method) => !isRegistered(method)));
  const asked = files.map((inFile) => ({ inFile, methods: inFile.flatMap(({ methods }) => [...methods]) }));
  const fitting = new Set<readonly UnknownMethods[]>();
  for (const { inFile, methods } of asked.sort((a, b) => a.methods.length - b.methods.length)) {
    const after = new Set([...taken, ...methods]);
    if (after.size > MOST_REGISTERED || !methods.every(isShort)) continue;
    for (const method of methods) taken.add(method);
    fitting.add(inFile);
  }
  return fitting;
}

const MOST_NAMED = 5;

function reportUnknown({ report }: TransformContext, { section, place, methods: all }: UnknownMethods): void {
  const { file } = place;
  const methods = [...all];
  const named = methods.slice(0, MOST_NAMED).map((method) => quoteWord(method.slice(0, LONGEST_METHOD)));
  const more =
    methods.length > MOST_NAMED
      ? ` … (${methods.length} in all, and httpd has room for ${MOST_REGISTERED})`
      : '';
  const words = named.join(' ') + more;
  report({
    file,
    at: section.open.from,
    level: 'error',
    message: `2.4 does not know the method${methods.length > 1 ? 's' : ''} ${words} and answers 500 here: add RegisterHttpMethod ${words} to the server configuration`,
  });
}

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
