import type { ConfigFile } from '../../src/config';
import { defineTransform } from '../../src/engine';

export default defineTransform({
  id: 'debian-layout',
  changes: [],
  title: 'Files that 2.4 on Debian and Ubuntu does not read',
  why: "The apache2.conf of Debian's 2.4 reads only names that end in .conf from sites-enabled, and uses conf-enabled instead of conf.d.",
  docs: ['/usr/share/doc/apache2/NEWS.Debian.gz', 'a2enconf(8)', 'a2ensite(8)'],
  advisory: true,
  directives: [],
  run(context) {
    const { tree } = context;
    if (!tree.isServer) return;
    const configDirectories = new Set(
      tree.files.flatMap(({ path }) => /^(.*)\/mods-(?:available|enabled)\/[^/]+$/.exec(path)?.[1] ?? []),
    );
    for (const { node, place } of context.index.directives(['Include', 'IncludeOptional']))
      if (/(?:^|\/)mods-enabled(?:\/|$)/.test(node.args[0]?.value ?? ''))
        configDirectories.add(directoryOf(place.file));
    for (const file of tree.files) {
      const [, configDirectory = '', folder, name = ''] = /^(.*)\/([^/]+)\/([^/]+)$/.exec(file.path) ?? [];
      if (!configDirectories.has(configDirectory)) continue;
      const baseName = name.replace(/\.conf$/, '');
      const report = (message: string): void =>
        context.report({ file, at: 0, level: 'warning', safety: 'manual', message, edits: [] });
      if (folder === 'conf.d')
        report(
          `2.4 on Debian does not read conf.d: move this file to conf-available/${baseName}.conf and run a2enconf ${baseName}`,
        );
      else if (/^sites-(?:available|enabled)$/.test(folder ?? '') && baseName === name)
        report(
          `2.4 on Debian reads only sites whose file names end in .conf: rename this file to ${name}.conf, then run a2ensite ${name}`,
        );
    }
  },
});

function directoryOf({ path }: ConfigFile): string {
  return path.slice(0, path.lastIndexOf('/'));
}
