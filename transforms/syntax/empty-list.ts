import { removeLine } from '../../src/edit';
import { lineRule } from '../common/line-rule';

/** Directives with a list of arguments in both versions (ITERATE), without those that another rule owns. */
const LISTS = [
  'AllowCONNECT', 'Anonymous', 'AuthBasicProvider', 'AuthDigestDomain', 'AuthDigestProvider', 'AuthDigestQop', 'AuthLDAPGroupAttribute',
  'CacheFile', 'CacheIgnoreHeaders', 'CacheIgnoreURLSessionIdentifiers', 'CharsetOptions', 'DirectoryIndex', 'ExtFilterOptions',
  'FilterChain', 'ForceLanguagePriority', 'HttpProtocolOptions', 'IndexIgnore', 'ISAPICacheFile', 'LanguagePriority', 'LoadFile',
  'MMapFile', 'MultiviewsMatch', 'NoProxy', 'NWSSLTrustedCerts', 'PassEnv', 'ProxyBlock', 'RegisterHttpMethod', 'RemoveCharset',
  'RemoveEncoding', 'RemoveHandler', 'RemoveInputFilter', 'RemoveLanguage', 'RemoveOutputFilter', 'RemoveType', 'RewriteOptions',
  'UnsetEnv',
]; // prettier-ignore

export default lineRule({
  id: 'empty-list',
  changes: ['C31'],
  title: 'List directives without an argument',
  stops: true,
  why: '2.2 ignores a list directive that has no argument; 2.4 requires at least one.',
  docs: ['server/config.c: invoke_cmd (ITERATE)'],
  names: LISTS,
  findingFor(node, { file }) {
    // An empty word ends the list.
    if ((node.args[0]?.value ?? '') !== '') return undefined;
    return {
      level: node.key === 'directoryindex' ? 'warning' : 'error',
      safety: 'safe',
      message:
        node.key === 'directoryindex'
          ? '2.2 ignored an empty DirectoryIndex; in 2.4 it removes what was inherited'
          : `2.4 refuses ${node.name} without an argument; 2.2 ignored it`,
      edits: [removeLine(file.document, node)],
    };
  },
});
