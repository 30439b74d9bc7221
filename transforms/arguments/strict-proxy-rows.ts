import type { Place } from '../../src/config';
import { replaceArgument } from '../../src/edit';
import type { Directive, Section } from '../../src/syntax';
import { atoi, containersOf, isUnknown } from '../shared/lines';
import type { StrictArgument, Told } from './strict-argument-rows';

type Line = Directive | Section;

/** Where parameters of a backend may stand, beside <Proxy>. */
const BACKENDS = ['ProxyPass', 'ProxyPassMatch', 'BalancerMember', 'ProxySet'];
const MAPPINGS = ['ProxyPass', 'ProxyPassMatch'];

/** What 2.2 raised every smaller size of a buffer to (AP_IOBUFSIZE). */
const BUFFER = 8192;

/** Lengths that count the byte that ends a name, too (modules/proxy/mod_proxy.h: PROXY_WORKER_MAX_..._SIZE, PROXY_BALANCER_MAX_..._SIZE). */
const NAME = 96;
const HOST = 64;
const PATH = 64;

const WORKER = 'modules/proxy/mod_proxy.c: set_worker_param';
const PORTS22 = 'modules/proxy/mod_proxy.c: set_allowed_ports';
const PORTS24 = 'modules/proxy/mod_proxy_connect.c: set_allowed_ports';
const ADD_PASS = 'modules/proxy/mod_proxy.c: add_pass';

const inMember = (rest: string): string => `<Proxy balancer://a>\nBalancerMember ${rest}\n</Proxy>`;
const inLocation = (name: string, line: string): string => `<Location ${name}>\n${line}\n</Location>`;
const inMatch = (name: string, line: string): string => `<LocationMatch ${name}>\n${line}\n</LocationMatch>`;
const long = (length: number): string => 'a'.repeat(length);

/** Arguments of mod_proxy and its kin, and of mod_ssl. */
export const STRICT_PROXY_ARGUMENTS: readonly StrictArgument[] = [
  {
    names: BACKENDS,
    sections: ['Proxy'],
    sign: /iobuffersize=/i,
    refused: true,
    level: 'error',
    was: 'raises iobuffersize to 8192 where it says less',
    is: 'refuses less than 512, but for 0',
    source22: WORKER,
    source24: WORKER,
    at: 'server',
    examples: ['ProxyPass /a http://a/ iobuffersize=1', inMember('http://a/ IOBufferSize=-5'), '<Proxy http://a/ iobuffersize=511>\n</Proxy>'],
    taken: ['ProxyPass /a http://a/ iobuffersize=0'],
    tell: (node, place) => eachParameter(node, place, 'iobuffersize', (size, text) => size !== 0 && size < 512 ? [`does not start with ${text}, which is below 512; 2.2 used ${BUFFER}`, BUFFER] : undefined),
  },
  {
    names: BACKENDS,
    sections: ['Proxy'],
    sign: /iobuffersize=/i,
    refused: false,
    level: 'warning',
    ofTheChange: true,
    was: 'raises iobuffersize to 8192 where it says less',
    is: 'takes it as it is',
    source22: WORKER,
    source24: WORKER,
    at: 'server',
    examples: ['ProxyPass /a http://a/ iobuffersize=512'],
    taken: ['ProxyPass /a http://a/ iobuffersize=8192'],
    tell: (node, place) => eachParameter(node, place, 'iobuffersize', (size, text) => size >= 512 && size < BUFFER ? [`takes ${text} as it is; 2.2 used ${BUFFER}`, BUFFER] : undefined),
  },
  {
    names: BACKENDS,
    sections: ['Proxy'],
    sign: /loadfactor=/i,
    since: 28,
    refused: true,
    level: 'error',
    was: 'reads a whole number from 1 to 100 and passes over what follows it',
    is: 'reads a fraction, and refuses more than 100',
    source22: WORKER,
    source24: `CHANGES 2.4.28; ${WORKER}`,
    at: 'server',
    examples: [inMember('http://a/ loadfactor=100.9'), inMember('http://a/ LoadFactor=1e5')],
    taken: [inMember('http://a/ loadfactor=100.0')],
    tell: (node, place) => eachParameter(node, place, 'loadfactor', (whole, text) => {
      const read = hundredths(text);
      return whole >= 1 && whole <= 100 && (read < 100 || read > 10_000) ? [`reads all of ${text} and refuses it; 2.2 read ${whole}`, whole] : undefined;
    }),
  },
  {
    names: BACKENDS,
    sections: ['Proxy'],
    sign: /loadfactor=/i,
    since: 28,
    refused: false,
    level: 'warning',
    ofTheChange: true,
    was: 'reads a whole number from 1 to 100 and passes over what follows it',
    is: 'reads a fraction',
    source22: WORKER,
    source24: `CHANGES 2.4.28; ${WORKER}`,
    at: 'server',
    examples: [inMember('http://a/ loadfactor=2.5')],
    taken: [inMember('http://a/ loadfactor=2.001')],
    tell: (node, place) => eachParameter(node, place, 'loadfactor', (whole, text) => {
      const read = hundredths(text);
      return whole >= 1 && read >= 100 && read <= 10_000 && read !== whole * 100 ? [`reads all of ${text}; 2.2 read ${whole}`, whole] : undefined;
    }),
  },
  {
    names: ['BalancerMember'],
    sign: /:\/\/[^]*=/,
    refused: true,
    level: 'error',
    was: 'takes the first word, or the one behind the balancer, for the URL',
    is: 'takes every word with an equals sign for a parameter, and then finds no URL',
    source22: 'modules/proxy/mod_proxy.c: add_member',
    source24: 'modules/proxy/mod_proxy.c: add_member',
    at: 'server',
    examples: [inMember('http://a/?b=c'), 'BalancerMember balancer://a http://a/;b=c'],
    taken: [inMember('http://a/?b'), inMember('http://a/ route=a')],
    tell: (node, place) => tellBackend(node, place, (url) => /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^]*=/.test(url) && `takes every word with = for a parameter, and so finds no backend in ${url}: write the URL without it, as with %3D if the backend takes that for =`),
  },
  {
    names: [...MAPPINGS, 'BalancerMember'],
    sign: new RegExp(`:[^]{${NAME - 12}}`),
    until: 10,
    refused: true,
    level: 'error',
    was: 'takes the URL of a backend of any length',
    is: 'refuses one of 96 characters or more; later releases cut the name that they give it',
    source22: 'modules/proxy/proxy_util.c: ap_proxy_add_worker',
    source24: 'CHANGES 2.4.11: PR 53218; modules/proxy/proxy_util.c: ap_proxy_define_worker',
    at: 'server',
    examples: [`ProxyPass /a http://a/${long(87)}`],
    taken: [`ProxyPass /a http://a/${long(86)}`],
    tell: (node, place) => tellBackend(node, place, (url) => balancerOf(url) === '' && url.length >= NAME && `refuses a backend whose URL has ${NAME} characters or more, and this has ${url.length}: take a newer 2.4, or a shorter URL`),
  },
  {
    names: [...MAPPINGS, 'BalancerMember'],
    sign: new RegExp(`://[^]{${HOST}}`),
    until: 29,
    refused: true,
    level: 'error',
    was: 'takes the host of a backend of any length',
    is: 'refuses one of 64 characters or more; later releases take 255',
    source22: 'modules/proxy/proxy_util.c: ap_proxy_add_worker',
    source24: 'CHANGES 2.4.30; modules/proxy/proxy_util.c: ap_proxy_define_worker',
    at: 'server',
    examples: [`ProxyPass /a http://u@${long(64)}/`],
    taken: [`ProxyPass /a http://${long(63)}:80/`],
    tell: (node, place) => tellBackend(node, place, (url) => hostOf(url).length >= HOST && `refuses a backend whose host has ${HOST} characters or more, and this has ${hostOf(url).length}: take a newer 2.4, or a shorter name`),
  },
  {
    names: [...MAPPINGS, 'ProxySet'],
    sections: ['Proxy'],
    sign: new RegExp(`balancer://[^/]{${NAME - 11}}`, 'i'),
    refused: true,
    level: 'error',
    was: 'takes the name of a balancer of any length',
    is: 'refuses one of 96 characters or more',
    source22: 'modules/proxy/proxy_util.c: ap_proxy_add_balancer',
    source24: 'modules/proxy/proxy_util.c: ap_proxy_define_balancer',
    at: 'server',
    examples: [`ProxyPass /a balancer://${long(85)}/x`, `<Proxy balancer://${long(85)}>\nBalancerMember http://a/\n</Proxy>`],
    taken: [`ProxyPass /a balancer://${long(84)}/x`],
    tell: (node, place) => tellBackend(node, place, (url) => balancerOf(url).length >= NAME && `refuses a balancer whose name has ${NAME} characters or more, and this has ${balancerOf(url).length}: give it a shorter one wherever it is named`),
  },
  {
    names: MAPPINGS,
    sign: /balancer:/i,
    refused: true,
    level: 'error',
    was: 'takes a path to a balancer of any length',
    is: 'refuses one of 64 characters or more',
    source22: ADD_PASS,
    source24: 'modules/proxy/proxy_util.c: ap_proxy_update_balancer',
    at: 'server',
    examples: [`ProxyPass /${long(63)} balancer://a/`, inLocation(`/${long(63)}`, 'ProxyPass balancer://a/')],
    taken: [`ProxyPass /${long(62)}?${long(9)} balancer://a/`, `ProxyPassMatch ^/${long(61)} balancer://a/`],
    tell: (node, place) => tellBackend(node, place, (url) => balancerOf(url) !== '' && !isRegex(node, place) && pathOf(node, place).length >= PATH && `refuses a path to a balancer of ${PATH} characters or more, and this has ${pathOf(node, place).length}: map a path above it, or use ProxyPassMatch`),
  },
  {
    names: MAPPINGS,
    sign: /balancer:/i,
    until: 9,
    refused: true,
    level: 'error',
    was: 'takes a regular expression that goes to a balancer of any length',
    is: 'refuses one of 64 characters or more',
    source22: ADD_PASS,
    source24: `${ADD_PASS} (fake_copy from 2.4.10 on)`,
    at: 'server',
    examples: [`ProxyPassMatch ^/${long(62)} balancer://a/`],
    taken: [`ProxyPassMatch ^/${long(61)} balancer://b/`],
    tell: (node, place) => tellBackend(node, place, (url) => balancerOf(url) !== '' && isRegex(node, place) && pathOf(node, place).length >= PATH && `refuses a regular expression of ${PATH} characters or more that goes to a balancer: take a newer 2.4, or a shorter one`),
  },
  {
    names: ['ProxyPass'],
    sign: /^/,
    refused: true,
    level: 'error',
    saidOf: 'regex-pcre2',
    was: 'takes the name of the section around for a path as it is written',
    is: 'takes one with the signs of a pattern for a regular expression, and refuses what is none',
    source22: `${ADD_PASS}, alias_match`,
    source24: ADD_PASS,
    at: 'server',
    examples: [inLocation('*.jsp', 'ProxyPass http://a/'), inLocation('/a**', 'ProxyPass http://a/')],
    taken: [inMatch('^/a\\*\\*b', 'ProxyPass http://a/')],
    tell: (node, place) => tellBackend(node, place, () => isUnderPattern(place) && isNoRegex(locationOf(place)!) && `takes ${locationOf(place)} for a regular expression, because a ProxyPass stands in this section, and refuses it as one; 2.2 took it for a path as it is written, which hardly any request has`),
  },
  {
    names: ['ProxyPass'],
    sign: /^/,
    refused: false,
    level: 'warning',
    ofTheChange: true,
    was: 'takes the name of the section around for a path as it is written, which hardly any request has',
    is: 'takes one with the signs of a pattern for a regular expression',
    source22: `${ADD_PASS}, alias_match`,
    source24: ADD_PASS,
    at: 'server',
    examples: [inLocation('/a*', 'ProxyPass http://a/'), inMatch('^/a(.*)$', 'ProxyPass !')],
    taken: [inMatch('^/a', 'ProxyPass http://a/'), inMatch('^/a.*', 'ProxyPassMatch http://a/')],
    tell: (node, place) => tellBackend(node, place, (url) => isUnderPattern(place) && !isNoRegex(locationOf(place)!) && `takes ${locationOf(place)} for a regular expression, because a ProxyPass stands in this section, and what it matches ${url === '!' ? 'is kept here' : `goes to ${url}`}; 2.2 took it for a path as it is written, which hardly any request has: see that this is meant`),
  },
  {
    names: ['AllowCONNECT'],
    sign: /[0-9][^0-9 \t]/,
    refused: true,
    level: 'error',
    was: 'reads the number that a word begins with',
    is: 'refuses a word that is neither a number nor two with a hyphen between them',
    source22: PORTS22,
    source24: PORTS24,
    at: 'server',
    examples: ['AllowCONNECT 443x', 'AllowCONNECT 1 443,8443', 'AllowCONNECT 443-'],
    taken: ['AllowCONNECT 443'],
    tell: (node, place) => eachWord(node, place, (word) => /^[0-9]+[^0-9]/.test(word) && !isRange(word) ? [`refuses ${word} for a port; 2.2 read ${atoi(word)}`, String(atoi(word))] : undefined),
  },
  {
    names: ['AllowCONNECT'],
    sign: /[0-9]-/,
    refused: false,
    level: 'error',
    ofTheChange: true,
    was: 'reads the number that a word begins with',
    is: 'lets all ports through from the first number to the second',
    source22: PORTS22,
    source24: PORTS24,
    at: 'server',
    examples: ['AllowCONNECT 443-8443'],
    taken: ['AllowCONNECT 443 8443'],
    tell: (node, place) => eachWord(node, place, (word) => isRange(word) ? [`lets all ports of ${word} through; 2.2 read ${atoi(word)} alone`, String(atoi(word))] : undefined),
  },
  {
    names: ['SSLCryptoDevice'],
    sign: /^/,
    refused: true,
    level: 'error',
    was: 'takes the name of an engine that its OpenSSL has',
    is: 'does the same, and OpenSSL has hardly any of those of old: cswift, chil and their like are gone',
    source22: 'modules/ssl/ssl_engine_config.c: ssl_cmd_SSLCryptoDevice',
    source24: 'modules/ssl/ssl_engine_config.c: ssl_cmd_SSLCryptoDevice',
    at: 'server',
    examples: ['SSLCryptoDevice cswift'],
    taken: ['SSLCryptoDevice builtin'],
    tell: (node, place) => node.args.length === 1 ? eachWord(node, place, (word) => /^(?:builtin|dynamic)$/i.test(word) ? undefined : [`does not start with SSLCryptoDevice ${word} unless its OpenSSL has an engine of that name, which today's hardly ever has: use builtin if no key is kept in that device`]) : undefined,
  },
]; // prettier-ignore

/** What to say of a word, and what to write for it. */
type Saying = readonly [message: string, word?: string];

/** What there is to say of each word, at the place of the word. */
function eachWord(
  { args }: Line,
  { file }: Place,
  say: (word: string) => Saying | undefined,
): readonly Told[] {
  return args.flatMap((argument) => {
    const said = isUnknown(argument.value) ? undefined : say(argument.value);
    if (said === undefined) return [];
    const [message, word] = said;
    if (word === undefined) return [{ message, at: argument.start }];
    return [{ message, at: argument.start, edits: [replaceArgument(file.document, argument, word)] }];
  });
}

/** The same of the words `key=number`. */
function eachParameter(
  node: Line,
  place: Place,
  key: string,
  say: (value: number, word: string) => readonly [message: string, value: number] | undefined,
): readonly Told[] {
  return eachWord(node, place, (word) => {
    const at = word.indexOf('=');
    if (word.slice(0, at).toLowerCase() !== key) return undefined;
    const said = say(atoi(word.slice(at + 1)), word);
    return said && [said[0], `${word.slice(0, at)}=${said[1]}`];
  });
}

/** The hundredths that 2.4 reads in `loadfactor=2.5`; those of 0 where it reads nothing. */
function hundredths(word: string): number {
  const number = /=[+]?([0-9]+(?:\.[0-9]*)?(?:e[+-]?[0-9]+)?)/i.exec(word)?.[1];
  return Math.trunc(Number(number ?? 0) * 100);
}

/** The backend that a line names, or the balancer that it goes to. */
function tellBackend(node: Line, place: Place, say: (url: string) => string | false): Told | undefined {
  const url = node.args[backendAt(node, place)]?.value;
  if (url === undefined || isUnknown(url)) return undefined;
  const message = say(url);
  return message === false ? undefined : { message };
}

function backendAt(node: Line, place: Place): number {
  const inside = containersOf(place);
  if (node.kind === 'section') return 0;
  if (node.key === 'proxyset') return inside.some(({ section }) => section.key === 'proxy') ? -1 : 0;
  if (inside.length > 0) return 0;
  return node.args[0]?.value === '~' ? 2 : 1;
}

/** `balancer://name` of what begins so; else nothing. */
const balancerOf = (url: string): string => /^balancer:\/\/[^/]*/i.exec(url)?.[0] ?? '';

const hostOf = (url: string): string =>
  /^[A-Za-z][A-Za-z0-9+.-]*:\/\/(?:[^/@]*@)?(\[[^\]]*\]|[^/:?#]*)/.exec(url)?.[1] ?? '';

/** The name of the section of URLs that a line stands in. */
function locationOf(place: Place): string | undefined {
  const around = containersOf(place).at(-1)?.section;
  const name = around?.key.startsWith('location') === true ? around.args.at(-1)?.value : undefined;
  return name !== undefined && isUnknown(name) ? undefined : name;
}

/** The path that a mapping is for, as far as 2.4 keeps it with a balancer. */
function pathOf({ args }: Line, place: Place): string {
  return (locationOf(place) ?? args[0]?.value ?? '').split(/[?#]/)[0]!;
}

function isRegex(node: Line, place: Place): boolean {
  return node.kind === 'directive' && (node.key === 'proxypassmatch' || (containersOf(place).length === 0 && node.args[0]?.value === '~')); // prettier-ignore
}

/** Inside of a section whose name apr_fnmatch_test takes for a pattern of file names. */
function isUnderPattern(place: Place): boolean {
  const bare = (locationOf(place) ?? '').replace(/\\[^]/g, '');
  return /[*?]/.test(bare) || (bare.includes('[') && bare.lastIndexOf(']') > bare.indexOf('['));
}

/** A pattern of file names that is no regular expression: something is repeated that is not there, or a class is not closed. */
function isNoRegex(text: string): boolean {
  const bare = text.replace(/\\[^]/g, 'x');
  return /^[*+?]|[*+?]\*/.test(bare) || bare.lastIndexOf('[') > bare.lastIndexOf(']');
}

/** Two numbers with a hyphen between them. */
function isRange(word: string): boolean {
  return /^[0-9]+-[0-9]+$/.test(word);
}
