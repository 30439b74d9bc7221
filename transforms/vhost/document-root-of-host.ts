import { type Place, type Server, serversOf } from '../../src/config';
import { defineTransform, type TransformContext } from '../../src/engine';
import { lastDirective } from '../common/servers';
import { isAtServerLevel, reportLines } from '../common/lines';

/** Directives that start programs, which are told a DOCUMENT_ROOT. */
const PROGRAM_DIRECTIVES = [
  'Action', 'AddHandler', 'ScriptAlias', 'ScriptAliasMatch', 'SetHandler', 'VirtualScriptAlias', 'VirtualScriptAliasIP',
]; // prettier-ignore

export default defineTransform({
  id: 'document-root-of-host',
  changes: ['F25'],
  title: 'DOCUMENT_ROOT below VirtualDocumentRoot',
  why: 'With mod_vhost_alias, the variable DOCUMENT_ROOT is the DocumentRoot of the configuration in 2.2, and the directory that the name of the host leads to in 2.4, for programs and for rewriting.',
  docs: [
    'mod_vhost_alias: VirtualDocumentRoot',
    'modules/mappers/mod_vhost_alias.c: mva_translate, vhost_alias_interpolate',
  ],
  advisory: true,
  onlyWhenUpgrading: true,
  run(context) {
    const servers = serversOf(context.tree);
    const names = [
      'VirtualDocumentRoot',
      'VirtualDocumentRootIP',
      'VirtualScriptAlias',
      'VirtualScriptAliasIP',
    ];
    const done = new Set<Server>();
    reportLines(context, names, (node, place) => {
      const server = servers.of(place);
      if (node.args[0]?.value.toLowerCase() === 'none' || done.has(server)) return undefined;
      done.add(server);
      const use = useOf(context, place, server);
      if (use === undefined) return undefined;
      const old = lastDirective(server, 'DocumentRoot')?.node.args[0]?.value;
      return {
        level: 'warning',
        message: `DOCUMENT_ROOT is the directory of the host here in 2.4, and was ${old ?? 'the DocumentRoot of the server'} in 2.2: check ${use}`,
      };
    });
  },
});

/** What depends on the variable, for a message: the first line that names it, or else the programs. */
function useOf({ index, tree }: TransformContext, at: Place, server: Server): string | undefined {
  const servers = serversOf(tree);
  const concerns = (place: Place): boolean =>
    place.root.role === 'htaccess' || servers.of(place) === server || servers.of(place) === server.parent;
  let found: string | undefined;
  index.someDirective(['RewriteCond', 'RewriteRule'], (node, place) => {
    if (!/%\{DOCUMENT_ROOT\}/i.test(node.rest) || !concerns(place)) return false;
    // Rules at server level run before the directory of the host is known.
    if (isAtServerLevel(place)) return false;
    const { line } = place.file.document.positionAt(node.from);
    found = `${node.name} ${place.file === at.file ? `in line ${line}` : `of ${place.file.name}:${line}`}, where the old path can be written instead`;
    return true;
  });
  if (found !== undefined) return found;
  const isProgram = index.someDirective(PROGRAM_DIRECTIVES, (_, place) => concerns(place));
  return isProgram ? 'programs that read it' : undefined;
}
