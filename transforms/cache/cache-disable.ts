import { removeLine, replaceArgument } from '../../src/edit';
import { lineRule } from '../common/line-rule';
import { isUnknown } from '../common/lines';
import { hasOtherPort, withEveryPort } from './url-port';

export default lineRule({
  id: 'cache-disable',
  changes: ['K04', 'K07', 'K09'],
  title: 'CacheDisable without a path, a URL or a port',
  stops: true,
  why: '2.2 compares any word after CacheDisable with the path of the request, which begins with a slash: a word without one never matches. 2.4 does not start with such a word. A URL without a port covers every port in 2.2, and in 2.4 the default one of its scheme; with another it covers nothing in 2.2.',
  docs: ['mod_cache: CacheDisable', 'modules/cache/mod_cache.c: add_cache_disable'],
  directives: ['CacheDisable'],
  findingFor(node, place) {
    const [argument] = node.args;
    const word = argument?.value ?? '';
    if (argument === undefined || node.args.length > 1 || isUnknown(word)) return undefined;
    if (word.startsWith('/')) return undefined;
    const { file } = place;
    const everyPort = withEveryPort(word);
    if (everyPort !== undefined)
      return {
        level: 'warning',
        safety: 'safe',
        message: `without a port, ${word} covers every port in 2.2 and only the usual one in 2.4, so that more would be cached: ${everyPort} covers every port there`,
        edits: [replaceArgument(file.document, argument, everyPort)],
      };
    if (hasOtherPort(word))
      return {
        level: 'info',
        message: `2.2 does not heed ${word}, because of its port; 2.4 does, and does not cache what it names`,
      };
    if (word.includes(':')) return undefined;
    // 2.2 reads a URL without a path as all URLs.
    const isEveryUrl = word === '' || /^[?#]/.test(word);
    return {
      level: 'error',
      safety: 'safe',
      message: isEveryUrl
        ? '2.4 refuses CacheDisable without a path; 2.2 read it as /'
        : `2.4 refuses CacheDisable ${word}, which is neither a path nor a URL; it had no effect in 2.2 and is removed`,
      edits: [isEveryUrl ? replaceArgument(file.document, argument, '/') : removeLine(file.document, node)],
    };
  },
});
