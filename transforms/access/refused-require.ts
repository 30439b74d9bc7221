import { parseHostSpec } from '../../src/access';
import { lifeSpanOf } from '../../src/httpd/lifespan';
import { nameOf } from '../../src/httpd/release';
import { readWords } from '../../src/syntax';
import type { ProvidersAndMethods } from './providers-and-methods';

/**
 * What 2.4 refuses about one Require line by itself, with what to do (2.4 modules/aaa: the parse_require_line of each provider).
 * @param name the word after `Require` or `Require not`, `args` what follows it
 * @param asksForName whether a name that nothing answers is reported
 */
export function refusedRequire(
  name: string,
  args: string,
  known: ProvidersAndMethods,
  asksForName: boolean,
): string | undefined {
  switch (name) {
    case 'all':
      return /^(?:granted|denied)$/i.test(args)
        ? undefined
        : `2.4 takes granted or denied alone after Require all, without a comment: write that for "${args}"`;
    case 'ip':
      return refusedAddresses(args);
    case 'method': {
      const unknown = readWords(args).find(({ value }) => !known.hasMethod(value));
      return unknown && `2.4 knows no method ${unknown.value}: name methods that it knows, in capitals`;
    }
    default:
      return asksForName ? unknownName(name, known) : undefined;
  }
}

function refusedAddresses(args: string): string | undefined {
  const words = readWords(args);
  if (words.length === 0) return '2.4 takes at least one address after Require ip: name one';
  const wrong = words.find(({ value }) => parseHostSpec(value).kind !== 'ip');
  if (wrong === undefined) return undefined;
  return parseHostSpec(wrong.value).kind === 'host'
    ? `2.4 takes addresses alone after Require ip, and ${wrong.value} is none: write Require host for a name`
    : `2.4 takes addresses alone after Require ip, and ${wrong.value} is none: correct it`;
}

function unknownName(name: string, known: ProvidersAndMethods): string | undefined {
  if (name === '') return '2.4 refuses Require alone: say behind it who may get in';
  if (known.hasProvider(name)) return undefined;
  const lower = name.toLowerCase();
  if (lower !== name && known.hasProvider(lower))
    return `2.4 knows Require ${lower} in small letters alone: write it so`;
  const { since } = lifeSpanOf('provider', name);
  if (since !== undefined)
    return `2.4 answers Require ${name} since ${nameOf(since)} only: say in another way who may get in`;
  return `no module that 2.4 ships answers Require ${name}: load one that does, or say in another way who may get in`;
}
