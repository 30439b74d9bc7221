import { type Servers, linesOf, serversOf } from '../../src/config';
import { insertAfter } from '../../src/edit';
import { defineTransform } from '../../src/engine';
import { isCarriedOver, isAtServerLevel, replaceValue } from '../common/lines';

/** Characters that make a word a pattern for apr_fnmatch. */
const PATTERN = /[*?]|\[[^\]]*\]/;

export default defineTransform({
  id: 'server-name-pattern',
  changes: ['C17'],
  title: 'ServerName with a pattern',
  why: 'In 2.2, a ServerName with * or ? matches nothing; 2.4 refuses it. Patterns belong in ServerAlias.',
  docs: ['core: ServerName, ServerAlias', 'server/core.c: server_hostname_port'],
  directives: ['ServerName'],
  run(context) {
    const servers = serversOf(context.tree);
    context.directives(['ServerName'], (node, place) => {
      if (!/[*?[]/.test(node.rest) || !isCarriedOver(place)) return;
      const { file } = place;
      const [arg, ...more] = node.args;
      if (arg === undefined || more.length > 0 || !PATTERN.test(arg.value)) return;
      const common = { file, at: node.from, level: 'error' as const };
      const name = /^\*\.([A-Za-z0-9_.-]*[A-Za-z0-9])$/.exec(arg.value)?.[1];
      if (name === undefined || !isAtServerLevel(place) || isTaken(servers, name))
        return context.report({
          ...common,
          message: `2.4 refuses the pattern ${arg.value} as a ServerName, which never matched in 2.2: write a host name here, and the pattern in ServerAlias`,
        });
      const nameEdit = replaceValue(file.document.text, arg, name);
      const inHost = servers.of(place).kind === 'vhost';
      return context.report({
        ...common,
        safety: 'review',
        message: inHost
          ? `2.4 refuses the pattern ${arg.value} as a ServerName; this assumes that ${name} and all names below it should reach this virtual host, although 2.2 never matched them`
          : `2.4 refuses the pattern ${arg.value} as a ServerName; this assumes that ${name} is what the server calls itself`,
        edits: inHost
          ? [nameEdit, insertAfter(file.document, node, [`ServerAlias ${arg.value}`])]
          : [nameEdit],
      });
    });
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
