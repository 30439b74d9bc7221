import { expand, lastInForce, serversOf } from '../../src/config';
import { lineRule } from '../common/line-rule';
import { replaceValue } from '../common/lines';

export default lineRule({
  id: 'script-sock',
  changes: ['C34'],
  title: 'ScriptSock relative to ServerRoot',
  why: '2.2 resolves a relative ScriptSock against ServerRoot, 2.4 against DefaultRuntimeDir (logs by default): "logs/cgisock" would become logs/logs/cgisock, and the server would not start.',
  docs: ['mod_cgid: ScriptSock', 'modules/generators/mod_cgid.c: set_script_socket'],
  directives: ['ScriptSock'],
  findingFor(node, place, { tree }) {
    const [arg, ...more] = node.args;
    if (arg === undefined || more.length > 0 || isFull(expand(arg.value, tree.variables))) return undefined;
    const main = serversOf(tree).of(place);
    if (lastInForce(main, ['DefaultRuntimeDir']) !== undefined) return undefined;
    const root = lastInForce(main, ['ServerRoot'])?.node.args[0]?.value;
    const problem = `2.4 resolves ${arg.value} against DefaultRuntimeDir, 2.2 against ServerRoot`;
    if (root === undefined || !isFull(expand(root, tree.variables)))
      return { level: 'error', safety: 'manual', message: `${problem}: write the full path` };
    return {
      level: 'error',
      safety: 'safe',
      message: `${problem}: the full path is the same for both`,
      edits: [replaceValue(place.file.document.text, arg, `${root.replace(/\/+$/, '')}/${arg.value}`)],
    };
  },
});

/** Whether a path needs no directory before it, or begins with a variable that may hold one. */
function isFull(path: string): boolean {
  return /^(?:\/|[A-Za-z]:[/\\]|\$\{)/.test(path);
}
