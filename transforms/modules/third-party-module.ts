import type { ConfigFile, Place } from '../../src/config';
import { defineTransform, type TransformContext } from '../../src/engine';
import { findDirective } from '../../src/httpd/directives';
import { findModule } from '../../src/httpd/modules';
import { LoadLines } from './module-lines';
import { isReadWithHttpdModules } from '../common/lines';

export default defineTransform({
  id: 'third-party-module',
  changes: ['B5'],
  title: 'Modules that are not part of httpd',
  why: '2.4 cannot load a module built for 2.2, because the version of the module interface differs. Without the module, 2.4 does not start with its directives, or answers 500 if a .htaccess has one.',
  docs: ['upgrading: Third Party Modules', 'include/ap_mmn.h'],
  advisory: true,
  directives: [],
  run(context) {
    if (context.tree.isServer) reportModules(context);
    reportDirectives(context);
  },
});

function reportModules(context: TransformContext): void {
  const foreignLines = new LoadLines(context.index).all.filter(
    ({ identifier, read }) => read !== false && findModule(identifier) === undefined,
  );
  const [first] = foreignLines;
  if (first === undefined) return;
  const names = [...new Set(foreignLines.map(({ identifier }) => identifier))].join(', ');
  context.report({
    file: first.place.file,
    at: first.node.from,
    level: 'warning',
    safety: 'manual',
    message: `2.4 cannot load builds for 2.2 of modules that are not part of httpd: install builds for 2.4 of ${names}`,
    edits: [],
  });
}

/** How many names one finding lists. */
const MAX_NAMES = 10;

/** Reports the directives that neither version knows and that no block for their module holds: once, at the first line. */
function reportDirectives(context: TransformContext): void {
  const { index, tree } = context;
  const found = new Map<
    string,
    { readonly displayName: string; readonly file: ConfigFile; readonly at: number }
  >();
  const noteName = (key: string, displayName: string, place: Place, at: number): void => {
    if (!found.has(key) && isReadWithHttpdModules(place))
      found.set(key, { displayName, file: place.file, at });
  };
  index.visitDirectives([...index.names].filter(isForeign), (node, place) =>
    noteName(node.key, node.name, place, node.from),
  );
  index.visitSections([...index.sectionNames].filter(isForeign), (node, place) =>
    noteName(`<${node.key}`, `<${node.name}>`, place, node.open.from),
  );
  const order = new Map(tree.files.map((file, i) => [file, i]));
  const foreignNames = [...found.values()].toSorted(
    (a, b) => (order.get(a.file) ?? 0) - (order.get(b.file) ?? 0) || a.at - b.at,
  );
  const [first] = foreignNames;
  if (first === undefined) return;
  const names = foreignNames.slice(0, MAX_NAMES).map(({ displayName }) => displayName);
  const more = foreignNames.length > MAX_NAMES ? ` and ${foreignNames.length - MAX_NAMES} more` : '';
  context.report({
    file: first.file,
    at: first.at,
    level: 'warning',
    safety: 'manual',
    message: `no module of httpd has ${names.join(', ')}${more}: install a build for 2.4 of the module that has ${foreignNames.length > 1 ? 'them, or remove the lines' : 'it, or remove the line'}`,
    edits: [],
  });
}

/** A name that a directive can have, and that neither version ships. */
function isForeign(name: string): boolean {
  return /^[a-z][\w.-]*$/.test(name) && findDirective(name) === undefined;
}
