import { visitTree } from '../../src/config';
import { defineTransform } from '../../src/engine';

export default defineTransform({
  id: 'start-names',
  changes: [],
  title: 'The -D names that the system starts httpd with',
  why: 'Which <IfDefine> blocks httpd reads is decided by names that its start script gives it, from a file that is no configuration of httpd.',
  docs: ['core: <IfDefine>', 'programs/httpd: -D'],
  advisory: true,
  run(context) {
    const { startNames } = context.tree;
    if (startNames === undefined) return;
    const { file, at, variable, names } = startNames;
    const asked = new Set<string>();
    visitTree(context.tree, (node) => {
      if (node.kind === 'section' && node.key === 'ifdefine')
        asked.add((node.args[0]?.value ?? '').replace(/^!/, ''));
    });
    const found = names.filter((name) => asked.has(name));
    if (found.length === 0) return;
    context.report({
      file,
      at,
      level: 'info',
      message: `${variable} has httpd started with ${found.map((name) => `-D ${name}`).join(' ')}: this run takes these names as defined; start 2.4 with them, too`,
    });
  },
});
