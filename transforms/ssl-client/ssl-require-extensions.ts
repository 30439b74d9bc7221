import type { Token22 } from '../common/words';

/** A comparison with an extension of the client's certificate: `"x" in OID("1.2.3")`. */
export interface ExtensionTest {
  readonly start: number;
  readonly end: number;
  /** What OID() asks for. */
  readonly name: string;
  /** Whether 2.2 found words for the extension; undefined where that is not known. */
  readonly printed: boolean | undefined;
}

/**
 * The extensions that OpenSSL 0.9.8 to 1.0.2 has words for (crypto/x509v3/ext_dat.h: standard_exts). 2.2 looks at no other, so
 * that the test is false whatever the certificate says (2.2 ssl_expr_eval.c: ssl_extlist_by_oid, X509V3_EXT_print); 2.4 prints
 * the value itself (ssl_engine_vars.c: ssl_ext_list, dump_extn_value).
 */
const PRINTED = new Set([
  ...[14, 15, 16, 17, 18, 19, 20, 21, 23, 24, 27, 28, 29, 30, 31, 32, 33, 35, 36, 37, 46, 54].map((last) => `2.5.29.${last}`), // prettier-ignore
  ...[1, 2, 3, 4, 7, 8, 12, 13].map((last) => `2.16.840.1.113730.1.${last}`),
  ...['1.1', '1.11', '1.14', '48.1.2', '48.1.3', '48.1.4', '48.1.5', '48.1.6', '48.1.7'].map((last) => `1.3.6.1.5.5.7.${last}`), // prettier-ignore
  '1.3.101.1.4.1',
]);

/** Extensions for which it depends on the release of OpenSSL, or on how it was built. */
const SOMETIMES_PRINTED = new Set([
  '1.3.6.1.5.5.7.1.7',
  '1.3.6.1.5.5.7.1.8',
  '1.3.6.1.4.1.11129.2.4.2',
  '1.3.6.1.4.1.11129.2.4.3',
]);

/** @param tokens of an expression that 2.2 accepts */
export function extensionTests(tokens: readonly Token22[]): readonly ExtensionTest[] {
  return tokens.flatMap(({ kind, text }, i) => {
    if (kind !== 'word' || !/^oid$/i.test(text)) return [];
    // word in OID ( string ), where the word may be file ( string ).
    const isFunction = tokens[i - 2]?.kind === 'sign' && tokens[i - 2]?.text === ')';
    const [first, argument, last] = [tokens[i - (isFunction ? 5 : 2)], tokens[i + 2], tokens[i + 3]];
    if (first === undefined || argument === undefined) return [];
    // After file("x"), three tokens end the argument.
    const end = argument.text === 'file' && argument.kind === 'word' ? tokens[i + 6] : last;
    return end === undefined
      ? []
      : [{ start: first.start, end: end.end, name: argument.text, printed: isPrinted(argument) }];
  });
}

function isPrinted({ kind, text }: Token22): boolean | undefined {
  if (kind === 'sign') return false;
  if (kind !== 'string' || text.includes('\\')) return undefined;
  const number = text
    .slice(1, -1)
    .split(/[. ]/)
    .map((part) => part.replace(/^0+(?=[0-9])/, ''))
    .join('.');
  // 2.2 takes numbers only, 2.4 names too.
  return SOMETIMES_PRINTED.has(number) ? undefined : PRINTED.has(number);
}

/** Why such a test becomes `false`. */
export function unseenText(name: string): string {
  return `2.2 saw no extension ${name}, because OpenSSL has no words for it, and the test was always false; 2.4 would see it: false is written, and "in PeerExtList(${name})" asks for it`;
}
