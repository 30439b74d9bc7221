import { lineRule } from '../common/line-rule';
import { type Token22, readTokens22 } from '../common/words';

/** What names a version: of httpd, its interface for modules, mod_ssl and OpenSSL (2.2 ssl_engine_vars.c: ssl_var_lookup). */
const VERSION = /^(?:SERVER_SOFTWARE|API_VERSION|SSL_VERSION_(?:INTERFACE|LIBRARY))$/i;

export default lineRule({
  id: 'ssl-require-version',
  changes: ['S21'],
  title: 'SSLRequire that asks for a version',
  why: 'SERVER_SOFTWARE, API_VERSION, SSL_VERSION_INTERFACE and SSL_VERSION_LIBRARY name the versions of httpd, mod_ssl and OpenSSL. An SSLRequire that compares one with a number decides differently on the new server.',
  docs: ['mod_ssl: SSLRequire', 'modules/ssl/ssl_engine_vars.c: ssl_var_lookup'],
  advisory: true,
  onlyWhenUpgrading: true,
  names: ['SSLRequire'],
  findingFor(node) {
    const tokens = readTokens22(node.rest) ?? [];
    const asked = tokens.find(
      ({ kind, text }, at) =>
        kind === 'variable' && VERSION.test(text) && isWithNumber(comparisonAround(tokens, at)),
    );
    return asked === undefined
      ? undefined
      : {
          level: 'error',
          message: `this compares %{${asked.text}} with a number, and it is another in 2.4: write what is to hold for the new server`,
        };
  },
});

/** What stands between the last `and` or `or` and the next. */
function comparisonAround(tokens: readonly Token22[], at: number): readonly Token22[] {
  const end = tokens.findIndex((token, index) => index > at && isJoint(token));
  return tokens.slice(
    tokens.findLastIndex((token, index) => index < at && isJoint(token)) + 1,
    end < 0 ? undefined : end,
  );
}

const isJoint = ({ kind, text }: Token22): boolean =>
  (kind === 'word' || kind === 'sign') && /^(?:and|or|&&|\|\|)$/i.test(text);

const isWithNumber = (tokens: readonly Token22[]): boolean =>
  tokens.some(({ kind, text }) => kind !== 'variable' && /\d/.test(text));
