import type { ConfigFile } from '../../src/config';
import { replaceArgument } from '../../src/edit';
import { type TransformContext, defineTransform } from '../../src/engine';
import type { Directive } from '../../src/syntax';
import { isCarriedOver, isUnknown } from '../common/lines';

const HEADERS = 'CacheIgnoreHeaders';
const IDENTIFIERS = 'CacheIgnoreURLSessionIdentifiers';

export default defineTransform({
  id: 'cache-ignore',
  changes: ['K03', 'K06'],
  title: 'CacheIgnoreHeaders and CacheIgnoreURLSessionIdentifiers compare whole words',
  why: '2.2 treats every word that begins with "none" as None, and finds a session identifier at the end of a longer name in the query string: sessionid in ?jsessionid=1. 2.4 compares whole words.',
  docs: [
    'mod_cache: CacheIgnoreURLSessionIdentifiers',
    'modules/cache/cache_storage.c: cache_canonicalise_key',
  ],
  directives: [HEADERS, IDENTIFIERS],
  onlyWhenUpgrading: true,
  run(context) {
    context.directives([HEADERS, IDENTIFIERS], (node, place) => {
      if (!isCarriedOver(place)) return;
      checkNone(context, node, place.file);
      if (node.key === IDENTIFIERS.toLowerCase()) checkIdentifiers(context, node, place.file);
    });
  },
});

function checkNone(context: TransformContext, node: Directive, file: ConfigFile): void {
  const readAsNone = node.args.filter(({ value }) => /^none./i.test(value));
  if (readAsNone.length === 0) return;
  context.report({
    file,
    at: node.from,
    level: 'warning',
    safety: 'safe',
    message: `2.2 read ${readAsNone.map(({ value }) => value).join(' and ')} as None; 2.4 does not`,
    edits: readAsNone.map((argument) => replaceArgument(file.document, argument, 'None')),
  });
}

/** Names that programs use in full. */
const FULL_NAMES = new Set(['jsessionid', 'phpsessid', 'aspsessionid', 'cfid', 'cftoken']);

function checkIdentifiers(context: TransformContext, node: Directive, file: ConfigFile): void {
  const identifiers = node.args
    .map(({ value }) => value)
    .filter((word) => !/^none/i.test(word) && !isUnknown(word));
  const partialNames = identifiers.filter((word) => !FULL_NAMES.has(word.toLowerCase()));
  if (partialNames.length === 0) return;
  context.report({
    file,
    at: node.from,
    level: 'warning',
    message: `2.4 looks for parameters named exactly ${partialNames.join(', ')}; 2.2 also found ${partialNames.length > 1 ? 'them' : 'it'} at the end of longer names: name each parameter in full`,
  });
}
