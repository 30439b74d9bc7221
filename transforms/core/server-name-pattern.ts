import { type Servers, linesOf, serversOf } from '../../src/config';
import { insertAfter } from '../../src/edit';
import { lineRule } from '../common/line-rule';
import { isAtServerLevel, replaceValue } from '../common/lines';

/** Characters that make a word a pattern for apr_fnmatch. */
const PATTERN = /[*?]|\[[^\]]*\]/;

export default lineRule({
  id: 'server-name-pattern',
  changes: ['C17'],
  title: 'ServerName with a pattern',
  stops: true,
  why: 'In 2.2, a ServerName with * or ? matches nothing; 2.4 refuses it. Patterns belong in ServerAlias.',
  docs: ['core: ServerName, ServerAlias', 'server/core.c: server_hostname_port'],
  directives: ['ServerName'],
  findingFor(node, place, { tree }) {
    const { file } = place;
    const [arg, ...more] = node.args;
    if (arg === undefined || more.length > 0 || !PATTERN.test(arg.value)) return undefined;
    const servers = serversOf(tree);
    const name = /^\*\.([A-Za-z0-9_.-]*[A-Za-z0-9])$/.exec(arg.value)?.[1];
    const refused = `2.4 refuses the pattern ${arg.value} as a ServerName`;
    if (name === undefined || !isAtServerLevel(place) || isTaken(servers, name))
      return {
        level: 'error',
        message: `${refused}, which never matched in 2.2: write a host name here, and the pattern in ServerAlias`,
      };
    const nameEdit = replaceValue(file.document.text, arg, name);
    const inHost = servers.of(place).kind === 'vhost';
    return {
      level: 'error',
      safety: 'review',
      message: inHost
        ? `${refused}; this assumes that ${name} and all names below it should reach this virtual host, although 2.2 never matched them`
        : `${refused}; this assumes that ${name} is what the server calls itself`,
      edits: inHost ? [nameEdit, insertAfter(file.document, node, [`ServerAlias ${arg.value}`])] : [nameEdit],
    };
  },
});

/** Whether a virtual host has this name already. */
function isTaken(servers: Servers, name: string): boolean {
  return servers.all.some(
    (server) =>
      server.kind === 'vhost' &&
      linesOf(server, ['ServerName', 'ServerAlias']).some(({ node }) =>
        node.args.some(({ value }) => value.toLowerCase().replace(/:[0-9]*$/, '') === name.toLowerCase()),
      ),
  );
}
