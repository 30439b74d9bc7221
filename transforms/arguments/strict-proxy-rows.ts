import type { Place } from '../../src/config';
import { replaceArgument } from '../../src/edit';
import type { Directive, Section } from '../../src/syntax';
import { atoi, containersOf, isUnknown } from '../shared/lines';
import type { StrictArgument, ArgumentFinding } from './strict-argument-rows';

type ProxyNode = Directive | Section;

/** Where parameters of a backend may stand, beside <Proxy>. */
const BACKENDS = ['ProxyPass', 'ProxyPassMatch', 'BalancerMember', 'ProxySet'];
const MAPPINGS = ['ProxyPass', 'ProxyPassMatch'];

/** What 2.2 raised every smaller size of a buffer to (AP_IOBUFSIZE). */
const MIN_BUFFER_22 = 8192;

/** Lengths that count the byte that ends a name, too (modules/proxy/mod_proxy.h: PROXY_WORKER_MAX_..._SIZE, PROXY_BALANCER_MAX_..._SIZE). */
const NAME_SIZE = 96;
const HOST_SIZE = 64;
const PATH_SIZE = 64;

const WORKER = 'modules/proxy/mod_proxy.c: set_worker_param';
const PORTS22 = 'modules/proxy/mod_proxy.c: set_allowed_ports';
const PORTS24 = 'modules/proxy/mod_proxy_connect.c: set_allowed_ports';
const ADD_PASS = 'modules/proxy/mod_proxy.c: add_pass';

const inMember = (rest: string): string => `<Proxy balancer://a>\nBalancerMember ${rest}\n</Proxy>`;
const inLocation = (name: string, line: string): string => `<Location ${name}>\n${line}\n</Location>`;
const inMatch = (name: string, line: string): string => `<LocationMatch ${name}>\n${line}\n</LocationMatch>`;
const letters = (length: number): string => 'a'.repeat(length);

/** Arguments of mod_proxy and its kin, and of mod_ssl. */
export const STRICT_PROXY_ARGUMENTS: readonly StrictArgument[] = [
  {
    names: BACKENDS,
    sections: ['Proxy'],
    linePattern: /iobuffersize=/i,
    refused: true,
    level: 'error',
    in22: 'raises iobuffersize to 8192 where it says less',
    in24: 'refuses less than 512, but for 0',
    source22: WORKER,
    source24: WORKER,
    at: 'server',
    examples: ['ProxyPass /a http://a/ iobuffersize=1', inMember('http://a/ IOBufferSize=-5'), '<Proxy http://a/ iobuffersize=511>\n</Proxy>'],
    accepted: ['ProxyPass /a http://a/ iobuffersize=0'],
    findingFor: (node, place) => checkParameter(node, place, 'iobuffersize', (size, text) => size !== 0 && size < 512 ? [`does not start with ${text}, which is below 512; 2.2 used ${MIN_BUFFER_22}`, MIN_BUFFER_22] : undefined),
  },
  {
    names: BACKENDS,
    sections: ['Proxy'],
    linePattern: /iobuffersize=/i,
    refused: false,
    level: 'warning',
    onlyWhenUpgrading: true,
    in22: 'raises iobuffersize to 8192 where it says less',
    in24: 'takes it as it is',
    source22: WORKER,
    source24: WORKER,
    at: 'server',
    examples: ['ProxyPass /a http://a/ iobuffersize=512'],
    accepted: ['ProxyPass /a http://a/ iobuffersize=8192'],
    findingFor: (node, place) => checkParameter(node, place, 'iobuffersize', (size, text) => size >= 512 && size < MIN_BUFFER_22 ? [`takes ${text} as it is; 2.2 used ${MIN_BUFFER_22}`, MIN_BUFFER_22] : undefined),
  },
  {
    names: BACKENDS,
    sections: ['Proxy'],
    linePattern: /loadfactor=/i,
    since: 28,
    refused: true,
    level: 'error',
    in22: 'reads a whole number from 1 to 100 and passes over what follows it',
    in24: 'reads a fraction, and refuses more than 100',
    source22: WORKER,
    source24: `CHANGES 2.4.28; ${WORKER}`,
    at: 'server',
    examples: [inMember('http://a/ loadfactor=100.9'), inMember('http://a/ LoadFactor=1e5')],
    accepted: [inMember('http://a/ loadfactor=100.0')],
    findingFor: (node, place) => checkParameter(node, place, 'loadfactor', (whole, text) => {
      const hundredths24 = hundredths(text);
      return whole >= 1 && whole <= 100 && (hundredths24 < 100 || hundredths24 > 10_000) ? [`reads all of ${text} and refuses it; 2.2 read ${whole}`, whole] : undefined;
    }),
  },
  {
    names: BACKENDS,
    sections: ['Proxy'],
    linePattern: /loadfactor=/i,
    since: 28,
    refused: false,
    level: 'warning',
    onlyWhenUpgrading: true,
    in22: 'reads a whole number from 1 to 100 and passes over what follows it',
    in24: 'reads a fraction',
    source22: WORKER,
    source24: `CHANGES 2.4.28; ${WORKER}`,
    at: 'server',
    examples: [inMember('http://a/ loadfactor=2.5')],
    accepted: [inMember('http://a/ loadfactor=2.001')],
    findingFor: (node, place) => checkParameter(node, place, 'loadfactor', (whole, text) => {
      const hundredths24 = hundredths(text);
      return whole >= 1 && hundredths24 >= 100 && hundredths24 <= 10_000 && hundredths24 !== whole * 100 ? [`reads all of ${text}; 2.2 read ${whole}`, whole] : undefined;
    }),
  },
  {
    names: ['BalancerMember'],
    linePattern: /:\/\/[^]*=/,
    refused: true,
    level: 'error',
    in22: 'takes the first word, or the one behind the balancer, for the URL',
    in24: 'takes every word with an equals sign for a parameter, and then finds no URL',
    source22: 'modules/proxy/mod_proxy.c: add_member',
    source24: 'modules/proxy/mod_proxy.c: add_member',
    at: 'server',
    examples: [inMember('http://a/?b=c'), 'BalancerMember balancer://a http://a/;b=c'],
    accepted: [inMember('http://a/?b'), inMember('http://a/ route=a')],
    findingFor: (node, place) => checkBackend(node, place, (url) => /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^]*=/.test(url) && `takes every word with = for a parameter, and so finds no backend in ${url}: write the URL without it, as with %3D if the backend takes that for =`),
  },
  {
    names: [...MAPPINGS, 'BalancerMember'],
    linePattern: new RegExp(`:[^]{${NAME_SIZE - 12}}`),
    until: 10,
    refused: true,
    level: 'error',
    in22: 'takes the URL of a backend of any length',
    in24: 'refuses one of 96 characters or more; later releases cut the name that they give it',
    source22: 'modules/proxy/proxy_util.c: ap_proxy_add_worker',
    source24: 'CHANGES 2.4.11: PR 53218; modules/proxy/proxy_util.c: ap_proxy_define_worker',
    at: 'server',
    examples: [`ProxyPass /a http://a/${letters(87)}`],
    accepted: [`ProxyPass /a http://a/${letters(86)}`],
    findingFor: (node, place) => checkBackend(node, place, (url) => balancerOf(url) === '' && url.length >= NAME_SIZE && `refuses a backend whose URL has ${NAME_SIZE} characters or more, and this has ${url.length}: take a newer 2.4, or a shorter URL`),
  },
  {
    names: [...MAPPINGS, 'BalancerMember'],
    linePattern: new RegExp(`://[^]{${HOST_SIZE}}`),
    until: 29,
    refused: true,
    level: 'error',
    in22: 'takes the host of a backend of any length',
    in24: 'refuses one of 64 characters or more; later releases take 255',
    source22: 'modules/proxy/proxy_util.c: ap_proxy_add_worker',
    source24: 'CHANGES 2.4.30; modules/proxy/proxy_util.c: ap_proxy_define_worker',
    at: 'server',
    examples: [`ProxyPass /a http://u@${letters(64)}/`],
    accepted: [`ProxyPass /a http://${letters(63)}:80/`],
    findingFor: (node, place) => checkBackend(node, place, (url) => hostOf(url).length >= HOST_SIZE && `refuses a backend whose host has ${HOST_SIZE} characters or more, and this has ${hostOf(url).length}: take a newer 2.4, or a shorter name`),
  },
  {
    names: [...MAPPINGS, 'ProxySet'],
    sections: ['Proxy'],
    linePattern: new RegExp(`balancer://[^/]{${NAME_SIZE - 11}}`, 'i'),
    refused: true,
    level: 'error',
    in22: 'takes the name of a balancer of any length',
    in24: 'refuses one of 96 characters or more',
    source22: 'modules/proxy/proxy_util.c: ap_proxy_add_balancer',
    source24: 'modules/proxy/proxy_util.c: ap_proxy_define_balancer',
    at: 'server',
    examples: [`ProxyPass /a balancer://${letters(85)}/x`, `<Proxy balancer://${letters(85)}>\nBalancerMember http://a/\n</Proxy>`],
    accepted: [`ProxyPass /a balancer://${letters(84)}/x`],
    findingFor: (node, place) => checkBackend(node, place, (url) => balancerOf(url).length >= NAME_SIZE && `refuses a balancer whose name has ${NAME_SIZE} characters or more, and this has ${balancerOf(url).length}: give it a shorter one wherever it is named`),
  },
  {
    names: MAPPINGS,
    linePattern: /balancer:/i,
    refused: true,
    level: 'error',
    in22: 'takes a path to a balancer of any length',
    in24: 'refuses one of 64 characters or more',
    source22: ADD_PASS,
    source24: 'modules/proxy/proxy_util.c: ap_proxy_update_balancer',
    at: 'server',
    examples: [`ProxyPass /${letters(63)} balancer://a/`, inLocation(`/${letters(63)}`, 'ProxyPass balancer://a/')],
    accepted: [`ProxyPass /${letters(62)}?${letters(9)} balancer://a/`, `ProxyPassMatch ^/${letters(61)} balancer://a/`],
    findingFor: (node, place) => checkBackend(node, place, (url) => balancerOf(url) !== '' && !isRegex(node, place) && pathOf(node, place).length >= PATH_SIZE && `refuses a path to a balancer of ${PATH_SIZE} characters or more, and this has ${pathOf(node, place).length}: map a path above it, or use ProxyPassMatch`),
  },
  {
    names: MAPPINGS,
    linePattern: /balancer:/i,
    until: 9,
    refused: true,
    level: 'error',
    in22: 'takes a regular expression that goes to a balancer of any length',
    in24: 'refuses one of 64 characters or more',
    source22: ADD_PASS,
    source24: `${ADD_PASS} (fake_copy from 2.4.10 on)`,
    at: 'server',
    examples: [`ProxyPassMatch ^/${letters(62)} balancer://a/`],
    accepted: [`ProxyPassMatch ^/${letters(61)} balancer://b/`],
    findingFor: (node, place) => checkBackend(node, place, (url) => balancerOf(url) !== '' && isRegex(node, place) && pathOf(node, place).length >= PATH_SIZE && `refuses a regular expression of ${PATH_SIZE} characters or more that goes to a balancer: take a newer 2.4, or a shorter one`),
  },
  {
    names: ['ProxyPass'],
    linePattern: /^/,
    refused: true,
    level: 'error',
    messageRule: 'regex-pcre2',
    in22: 'takes the name of the section around for a path as it is written',
    in24: 'takes one with the signs of a pattern for a regular expression, and refuses what is none',
    source22: `${ADD_PASS}, alias_match`,
    source24: ADD_PASS,
    at: 'server',
    examples: [inLocation('*.jsp', 'ProxyPass http://a/'), inLocation('/a**', 'ProxyPass http://a/')],
    accepted: [inMatch('^/a\\*\\*b', 'ProxyPass http://a/')],
    findingFor: (node, place) => checkBackend(node, place, () => isUnderPattern(place) && isNoRegex(locationOf(place)!) && `takes ${locationOf(place)} for a regular expression, because a ProxyPass stands in this section, and refuses it as one; 2.2 took it for a path as it is written, which hardly any request has`),
  },
  {
    names: ['ProxyPass'],
    linePattern: /^/,
    refused: false,
    level: 'warning',
    onlyWhenUpgrading: true,
    in22: 'takes the name of the section around for a path as it is written, which hardly any request has',
    in24: 'takes one with the signs of a pattern for a regular expression',
    source22: `${ADD_PASS}, alias_match`,
    source24: ADD_PASS,
    at: 'server',
    examples: [inLocation('/a*', 'ProxyPass http://a/'), inMatch('^/a(.*)$', 'ProxyPass !')],
    accepted: [inMatch('^/a', 'ProxyPass http://a/'), inMatch('^/a.*', 'ProxyPassMatch http://a/')],
    findingFor: (node, place) => checkBackend(node, place, (url) => isUnderPattern(place) && !isNoRegex(locationOf(place)!) && `takes ${locationOf(place)} for a regular expression, because a ProxyPass stands in this section, and what it matches ${url === '!' ? 'is kept here' : `goes to ${url}`}; 2.2 took it for a path as it is written, which hardly any request has: see that this is meant`),
  },
  {
    names: ['AllowCONNECT'],
    linePattern: /[0-9][^0-9 \t]/,
    refused: true,
    level: 'error',
    in22: 'reads the number that a word begins with',
    in24: 'refuses a word that is neither a number nor two with a hyphen between them',
    source22: PORTS22,
    source24: PORTS24,
    at: 'server',
    examples: ['AllowCONNECT 443x', 'AllowCONNECT 1 443,8443', 'AllowCONNECT 443-'],
    accepted: ['AllowCONNECT 443'],
    findingFor: (node, place) => checkWords(node, place, (word) => /^[0-9]+[^0-9]/.test(word) && !isRange(word) ? [`refuses ${word} for a port; 2.2 read ${atoi(word)}`, String(atoi(word))] : undefined),
  },
  {
    names: ['AllowCONNECT'],
    linePattern: /[0-9]-/,
    refused: false,
    level: 'error',
    onlyWhenUpgrading: true,
    in22: 'reads the number that a word begins with',
    in24: 'lets all ports through from the first number to the second',
    source22: PORTS22,
    source24: PORTS24,
    at: 'server',
    examples: ['AllowCONNECT 443-8443'],
    accepted: ['AllowCONNECT 443 8443'],
    findingFor: (node, place) => checkWords(node, place, (word) => isRange(word) ? [`lets all ports of ${word} through; 2.2 read ${atoi(word)} alone`, String(atoi(word))] : undefined),
  },
  {
    names: ['SSLCryptoDevice'],
    linePattern: /^/,
    refused: true,
    level: 'error',
    in22: 'takes the name of an engine that its OpenSSL has',
    in24: 'does the same, and OpenSSL has hardly any of those of old: cswift, chil and their like are gone',
    source22: 'modules/ssl/ssl_engine_config.c: ssl_cmd_SSLCryptoDevice',
    source24: 'modules/ssl/ssl_engine_config.c: ssl_cmd_SSLCryptoDevice',
    at: 'server',
    examples: ['SSLCryptoDevice cswift'],
    accepted: ['SSLCryptoDevice builtin'],
    findingFor: (node, place) => node.args.length === 1 ? checkWords(node, place, (word) => /^(?:builtin|dynamic)$/i.test(word) ? undefined : [`does not start with SSLCryptoDevice ${word} unless its OpenSSL has an engine of that name, which today's hardly ever has: use builtin if no key is kept in that device`]) : undefined,
  },
]; // prettier-ignore

/** What to say of a word, and what to write for it. */
type WordFinding = readonly [message: string, word?: string];

/** What there is to say of each word, at the place of the word. */
function checkWords(
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

/** The same of the words `key=number`. */
function checkParameter(
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

/** The hundredths that 2.4 reads in `loadfactor=2.5`; those of 0 where it reads nothing. */
function hundredths(word: string): number {
  const number = /=[+]?([0-9]+(?:\.[0-9]*)?(?:e[+-]?[0-9]+)?)/i.exec(word)?.[1];
  return Math.trunc(Number(number ?? 0) * 100);
}

/** The backend that a line names, or the balancer that it goes to. */
function checkBackend(
  node: ProxyNode,
  place: Place,
  check: (url: string) => string | false,
): ArgumentFinding | undefined {
  const url = node.args[backendAt(node, place)]?.value;
  if (url === undefined || isUnknown(url)) return undefined;
  const message = check(url);
  return message === false ? undefined : { message };
}

function backendAt(node: ProxyNode, place: Place): number {
  const containers = containersOf(place);
  if (node.kind === 'section') return 0;
  if (node.key === 'proxyset') return containers.some(({ section }) => section.key === 'proxy') ? -1 : 0;
  if (containers.length > 0) return 0;
  return node.args[0]?.value === '~' ? 2 : 1;
}

/** `balancer://name` of what begins so; else nothing. */
const balancerOf = (url: string): string => /^balancer:\/\/[^/]*/i.exec(url)?.[0] ?? '';

const hostOf = (url: string): string =>
  /^[A-Za-z][A-Za-z0-9+.-]*:\/\/(?:[^/@]*@)?(\[[^\]]*\]|[^/:?#]*)/.exec(url)?.[1] ?? '';

/** The name of the section of URLs that a line stands in. */
function locationOf(place: Place): string | undefined {
  const location = containersOf(place).at(-1)?.section;
  const name = location?.key.startsWith('location') === true ? location.args.at(-1)?.value : undefined;
  return name !== undefined && isUnknown(name) ? undefined : name;
}

/** The path that a mapping is for, as far as 2.4 keeps it with a balancer. */
function pathOf({ args }: ProxyNode, place: Place): string {
  return (locationOf(place) ?? args[0]?.value ?? '').split(/[?#]/)[0]!;
}

function isRegex(node: ProxyNode, place: Place): boolean {
  return node.kind === 'directive' && (node.key === 'proxypassmatch' || (containersOf(place).length === 0 && node.args[0]?.value === '~')); // prettier-ignore
}

/** Inside of a section whose name apr_fnmatch_test takes for a pattern of file names. */
function isUnderPattern(place: Place): boolean {
  const unescaped = (locationOf(place) ?? '').replace(/\\[^]/g, '');
  return (
    /[*?]/.test(unescaped) || (unescaped.includes('[') && unescaped.lastIndexOf(']') > unescaped.indexOf('['))
  );
}

/** A pattern of file names that is no regular expression: something is repeated that is not there, or a class is not closed. */
function isNoRegex(text: string): boolean {
  const unescaped = text.replace(/\\[^]/g, 'x');
  return /^[*+?]|[*+?]\*/.test(unescaped) || unescaped.lastIndexOf('[') > unescaped.lastIndexOf(']');
}

/** Two numbers with a hyphen between them. */
function isRange(word: string): boolean {
  return /^[0-9]+-[0-9]+$/.test(word);
}
