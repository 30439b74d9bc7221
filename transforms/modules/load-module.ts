import { removeLine } from '../../src/edit';
import { defineTransform } from '../../src/engine';
import type { TransformContext } from '../../src/engine';
import { reasonModuleGone, successorOf } from '../../src/httpd/modules';
import { reportDebian, isDebianLink } from './load-module-debian';
import { type LoadLine, LoadLines } from './load-module-lines';
import { reportMissing } from './load-module-missing';
import { reportRenamed } from './load-module-renamed';

export default defineTransform({
  id: 'load-module',
  seed: ['s7', 'B3', 'B4', 'R03', 'R04', 'R05', 'R14', 'P02', 'P03', 'F01', 's2.3', 's2.5'],
  title: 'LoadModule lines: those that 2.4 lacks go, those that it needs come',
  why: '2.4 split modules (mod_authz_core, mod_authn_core, mod_unixd, the balancer methods, the shared object caches, the MPMs), renamed one and dropped others. It does not start where a module is loaded that is not there, or a directive is used whose module is not loaded.',
  docs: ['upgrading', 'mod_so: LoadModule', 'mod_unixd', 'mod_authz_core', 'mpm'],
  directives: ['LoadModule'],
  run(context) {
    const lines = new LoadLines(context.index);
    for (const line of lines.all) {
      const { identifier, place, read, conditionals } = line;
      // What Debian links there belongs to the package; and what only 2.2 reads stays.
      if (isDebianLink(place.file) || (read === false && conditionals.length > 0)) continue;
      const why = reasonModuleGone(identifier);
      if (why !== undefined) reportGone(context, line, `2.4 has no ${identifier}: ${why}`);
      else if (successorOf(identifier) !== undefined) reportRenamed(context, line, lines);
      else if (context.targetModules?.get(identifier) === 'static')
        reportGone(
          context,
          line,
          `${identifier} is compiled into the target: loaded again, it does not start`,
        );
    }
  },
  runOnResult(context) {
    if (!context.tree.isServer) return;
    const lines = new LoadLines(context.index);
    if (!reportDebian(context, lines)) reportMissing(context, lines);
  },
});

function reportGone(context: TransformContext, { node, place }: LoadLine, message: string): void {
  context.report({
    file: place.file,
    at: node.from,
    level: 'error',
    safety: 'safe',
    message,
    edits: [removeLine(place.file.document, node)],
  });
}
