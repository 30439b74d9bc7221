import { atoi } from '../common/lines';
import {
  balancerOf,
  checkBackend,
  checkParameter,
  checkWords,
  hostOf,
  hundredths,
  isNoRegex,
  isRange,
  isRegex,
  isUnderPattern,
  locationOf,
  pathOf,
} from './proxy-arguments';
import type { StrictArgument } from './strict-argument-rows';

/** Directives that set parameters of a backend, as <Proxy> does. */
const BACKENDS = ['ProxyPass', 'ProxyPassMatch', 'BalancerMember', 'ProxySet'];
const MAPPINGS = ['ProxyPass', 'ProxyPassMatch'];

/** 2.2 raises every smaller buffer size to this (AP_IOBUFSIZE). */
const MIN_BUFFER_22 = 8192;

/** Sizes with the terminating null byte (mod_proxy.h: PROXY_WORKER_MAX_..._SIZE, PROXY_BALANCER_MAX_..._SIZE). */
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

/** Arguments of mod_proxy and its submodules, and of mod_ssl. */
export const STRICT_PROXY_ARGUMENTS: readonly StrictArgument[] = [
  {
    names: BACKENDS,
    sections: ['Proxy'],
    linePattern: /iobuffersize=/i,
    refused: true,
    level: 'error',
    in22: 'raises a smaller iobuffersize to 8192',
    in24: 'refuses less than 512, except 0',
    source22: WORKER,
    source24: WORKER,
    at: 'server',
    examples: [
      'ProxyPass /a http://a/ iobuffersize=1',
      inMember('http://a/ IOBufferSize=-5'),
      '<Proxy http://a/ iobuffersize=511>\n</Proxy>',
    ],
    accepted: ['ProxyPass /a http://a/ iobuffersize=0'],
    findingFor: (node, place) =>
      checkParameter(node, place, 'iobuffersize', (size, text) =>
        size !== 0 && size < 512
          ? [`refuses ${text}, which is below 512; 2.2 used ${MIN_BUFFER_22}`, MIN_BUFFER_22]
          : undefined,
      ),
  },
  {
    names: BACKENDS,
    sections: ['Proxy'],
    linePattern: /iobuffersize=/i,
    refused: false,
    level: 'warning',
    onlyWhenUpgrading: true,
    in22: 'raises a smaller iobuffersize to 8192',
    in24: 'uses it as it is',
    source22: WORKER,
    source24: WORKER,
    at: 'server',
    examples: ['ProxyPass /a http://a/ iobuffersize=512'],
    accepted: ['ProxyPass /a http://a/ iobuffersize=8192'],
    findingFor: (node, place) =>
      checkParameter(node, place, 'iobuffersize', (size, text) =>
        size >= 512 && size < MIN_BUFFER_22
          ? [`uses ${text} as it is; 2.2 used ${MIN_BUFFER_22}`, MIN_BUFFER_22]
          : undefined,
      ),
  },
  {
    names: BACKENDS,
    sections: ['Proxy'],
    linePattern: /loadfactor=/i,
    since: 28,
    refused: true,
    level: 'error',
    in22: 'reads a whole number from 1 to 100 and ignores what follows it',
    in24: 'reads a decimal number, and refuses more than 100',
    source22: WORKER,
    source24: `CHANGES 2.4.28; ${WORKER}`,
    at: 'server',
    examples: [inMember('http://a/ loadfactor=100.9'), inMember('http://a/ LoadFactor=1e5')],
    accepted: [inMember('http://a/ loadfactor=100.0')],
    findingFor: (node, place) =>
      checkParameter(node, place, 'loadfactor', (whole, text) => {
        const hundredths24 = hundredths(text);
        return whole >= 1 && whole <= 100 && (hundredths24 < 100 || hundredths24 > 10_000)
          ? [`reads all of ${text} and refuses it; 2.2 read ${whole}`, whole]
          : undefined;
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
    in22: 'reads a whole number from 1 to 100 and ignores what follows it',
    in24: 'reads a decimal number',
    source22: WORKER,
    source24: `CHANGES 2.4.28; ${WORKER}`,
    at: 'server',
    examples: [inMember('http://a/ loadfactor=2.5')],
    accepted: [inMember('http://a/ loadfactor=2.001')],
    findingFor: (node, place) =>
      checkParameter(node, place, 'loadfactor', (whole, text) => {
        const hundredths24 = hundredths(text);
        return whole >= 1 && hundredths24 >= 100 && hundredths24 <= 10_000 && hundredths24 !== whole * 100
          ? [`reads all of ${text}; 2.2 read ${whole}`, whole]
          : undefined;
      }),
  },
  {
    names: ['BalancerMember'],
    linePattern: /:\/\/[^]*=/,
    refused: true,
    level: 'error',
    in22: 'reads the first word as the URL, or the second if the first is a balancer',
    in24: 'reads every word with an equals sign as a parameter, and then finds no URL',
    source22: 'modules/proxy/mod_proxy.c: add_member',
    source24: 'modules/proxy/mod_proxy.c: add_member',
    at: 'server',
    examples: [inMember('http://a/?b=c'), 'BalancerMember balancer://a http://a/;b=c'],
    accepted: [inMember('http://a/?b'), inMember('http://a/ route=a')],
    findingFor: checkBackend(
      (url) =>
        /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^]*=/.test(url) &&
        `reads every word with = as a parameter, and so finds no backend in ${url}: write the URL without =, for example with %3D if the backend accepts that`,
    ),
  },
  {
    names: [...MAPPINGS, 'BalancerMember'],
    linePattern: new RegExp(`:[^]{${NAME_SIZE - 12}}`),
    until: 10,
    refused: true,
    level: 'error',
    in22: 'accepts a backend URL of any length',
    in24: 'refuses a URL of 96 characters or more; later releases only shorten the name of the worker',
    source22: 'modules/proxy/proxy_util.c: ap_proxy_add_worker',
    source24: 'CHANGES 2.4.11: PR 53218; modules/proxy/proxy_util.c: ap_proxy_define_worker',
    at: 'server',
    examples: [`ProxyPass /a http://a/${letters(87)}`],
    accepted: [`ProxyPass /a http://a/${letters(86)}`],
    findingFor: checkBackend(
      (url) =>
        balancerOf(url) === '' &&
        url.length >= NAME_SIZE &&
        `refuses a backend URL of ${NAME_SIZE} characters or more, and this one has ${url.length}: use a newer 2.4 or a shorter URL`,
    ),
  },
  {
    names: [...MAPPINGS, 'BalancerMember'],
    linePattern: new RegExp(`://[^]{${HOST_SIZE}}`),
    until: 29,
    refused: true,
    level: 'error',
    in22: 'accepts a backend host name of any length',
    in24: 'refuses a host name of 64 characters or more; later releases accept 255',
    source22: 'modules/proxy/proxy_util.c: ap_proxy_add_worker',
    source24: 'CHANGES 2.4.30; modules/proxy/proxy_util.c: ap_proxy_define_worker',
    at: 'server',
    examples: [`ProxyPass /a http://u@${letters(64)}/`],
    accepted: [`ProxyPass /a http://${letters(63)}:80/`],
    findingFor: checkBackend(
      (url) =>
        hostOf(url).length >= HOST_SIZE &&
        `refuses a backend host name of ${HOST_SIZE} characters or more, and this one has ${hostOf(url).length}: use a newer 2.4 or a shorter name`,
    ),
  },
  {
    names: [...MAPPINGS, 'ProxySet'],
    sections: ['Proxy'],
    linePattern: new RegExp(`balancer://[^/]{${NAME_SIZE - 11}}`, 'i'),
    refused: true,
    level: 'error',
    in22: 'accepts a balancer name of any length',
    in24: 'refuses a name of 96 characters or more',
    source22: 'modules/proxy/proxy_util.c: ap_proxy_add_balancer',
    source24: 'modules/proxy/proxy_util.c: ap_proxy_define_balancer',
    at: 'server',
    examples: [
      `ProxyPass /a balancer://${letters(85)}/x`,
      `<Proxy balancer://${letters(85)}>\nBalancerMember http://a/\n</Proxy>`,
    ],
    accepted: [`ProxyPass /a balancer://${letters(84)}/x`],
    findingFor: checkBackend(
      (url) =>
        balancerOf(url).length >= NAME_SIZE &&
        `refuses a balancer name of ${NAME_SIZE} characters or more, and this one has ${balancerOf(url).length}: shorten it in every line that uses it`,
    ),
  },
  {
    names: MAPPINGS,
    linePattern: /balancer:/i,
    refused: true,
    level: 'error',
    in22: 'maps a path of any length to a balancer',
    in24: 'refuses a path of 64 characters or more',
    source22: ADD_PASS,
    source24: 'modules/proxy/proxy_util.c: ap_proxy_update_balancer',
    at: 'server',
    examples: [
      `ProxyPass /${letters(63)} balancer://a/`,
      inLocation(`/${letters(63)}`, 'ProxyPass balancer://a/'),
    ],
    accepted: [
      `ProxyPass /${letters(62)}?${letters(9)} balancer://a/`,
      `ProxyPassMatch ^/${letters(61)} balancer://a/`,
    ],
    findingFor: checkBackend(
      (url, place, node) =>
        balancerOf(url) !== '' &&
        !isRegex(node, place) &&
        pathOf(node, place).length >= PATH_SIZE &&
        `refuses to map a path of ${PATH_SIZE} characters or more to a balancer, and this one has ${pathOf(node, place).length}: map a path above it, or use ProxyPassMatch`,
    ),
  },
  {
    names: MAPPINGS,
    linePattern: /balancer:/i,
    until: 9,
    refused: true,
    level: 'error',
    in22: 'maps a regular expression of any length to a balancer',
    in24: 'refuses a regular expression of 64 characters or more',
    source22: ADD_PASS,
    source24: `${ADD_PASS} (fake_copy from 2.4.10 on)`,
    at: 'server',
    examples: [`ProxyPassMatch ^/${letters(62)} balancer://a/`],
    accepted: [`ProxyPassMatch ^/${letters(61)} balancer://b/`],
    findingFor: checkBackend(
      (url, place, node) =>
        balancerOf(url) !== '' &&
        isRegex(node, place) &&
        pathOf(node, place).length >= PATH_SIZE &&
        `refuses to map a regular expression of ${PATH_SIZE} characters or more to a balancer: use a newer 2.4 or a shorter expression`,
    ),
  },
  {
    names: ['ProxyPass'],
    linePattern: /^/,
    refused: true,
    level: 'error',
    messageRule: 'regex-pcre2',
    in22: 'reads the name of the surrounding section as a literal path',
    in24: 'reads a name with wildcards as a regular expression, and refuses it if it is not valid',
    source22: `${ADD_PASS}, alias_match`,
    source24: ADD_PASS,
    at: 'server',
    examples: [inLocation('*.jsp', 'ProxyPass http://a/'), inLocation('/a**', 'ProxyPass http://a/')],
    accepted: [inMatch('^/a\\*\\*b', 'ProxyPass http://a/')],
    findingFor: checkBackend(
      (_url, place) =>
        isUnderPattern(place) &&
        isNoRegex(locationOf(place)!) &&
        `reads ${locationOf(place)} as a regular expression, because this section has a ProxyPass, and the expression is not valid; 2.2 read it as a literal path, which hardly any request has: use a path without wildcards, or a valid expression in <LocationMatch>`,
    ),
  },
  {
    names: ['ProxyPass'],
    linePattern: /^/,
    refused: false,
    level: 'warning',
    onlyWhenUpgrading: true,
    in22: 'reads the name of the surrounding section as a literal path, which hardly any request has',
    in24: 'reads a name with wildcards as a regular expression',
    source22: `${ADD_PASS}, alias_match`,
    source24: ADD_PASS,
    at: 'server',
    examples: [inLocation('/a*', 'ProxyPass http://a/'), inMatch('^/a(.*)$', 'ProxyPass !')],
    accepted: [inMatch('^/a', 'ProxyPass http://a/'), inMatch('^/a.*', 'ProxyPassMatch http://a/')],
    findingFor: checkBackend(
      (url, place) =>
        isUnderPattern(place) &&
        !isNoRegex(locationOf(place)!) &&
        `reads ${locationOf(place)} as a regular expression, because this section has a ProxyPass, and ${url === '!' ? 'does not proxy what matches' : `sends what matches to ${url}`}; 2.2 read it as a literal path, which hardly any request has: check that this is intended`,
    ),
  },
  {
    names: ['AllowCONNECT'],
    linePattern: /[0-9][^0-9 \t]/,
    refused: true,
    level: 'error',
    in22: 'reads the number that a word begins with',
    in24: 'refuses a word that is neither a port nor a range of ports',
    source22: PORTS22,
    source24: PORTS24,
    at: 'server',
    examples: ['AllowCONNECT 443x', 'AllowCONNECT 1 443,8443', 'AllowCONNECT 443-'],
    accepted: ['AllowCONNECT 443'],
    findingFor: (node, place) =>
      checkWords(node, place, (word) =>
        /^[0-9]+[^0-9]/.test(word) && !isRange(word)
          ? [`refuses ${word} as a port; 2.2 read ${atoi(word)}`, String(atoi(word))]
          : undefined,
      ),
  },
  {
    names: ['AllowCONNECT'],
    linePattern: /[0-9]-/,
    refused: false,
    level: 'error',
    onlyWhenUpgrading: true,
    in22: 'reads the number that a word begins with',
    in24: 'allows all ports from the first number to the second',
    source22: PORTS22,
    source24: PORTS24,
    at: 'server',
    examples: ['AllowCONNECT 443-8443'],
    accepted: ['AllowCONNECT 443 8443'],
    findingFor: (node, place) =>
      checkWords(node, place, (word) =>
        isRange(word)
          ? [`allows all ports of ${word}; 2.2 allowed only ${atoi(word)}`, String(atoi(word))]
          : undefined,
      ),
  },
  {
    names: ['SSLCryptoDevice'],
    linePattern: /^/,
    refused: true,
    level: 'error',
    in22: 'accepts the name of an engine that its OpenSSL has',
    in24: 'does the same, but OpenSSL has dropped most of the old engines, such as cswift and chil',
    source22: 'modules/ssl/ssl_engine_config.c: ssl_cmd_SSLCryptoDevice',
    source24: 'modules/ssl/ssl_engine_config.c: ssl_cmd_SSLCryptoDevice',
    at: 'server',
    examples: ['SSLCryptoDevice cswift'],
    accepted: ['SSLCryptoDevice builtin'],
    findingFor: (node, place) =>
      node.args.length === 1
        ? checkWords(node, place, (word) =>
            /^(?:builtin|dynamic)$/i.test(word)
              ? undefined
              : [
                  `does not start with SSLCryptoDevice ${word} unless its OpenSSL has that engine, which is unlikely today: use builtin if no key is kept in that device`,
                ],
          )
        : undefined,
  },
];
