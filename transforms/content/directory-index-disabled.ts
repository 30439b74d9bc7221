import { lineRule } from '../common/line-rule';

export default lineRule({
  id: 'directory-index-disabled',
  changes: ['F11'],
  title: 'DirectoryIndex disabled',
  why: "In 2.2, disabled is an ordinary file name, and the section's other names stay in force. In 2.4, the word alone removes them all.",
  docs: ['mod_dir: DirectoryIndex', 'modules/mappers/mod_dir.c: add_index'],
  advisory: true,
  names: ['DirectoryIndex'],
  onlyWhenUpgrading: true,
  findingFor(node) {
    if (node.args.length !== 1 || node.args[0]?.value.toLowerCase() !== 'disabled') return undefined;
    return {
      level: 'info',
      message:
        "DirectoryIndex disabled turns index files off in 2.4; 2.2 looked for a file of that name and for the section's other index files: remove the line if these are still wanted",
    };
  },
});
