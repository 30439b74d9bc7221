import { FACTS, sinceRelease } from '../../src/httpd/facts';
import { advice } from '../common/advice';

export default advice({
  id: 'ssl-pass-phrase-dialog',
  changes: ['S17'],
  title: 'What a program of SSLPassPhraseDialog is told',
  why: "The program gets the server and the kind of the key, RSA, DSA or ECC, as arguments. In 2.2 that is the key's real kind. Since 2.4.10 it is the position of the key in its virtual host: RSA for the first, DSA for the second, ECC for the third.",
  docs: ['mod_ssl: SSLPassPhraseDialog', 'modules/ssl/ssl_engine_pphrase.c: ssl_pphrase_Handle_CB'],
  lifeSpan: FACTS['ssl-key-by-position'],
  names: ['SSLPassPhraseDialog'],
  level: 'info',
  messageFor: ({ args }) =>
    /^exec:./.test(args[0]?.value ?? '')
      ? `${sinceRelease('ssl-key-by-position')} the second argument of this program is RSA for the first key of a virtual host, DSA for the second and ECC for the third, whatever their kind: check it if the keys are of other kinds or in another order`
      : undefined,
});
