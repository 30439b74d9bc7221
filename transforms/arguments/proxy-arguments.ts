import type { Place } from '../../src/config';
import { replaceArgument } from '../../src/edit';
import type { Directive, Section } from '../../src/syntax';
import { atoi, containersOf, isUnknown } from '../common/lines';
import type { ArgumentFinding } from './strict-argument-rows';

type ProxyNode = Directive | Section;

/** The message about a word, and the word to write instead. */
type WordFinding = readonly [message: string, word?: string];

/** Checks each argument that contains no variable. The findings point at the argument. */
export function checkWords(
  { args }: ProxyNode,
  { file }: Place,
  check: (word: string) => WordFinding | undefined,
): readonly ArgumentFinding[] {
  return args.flatMap((argument) => {
    const found = isUnknown(argument.value) ? undefined : check(argument.value);
    if (found === undefined) return [];
    const [message, word] = found;
    if (word === undefined) return [{ message, at: argument.start }];
    return [{ message, at: argument.start, edits: [replaceArgument(file.document, argument, word)] }];
  });
}

export function checkParameter(
  node: ProxyNode,
  place: Place,
  key: string,
  check: (value: number, word: string) => readonly [message: string, value: number] | undefined,
): readonly ArgumentFinding[] {
  return checkWords(node, place, (word) => {
    const at = word.indexOf('=');
    if (word.slice(0, at).toLowerCase() !== key) return undefined;
    const found = check(atoi(word.slice(at + 1)), word);
    return found && [found[0], `${word.slice(0, at)}=${found[1]}`];
  });
}

/** The number that 2.4 reads in a parameter, in hundredths: 250 for `loadfactor=2.5`, 0 if there is no number. */
export function hundredths(word: string): number {
  const number = /=[+]?([0-9]+(?:\.[0-9]*)?(?:e[+-]?[0-9]+)?)/i.exec(word)?.[1];
  return Math.trunc(Number(number ?? 0) * 100);
}

/**
 * What a row reports of the URL of the backend or the balancer in a line.
 * @param check the message about it, or false where there is nothing to say
 */
export function checkBackend(
  check: (url: string, place: Place, node: ProxyNode) => string | false,
): (node: ProxyNode, place: Place) => ArgumentFinding | undefined {
  return (node, place) => {
    const url = node.args[backendAt(node, place)]?.value;
    const message = url !== undefined && !isUnknown(url) && check(url, place, node);
    return message === false ? undefined : { message };
  };
}

function backendAt(node: ProxyNode, place: Place): number {
  const containers = containersOf(place);
  if (node.kind === 'section') return 0;
  if (node.key === 'proxyset') return containers.some(({ section }) => section.key === 'proxy') ? -1 : 0;
  if (containers.length > 0) return 0;
  return node.args[0]?.value === '~' ? 2 : 1;
}

/** The `balancer://name` at the start of a URL, or an empty text. */
export const balancerOf = (url: string): string => /^balancer:\/\/[^/]*/i.exec(url)?.[0] ?? '';

export const hostOf = (url: string): string =>
  /^[A-Za-z][A-Za-z0-9+.-]*:\/\/(?:[^/@]*@)?(\[[^\]]*\]|[^/:?#]*)/.exec(url)?.[1] ?? '';

/** The name of the `<Location>` or `<LocationMatch>` around a line; undefined without one, or if it contains a variable. */
export function locationOf(place: Place): string | undefined {
  const location = containersOf(place).at(-1)?.section;
  const name = location?.key.startsWith('location') === true ? location.args.at(-1)?.value : undefined;
  return name !== undefined && isUnknown(name) ? undefined : name;
}

/** The mapped path, up to the ? or # where 2.4 cuts it for a balancer. */
export function pathOf({ args }: ProxyNode, place: Place): string {
  return (locationOf(place) ?? args[0]?.value ?? '').split(/[?#]/)[0]!;
}

export function isRegex(node: ProxyNode, place: Place): boolean {
  return (
    node.kind === 'directive' &&
    (node.key === 'proxypassmatch' || (containersOf(place).length === 0 && node.args[0]?.value === '~'))
  );
}

/** Whether apr_fnmatch_test takes the name of the surrounding section for a pattern of file names. */
export function isUnderPattern(place: Place): boolean {
  const unescaped = (locationOf(place) ?? '').replace(/\\[^]/g, '');
  return (
    /[*?]/.test(unescaped) || (unescaped.includes('[') && unescaped.lastIndexOf(']') > unescaped.indexOf('['))
  );
}

/** Whether a pattern of file names is not a valid regular expression: a quantifier follows nothing, or a class is not closed. */
export function isNoRegex(text: string): boolean {
  const unescaped = text.replace(/\\[^]/g, 'x');
  return /^[*+?]|[*+?]\*/.test(unescaped) || unescaped.lastIndexOf('[') > unescaped.lastIndexOf(']');
}

/** Whether a word is two numbers joined by a hyphen. */
export function isRange(word: string): boolean {
  return /^[0-9]+-[0-9]+$/.test(word);
}
