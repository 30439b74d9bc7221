import type { ConfigFile } from '../../src/config';
import { defineTransform } from '../../src/engine';
import { MOVE_CONF_D, RENAME_SITES } from './debian-commands';

interface NamedFile {
  readonly file: ConfigFile;
  readonly folder: string;
  readonly name: string;
}

/** An Include of a directory that may be empty. */
const CONF_D = /^(?:\/etc\/apache2\/)?conf\.d\/(?:\*|\[\^\.#\]\*)?$/;

export default defineTransform({
  id: 'debian-layout',
  changes: [],
  title: 'Files that 2.4 on Debian and Ubuntu does not read',
  why: "The apache2.conf of Debian's 2.4 reads only names that end in .conf from sites-enabled, and uses conf-enabled instead of conf.d. What it does not read is not in force, rules about access included.",
  docs: ['/usr/share/doc/apache2/NEWS.Debian.gz', 'a2enconf(8)', 'a2ensite(8)'],
  advisory: true,
  run(context) {
    const { tree } = context;
    if (!tree.isServer) return;
    const configDirectories = new Set(
      tree.files.flatMap(({ path }) => /^(.*)\/mods-(?:available|enabled)\/[^/]+$/.exec(path)?.[1] ?? []),
    );
    for (const { node, place } of context.index.directives(['Include', 'IncludeOptional']))
      if (/(?:^|\/)mods-enabled(?:\/|$)/.test(node.args[0]?.value ?? ''))
        configDirectories.add(directoryOf(place.file));
    const files = tree.files.flatMap((file): readonly NamedFile[] => {
      const [, configDirectory = '', folder = '', name = ''] =
        /^(.*)\/([^/]+)\/([^/]+)$/.exec(file.path) ?? [];
      return configDirectories.has(configDirectory) ? [{ file, folder, name }] : [];
    });
    const report = (
      found: readonly NamedFile[],
      commands: readonly string[],
      message: (names: readonly string[]) => string,
    ): boolean => {
      const [first] = found;
      if (first === undefined) return false;
      // A site that is enabled by a copy has its name twice.
      const names = [...new Set(found.map(({ name }) => name.replace(/\.conf$/, '')))];
      context.report({
        file: first.file,
        at: 0,
        level: 'error',
        message: message(names),
        commands,
      });
      return true;
    };
    const isMoved = report(
      files.filter(({ folder }) => folder === 'conf.d'),
      MOVE_CONF_D,
      (names) =>
        `2.4 on Debian does not read conf.d: move its files to conf-available, with names that end in .conf, and run a2enconf ${names.join(' ')} (--format sh prints the commands)`,
    );
    for (const { node, place } of context.index.directives(['Include', 'IncludeOptional'])) {
      if (
        isMoved ||
        !CONF_D.test(node.args[0]?.value ?? '') ||
        !configDirectories.has(directoryOf(place.file))
      )
        continue;
      if (tree.problems.some(({ file, at }) => file === place.file && at >= node.from && at < node.to))
        continue;
      const message =
        '2.4 on Debian brings no conf.d, and does not start without it: read conf-enabled/*.conf here (--format sh prints the commands)';
      context.report({ file: place.file, at: node.from, level: 'warning', message, commands: MOVE_CONF_D });
    }
    report(
      files.filter(
        ({ folder, name }) => /^sites-(?:available|enabled)$/.test(folder) && !name.endsWith('.conf'),
      ),
      RENAME_SITES,
      (names) =>
        `2.4 on Debian reads only sites whose file names end in .conf: rename the files of ${names.join(', ')}, and run a2ensite for those that are enabled (--format sh prints the commands)`,
    );
  },
});

function directoryOf({ path }: ConfigFile): string {
  return path.slice(0, path.lastIndexOf('/'));
}
