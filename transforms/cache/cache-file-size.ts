import { replaceArgument } from '../../src/edit';
import { lineRule } from '../common/line-rule';

const NAMES = ['CacheMaxFileSize', 'CacheMinFileSize'];

export default lineRule({
  id: 'cache-file-size',
  changes: ['K05'],
  title: 'CacheMaxFileSize and CacheMinFileSize in octal or hexadecimal',
  why: '2.2 read 0x100 as 256 and 0100 as 64; 2.4 reads decimal numbers only, 0x100 as 0 and 0100 as 100.',
  docs: ['mod_cache_disk: CacheMaxFileSize', 'modules/cache/mod_cache_disk.c: set_cache_maxfs'],
  directives: NAMES,
  onlyWhenUpgrading: true,
  findingFor(node, place) {
    const [argument] = node.args;
    if (argument === undefined) return undefined;
    const size = sizeIn22(argument.value);
    if (size === undefined) return undefined;
    return {
      level: 'warning',
      safety: 'safe',
      message: `2.4 reads ${argument.value} as ${Number.parseInt(argument.value, 10)}, 2.2 read it as ${size}`,
      edits: [replaceArgument(place.file.document, argument, String(size))],
    };
  },
});

/** The value of a number that 2.2 reads as octal or hexadecimal (strtol with base 0); undefined for any other word. */
function sizeIn22(word: string): bigint | undefined {
  const hex = /^\+?0[xX]([0-9a-fA-F]+)/.exec(word);
  if (hex !== null) return BigInt(`0x${hex[1]}`);
  const octal = /^\+?0([0-7]*)[0-9]*/.exec(word);
  if (octal === null) return undefined;
  const size = BigInt(`0o0${octal[1]}`);
  return Number.parseInt(word, 10) === Number(size) ? undefined : size;
}
