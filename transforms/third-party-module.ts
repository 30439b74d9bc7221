import { defineTransform } from '../src/engine';
import { findModule } from '../src/httpd/modules';
import { LoadLines } from './load-module-lines';

export default defineTransform({
  id: 'third-party-module',
  seed: ['B5'],
  title: 'Modules that do not come with httpd',
  why: 'A module that was built for 2.2 cannot be loaded by 2.4: its version number of the module interface is another.',
  docs: ['upgrading: Third Party Modules', 'include/ap_mmn.h'],
  directives: [],
  run(context) {
    if (!context.tree.isServer) return;
    const foreign = new LoadLines(context.index).all.filter(
      ({ identifier, read }) => read !== false && findModule(identifier) === undefined,
    );
    const [first] = foreign;
    if (first === undefined) return;
    const names = [...new Set(foreign.map(({ identifier }) => identifier))].join(', ');
    context.report({
      file: first.place.file,
      at: first.node.from,
      level: 'warning',
      safety: 'manual',
      message: `not part of httpd, and to be replaced by builds for 2.4: ${names}`,
      edits: [],
    });
  },
});
