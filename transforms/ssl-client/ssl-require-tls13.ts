import { type Place, type Server, type Servers, serversOf } from '../../src/config';
import { FACTS } from '../../src/httpd/facts';
import { findsPattern } from '../../src/regex';
import type { Directive } from '../../src/syntax';
import { lineRule } from '../common/line-rule';
import { isUnknown } from '../common/lines';
import { mayUseTls, offersTls13 } from '../common/servers';
import { type Token22, isExpression22, readTokens22 } from '../common/words';
import { isMendedAtServer } from './tls12-line';

/** What mod_ssl says of a connection (ssl_engine_vars.c: ssl_var_lookup_ssl_cipher): by TLS 1.3, and by any before it. */
const BY_TLS_13 = ['TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256', 'TLS_AES_128_GCM_SHA256'];
const BY_TLS_12 = [
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'DHE-RSA-AES256-SHA',
  'AES256-SHA',
  'AES128-SHA',
];

type Connection = Readonly<Record<string, string>>;

const connections = (protocol: string, ciphers: readonly string[]): readonly Connection[] =>
  ciphers.map((cipher) => {
    const size = /128/.test(cipher) && !/CHACHA/.test(cipher) ? '128' : '256';
    return {
      SSL_PROTOCOL: protocol,
      SSL_CIPHER: cipher,
      SSL_CIPHER_EXPORT: 'false',
      SSL_CIPHER_USEKEYSIZE: size,
      SSL_CIPHER_ALGKEYSIZE: size,
    };
  });
const WITH_TLS_13 = connections('TLSv1.3', BY_TLS_13);
const WITH_TLS_12 = ['TLSv1', 'TLSv1.1', 'TLSv1.2'].flatMap((protocol) => connections(protocol, BY_TLS_12));

/** Expressions with more parts than these are not examined. */
const MAX_TOKENS = 1000;

export default lineRule({
  id: 'ssl-require-tls13',
  changes: ['S02'],
  title: 'SSLRequire that no client with TLS 1.3 fulfils',
  why: '2.2 never spoke TLS 1.3, which 2.4 does by default, with every browser. An SSLRequire that lists protocols or ciphers by name then refuses them all: the protocol is TLSv1.3, and the ciphers have other names.',
  docs: ['mod_ssl: SSLRequire, SSLProtocol', 'modules/ssl/ssl_engine_vars.c: ssl_var_lookup_ssl'],
  lifeSpan: FACTS['ssl-tlsv13'],
  advisory: true,
  names: ['SSLRequire'],
  onlyWhenUpgrading: true,
  findingFor(node, place, context) {
    const refusing = serversRequiringTls12(node, place, serversOf(context.tree));
    if (refusing.length === 0 || isMendedAtServer(context, place, refusing)) return undefined;
    const isByName = /SSL_PROTOCOL/i.test(node.rest);
    return {
      level: 'error',
      changesAccess: true,
      message: `this refuses every client with TLS 1.3, which 2.2 did not offer, and so every browser of today: add ${isByName ? '"TLSv1.3"' : 'the ciphers of TLS 1.3 (TLS_AES_256_GCM_SHA384, ...)'} to what is allowed, or -TLSv1.3 to SSLProtocol of the host`,
    };
  },
});

/** The servers with TLS 1.3 where a line refuses every client with it, and not all others. */
export function serversRequiringTls12(node: Directive, place: Place, servers: Servers): readonly Server[] {
  if (isUnknown(node.rest) || !/SSL_(?:PROTOCOL|CIPHER)/i.test(node.rest)) return [];
  const here = servers.of(place);
  const all = here.section === undefined ? servers.all : [here];
  const offering = all.filter((each) => each.whole && mayUseTls(each) && offersTls13(each));
  if (offering.length === 0) return [];
  const isRefused = (connection: Connection): boolean => valueOfRequire(node, connection) === false;
  return WITH_TLS_13.every(isRefused) && !WITH_TLS_12.every(isRefused) ? offering : [];
}

/** What an SSLRequire says of a connection not all of which is known; undefined if open, or if 2.2 does not accept the line. */
export function valueOfRequire(node: Directive, connection: Connection): boolean | undefined {
  const tokens = readTokens22(node.rest);
  return tokens === undefined || tokens.length > MAX_TOKENS || !isExpression22(tokens)
    ? undefined
    : new Evaluation(tokens, connection).value();
}

/** An expression's value for a connection not all of which is known; undefined if open (2.2 ssl_expr_eval.c). */
class Evaluation {
  #at = 0;

  /** @param tokens of an expression that 2.2 accepts */
  constructor(
    private readonly tokens: readonly Token22[],
    private readonly known: Connection,
  ) {}

  value(): boolean | undefined {
    let value = this.#conjunction();
    while (this.#accept('or') || this.#accept('||')) {
      const other = this.#conjunction();
      value =
        value === true || other === true ? true : value === false && other === false ? false : undefined;
    }
    return value;
  }

  #conjunction(): boolean | undefined {
    let value = this.#test();
    while (this.#accept('and') || this.#accept('&&')) {
      const other = this.#test();
      value =
        value === false || other === false ? false : value === true && other === true ? true : undefined;
    }
    return value;
  }

  #test(): boolean | undefined {
    if (this.#accept('not') || this.#accept('!')) {
      const value = this.#test();
      return value === undefined ? undefined : !value;
    }
    if (this.#accept('true')) return true;
    if (this.#accept('false')) return false;
    if (this.#accept('(')) {
      const value = this.value();
      this.#accept(')');
      return value;
    }
    return this.#comparison();
  }

  #comparison(): boolean | undefined {
    const word = this.#word();
    const sign = this.tokens[this.#at++]?.text;
    if (sign === '=~' || sign === '!~') {
      const found = this.#matches(word, this.tokens[this.#at++]);
      return found === undefined ? undefined : found === (sign === '=~');
    }
    if (sign === 'in') return this.#isIn(word);
    const other = this.#word();
    if (word === undefined || other === undefined) return undefined;
    const order =
      word.length === other.length ? (word < other ? -1 : word > other ? 1 : 0) : word.length - other.length;
    switch (sign) {
      case 'eq':
      case '==':
        return word === other;
      case 'ne':
      case '!=':
        return word !== other;
      case 'lt':
      case '<':
        return order < 0;
      case 'le':
      case '<=':
        return order <= 0;
      case 'gt':
      case '>':
        return order > 0;
      default:
        return order >= 0;
    }
  }

  #isIn(word: string | undefined): boolean | undefined {
    if (!this.#accept('{')) {
      // OID ( word )
      this.#at += 2;
      this.#word();
      this.#accept(')');
      return undefined;
    }
    let isKnown = word !== undefined;
    let isFound = false;
    do {
      const other = this.#word();
      isKnown &&= other !== undefined;
      isFound ||= word !== undefined && other === word;
    } while (this.#accept(','));
    this.#accept('}');
    return isFound ? true : isKnown ? false : undefined;
  }

  #matches(word: string | undefined, regex: Token22 | undefined): boolean | undefined {
    if (word === undefined || regex === undefined) return undefined;
    const isFolded = regex.end - regex.start > regex.text.length + 3;
    return findsPattern(regex.text, word, isFolded);
  }

  /** The text of a word; undefined where it is not known. */
  #word(): string | undefined {
    const token = this.tokens[this.#at++];
    if (token === undefined) return undefined;
    if (token.kind === 'word') {
      // file ( string )
      this.#at += 3;
      return undefined;
    }
    if (token.kind === 'variable') return this.known[token.text.toUpperCase()];
    if (token.kind === 'string') return token.text.includes('\\') ? undefined : token.text.slice(1, -1);
    return token.text;
  }

  #accept(text: string): boolean {
    const token = this.tokens[this.#at];
    if (token === undefined || (token.kind !== 'word' && token.kind !== 'sign') || token.text !== text)
      return false;
    this.#at++;
    return true;
  }
}
