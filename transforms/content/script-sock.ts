import { expand, lastInForce, serversOf } from '../../src/config';
import { defineTransform } from '../../src/engine';
import { eachLine, replaceValue } from '../common/lines';

export default defineTransform({
  id: 'script-sock',
  changes: ['C34'],
  title: 'ScriptSock relative to ServerRoot',
  why: '2.2 resolves a relative ScriptSock against ServerRoot, 2.4 against DefaultRuntimeDir (logs by default): "logs/cgisock" would become logs/logs/cgisock, and the server would not start.',
  docs: ['mod_cgid: ScriptSock', 'modules/generators/mod_cgid.c: set_script_socket'],
  directives: ['ScriptSock'],
  run(context) {
    const servers = serversOf(context.tree);
    eachLine(context, ['ScriptSock'], (node, place) => {
      const { file } = place;
      const [arg, ...more] = node.args;
      if (arg === undefined || more.length > 0) return;
      const path = expand(arg.value, context.tree.variables);
      if (isFull(path)) return;
      const main = servers.of(place);
      const root = lastInForce(main, ['ServerRoot'])?.node.args[0]?.value;
      const common = { file, at: node.from, level: 'error' as const };
      if (lastInForce(main, ['DefaultRuntimeDir']) !== undefined) return;
      if (root === undefined || !isFull(expand(root, context.tree.variables)))
        context.report({
          ...common,
          safety: 'manual',
          message: `2.4 resolves ${arg.value} against DefaultRuntimeDir, 2.2 against ServerRoot: write the full path`,
        });
      else
        context.report({
          ...common,
          safety: 'safe',
          message: `2.4 resolves ${arg.value} against DefaultRuntimeDir, 2.2 against ServerRoot: the full path is the same for both`,
          edits: [replaceValue(file.document.text, arg, `${root.replace(/\/+$/, '')}/${arg.value}`)],
        });
    });
  },
});

/** Whether a path needs no directory before it, or begins with a variable that may hold one. */
function isFull(path: string): boolean {
  return /^(?:\/|[A-Za-z]:[/\\]|\$\{)/.test(path);
}
