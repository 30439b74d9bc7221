import { insertAfter } from '../../src/edit';
import { defineTransform } from '../../src/engine';
import { isKnownIn } from '../../src/httpd/lifespan';
import { nameOf } from '../../src/httpd/release';
import { reportLines } from '../common/lines';
import { isSurelyLoaded } from '../common/servers';

const LINE = 'DirectoryCheckHandler On';

export default defineTransform({
  id: 'dav-directory-index',
  changes: ['C30'],
  title: 'Dav in directories with an index file',
  why: '2.4 looks for the DirectoryIndex of a directory even where another handler has it. WebDAV clients that ask for a directory with an index file then get the file, or a 405, instead of the listing that they need. DirectoryCheckHandler restores what 2.2 did.',
  docs: ['mod_dir: DirectoryCheckHandler', 'modules/mappers/mod_dir.c: fixup_dir'],
  onlyWhenUpgrading: true,
  run(context) {
    if (context.pinDefaults === true) return;
    if (context.index.someDirective(['DirectoryCheckHandler'], (_, { root }) => root.role !== 'htaccess'))
      return;
    const isKnown = isKnownIn('directive', 'DirectoryCheckHandler', context.target);
    const lines = isSurelyLoaded(context.index, 'dir_module')
      ? [LINE]
      : ['<IfModule mod_dir.c>', `    ${LINE}`, '</IfModule>'];
    reportLines(context, ['Dav'], (node, { file }) => {
      if (/^(?:off)?$/i.test(node.args[0]?.value ?? '')) return undefined;
      const what = 'WebDAV clients cannot list directories with an index file in 2.4';
      return {
        level: 'warning',
        safety: isKnown ? 'safe' : 'manual',
        message: isKnown
          ? `${what}, unless DirectoryCheckHandler is On`
          : `${what}: take the index files out of them, as ${nameOf(context.target)} does not have DirectoryCheckHandler yet`,
        edits: isKnown ? [insertAfter(file.document, node, lines)] : [],
      };
    });
  },
});
