import { defineTransform } from '../../src/engine';
import { isCarriedOver } from '../shared/lines';

export default defineTransform({
  id: 'directory-index-disabled',
  seed: ['F11'],
  title: 'DirectoryIndex disabled',
  why: 'In 2.2 disabled was the name of a file like any other, and names that the section had before stayed in force. In 2.4 the word alone takes them all back.',
  docs: ['mod_dir: DirectoryIndex', 'modules/mappers/mod_dir.c: add_index'],
  advisory: true,
  directives: [],
  onlyWhenUpgrading: true,
  run(context) {
    context.directives(['DirectoryIndex'], (node, place) => {
      if (node.args.length !== 1 || node.args[0]?.value.toLowerCase() !== 'disabled' || !isCarriedOver(place))
        return;
      context.report({
        file: place.file,
        at: node.from,
        level: 'info',
        safety: 'manual',
        message:
          'DirectoryIndex disabled turns index files off in 2.4; 2.2 looked for a file of that name, and for those that the section names besides',
        edits: [],
      });
    });
  },
});
