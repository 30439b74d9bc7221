import type { ConfigFile, Place } from '../../src/config';
import { defineTransform, type TransformContext } from '../../src/engine';
import { findDirective } from '../../src/httpd/directives';
import { findModule } from '../../src/httpd/modules';
import { LoadLines } from './module-lines';
import { isReadWithHttpdModules } from '../shared/lines';

export default defineTransform({
  id: 'third-party-module',
  changes: ['B5'],
  title: 'Modules that are not part of httpd',
  why: '2.4 cannot load a module built for 2.2, because the version of the module interface differs. Without the module, 2.4 does not start with its directives, or answers 500 if a .htaccess has one.',
  docs: ['upgrading: Third Party Modules', 'include/ap_mmn.h'],
  advisory: true,
  directives: [],
  run(context) {
    if (context.tree.isServer) tellModules(context);
    tellDirectives(context);
  },
});

function tellModules(context: TransformContext): void {
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
}

/** How many names one finding lists. */
const MANY = 10;

/** What neither version knows, and what stands in no block that asks for its module: once, at the first line. */
function tellDirectives(context: TransformContext): void {
  const { index, tree } = context;
  const found = new Map<string, { readonly shown: string; readonly file: ConfigFile; readonly at: number }>();
  const look = (key: string, shown: string, place: Place, at: number): void => {
    if (!found.has(key) && isReadWithHttpdModules(place)) found.set(key, { shown, file: place.file, at });
  };
  index.visitDirectives([...index.names].filter(isForeign), (node, place) =>
    look(node.key, node.name, place, node.from),
  );
  index.visitSections([...index.sectionNames].filter(isForeign), (node, place) =>
    look(`<${node.key}`, `<${node.name}>`, place, node.open.from),
  );
  const order = new Map(tree.files.map((file, i) => [file, i]));
  const all = [...found.values()].toSorted(
    (a, b) => (order.get(a.file) ?? 0) - (order.get(b.file) ?? 0) || a.at - b.at,
  );
  const [first] = all;
  if (first === undefined) return;
  const names = all.slice(0, MANY).map(({ shown }) => shown);
  const more = all.length > MANY ? ` and ${all.length - MANY} more` : '';
  context.report({
    file: first.file,
    at: first.at,
    level: 'warning',
    safety: 'manual',
    message: `no module of httpd has ${names.join(', ')}${more}: 2.4 takes ${all.length > 1 ? 'them' : 'it'} only from a module of others, in a build for 2.4`,
    edits: [],
  });
}

/** A name that a directive can have, and that neither version ships. */
function isForeign(name: string): boolean {
  return /^[a-z][\w.-]*$/.test(name) && findDirective(name) === undefined;
}
