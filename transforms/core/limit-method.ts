import type { Place } from '../../src/config';
import { type TransformContext, defineTransform } from '../../src/engine';
import { FACTS } from '../../src/httpd/facts';
import { isRegistered } from '../../src/httpd/methods';
import { type Directive, type Section, quoteWord } from '../../src/syntax';
import { isCarriedOver } from '../common/lines';

export default defineTransform({
  id: 'limit-method',
  changes: ['C25'],
  title: 'Methods in a .htaccess that 2.4 does not know',
  why: 'In 2.4, a <Limit> in a .htaccess registers no method, and each request is answered 500 until the server configuration does.',
  docs: ['core: Limit, RegisterHttpMethod', 'server/core.c: ap_limit_section'],
  lifeSpan: FACTS['limit-method-registered'],
  run(context) {
    let known: ReadonlySet<string> | undefined;
    context.sections(['Limit', 'LimitExcept'], (section, place) => {
      if (place.root.role !== 'htaccess' || !isCarriedOver(place)) return;
      const methods = new Set<string>();
      for (const { value } of section.args) {
        known ??= registeredMethods(context);
        if (value !== '' && !isRegistered(value) && !known.has(value) && !value.includes('${'))
          methods.add(value);
      }
      // Whoever may write such a file does not choose what the server knows.
      if (methods.size > 0) reportUnknown(context, section, place, [...methods]);
    });
  },
});

/** A longer one is nobody's method. */
const LONGEST_METHOD = 100;
const MOST_NAMED = 5;

function reportUnknown(
  { report }: TransformContext,
  section: Section,
  { file }: Place,
  methods: readonly string[],
): void {
  const named = methods.slice(0, MOST_NAMED).map((method) => quoteWord(method.slice(0, LONGEST_METHOD)));
  const more = methods.length > MOST_NAMED ? ` …` : '';
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
