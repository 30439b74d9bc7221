import { type ConfigFile, type Place, isDebianLink } from '../../src/config';
import { defineTransform, type TransformContext } from '../../src/engine';
import { findDirective } from '../../src/httpd/directives';
import { findModule } from '../../src/httpd/modules';
import { shellWord } from './debian-commands';
import { type LoadLine, LoadLines } from './module-lines';
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
    const lines = context.tree.isServer
      ? new LoadLines(context.index).all.filter(
          ({ identifier, read }) => read !== false && findModule(identifier) === undefined,
        )
      : [];
    const names = foreignNames(context);
    // What begins as the name of a module that is loaded comes with that module.
    const stems = lines.flatMap(({ name }) => /^[a-z]{2,}/.exec(name.replace(/^mod_/, ''))?.[0] ?? []);
    const isOfModule = ({ key }: ForeignName): boolean => stems.some((stem) => key.startsWith(stem));
    reportModules(context, lines, names.filter(isOfModule));
    reportDirectives(
      context,
      names.filter((name) => !isOfModule(name)),
    );
  },
});

function reportModules(
  context: TransformContext,
  lines: readonly LoadLine[],
  directives: readonly ForeignName[],
): void {
  const [first] = lines;
  if (first === undefined) return;
  // What Debian's tools enable, they can disable where no build is at hand.
  const commands = lines
    .filter(({ place }) => isDebianLink(place.file))
    .map(({ name, path }) => `disable_without ${shellWord(name)} ${shellWord(path)}`);
  const names = [...new Set(lines.map(({ identifier }) => identifier))].join(', ');
  context.report({
    file: first.place.file,
    at: first.node.from,
    level: 'warning',
    safety: 'manual',
    message: `2.4 cannot load builds for 2.2 of modules that are not part of httpd: install builds for 2.4 of ${names}${directives.length === 0 ? '' : `, for ${listed(directives)}`}`,
    edits: [],
    ...(commands.length === 0 ? {} : { commands }),
  });
}

/** How many names one finding lists. */
const MAX_NAMES = 10;

function listed(names: readonly ForeignName[]): string {
  const shown = names.slice(0, MAX_NAMES).map(({ displayName }) => displayName);
  return shown.join(', ') + (names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '');
}

/** A directive or section that neither version knows, where it first stands. */
interface ForeignName {
  readonly key: string;
  readonly displayName: string;
  readonly file: ConfigFile;
  readonly at: number;
}

/** The names that neither version knows and that no block for their module holds, in the order of the run. */
function foreignNames({ index, tree }: TransformContext): readonly ForeignName[] {
  const found = new Map<string, ForeignName>();
  const noteName = (key: string, displayName: string, place: Place, at: number): void => {
    if (!found.has(displayName.toLowerCase()) && isReadWithHttpdModules(place))
      found.set(displayName.toLowerCase(), { key, displayName, file: place.file, at });
  };
  index.visitDirectives([...index.names].filter(isForeign), (node, place) =>
    noteName(node.key, node.name, place, node.from),
  );
  index.visitSections([...index.sectionNames].filter(isForeign), (node, place) =>
    noteName(node.key, `<${node.name}>`, place, node.open.from),
  );
  const order = new Map(tree.files.map((file, i) => [file, i]));
  return [...found.values()].toSorted(
    (a, b) => (order.get(a.file) ?? 0) - (order.get(b.file) ?? 0) || a.at - b.at,
  );
}

/** Reports the directives that neither version knows: once, at the first line. */
function reportDirectives(context: TransformContext, names: readonly ForeignName[]): void {
  const [first] = names;
  if (first === undefined) return;
  context.report({
    file: first.file,
    at: first.at,
    level: 'warning',
    safety: 'manual',
    message: `no module of httpd has ${listed(names)}: install a build for 2.4 of the module that has ${names.length > 1 ? 'them, or remove the lines' : 'it, or remove the line'}`,
    edits: [],
  });
}

/** A name that a directive can have, and that neither version ships. */
function isForeign(name: string): boolean {
  return /^[a-z][\w.-]*$/.test(name) && findDirective(name) === undefined;
}
