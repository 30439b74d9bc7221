import { isConditional } from '../../src/config';
import { defineTransform } from '../../src/engine';
import { buildOf } from '../../src/httpd/builds';
import { findDirective } from '../../src/httpd/directives';
import { hasUnixPaths } from './module-lines';

export default defineTransform({
  id: 'build-dependent-directive',
  changes: ['B1', 'B2'],
  title: 'Directives that only some builds of httpd have',
  why: 'These directives depend on how httpd was built. A 2.4 that was built differently from the old 2.2 does not start with them.',
  docs: ['server/core.c', 'server/mpm_common.c', 'programs/configure'],
  advisory: true,
  run(context) {
    const names = [...context.index.names].filter((name) => buildOf(name) !== undefined);
    if (names.length === 0) return;
    const unix = hasUnixPaths(context);
    context.directives(names, ({ key, from }, { file, chain }) => {
      if (!unix && buildOf(key) === 'for Windows') return;
      // A conditional may ask whether this build has the directive.
      if (chain.some(({ section }) => isConditional(section))) return;
      const message = `only builds of httpd ${buildOf(key)} know ${findDirective(key)!.name}: make sure that the new httpd is one, or remove the line`;
      context.report({ file, at: from, level: 'warning', message });
    });
  },
});
