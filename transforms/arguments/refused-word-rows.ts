import { knownValues, refusedByBoth } from './refused-by-both-rows';
import type { StrictArgument } from './strict-argument-rows';

/** A directive whose words are all of a list, in any case, that 2.4 and 2.2 have in their sources. */
interface WordList {
  readonly names: readonly string[];
  /** What either version takes. */
  readonly words: RegExp;
  /** What a word that is not among them is not. */
  readonly what: string;
  readonly source: string;
  readonly examples: readonly string[];
  readonly accepted: readonly string[];
}

const LISTS: readonly WordList[] = [
  {
    names: ['FileETag'],
    words: /^[-+]?(?:none|all|inode|mtime|size|digest)$/i,
    what: 'part of an ETag',
    source: 'server/core.c: set_etag_bits',
    examples: ['FileETag MTime Sise', 'FileETag Off'],
    accepted: ['FileETag none', 'FileETag -INode +mtime', 'FileETag All'],
  },
  {
    names: ['SSLOptions'],
    // CompatEnvVars has a finding of its own.
    words:
      /^[-+]?(?:stdenvvars|compatenvvars|exportcertdata|fakebasicauth|strictrequire|optrenegotiate|legacydnstringformat)$/i,
    what: 'option of mod_ssl',
    source: 'modules/ssl/ssl_engine_config.c: ssl_cmd_SSLOptions',
    examples: ['SSLOptions +StdEnvVar', 'SSLOptions FakeBasicAuth Strict'],
    accepted: ['SSLOptions +stdenvvars -ExportCertData', 'SSLOptions OptRenegotiate StrictRequire'],
  },
  {
    names: ['SSLVerifyClient'],
    words: /^(?:none|off|optional|require|on|optional_no_ca)$/i,
    what: 'way to ask for a certificate',
    source: 'modules/ssl/ssl_engine_config.c: ssl_cmd_verify_parse',
    examples: ['SSLVerifyClient required', 'SSLVerifyClient 1'],
    accepted: ['SSLVerifyClient None', 'SSLVerifyClient optional_no_ca'],
  },
  {
    names: ['ServerSignature'],
    words: /^(?:on|off|email)$/i,
    what: 'signature (On, Off, EMail)',
    source: 'server/core.c: set_signature_flag',
    examples: ['ServerSignature None', 'ServerSignature Prod'],
    accepted: ['ServerSignature EMail', 'ServerSignature off'],
  },
  {
    names: ['MultiviewsMatch'],
    words: /^(?:any|negotiatedonly|filters|handlers)$/i,
    what: 'kind of extension (Any, NegotiatedOnly, Filters, Handlers)',
    source: 'modules/http/mod_mime.c: multiviews_match',
    examples: ['MultiviewsMatch All', 'MultiviewsMatch Handlers Filter'],
    accepted: ['MultiviewsMatch any', 'MultiviewsMatch Handlers Filters'],
  },
  {
    names: ['ForceLanguagePriority'],
    words: /^(?:none|prefer|fallback)$/i,
    what: 'choice of a language (None, Prefer, Fallback)',
    source: 'modules/mappers/mod_negotiation.c: set_force_priority',
    examples: ['ForceLanguagePriority On', 'ForceLanguagePriority Prefer Fall'],
    accepted: ['ForceLanguagePriority prefer Fallback', 'ForceLanguagePriority None'],
  },
];

/** What Header and RequestHeader may do, as 2.4 has it: more than 2.2. */
const ACTION = /^(?:add|set|setifempty|append|merge|unset|echo|note|edit\*?)$/i;

const CONDITION = /^(?:always|onsuccess)$/i;

/** Words of which neither version takes others than these. */
export const REFUSED_WORDS: readonly StrictArgument[] = [
  ...LISTS.map(({ words, what, ...row }) =>
    refusedByBoth(
      {
        ...row,
        linePattern: /[^ \t]/,
        in22: `refuses what is no ${what}, too`,
        in24: `refuses what is no ${what}`,
        at: 'directory',
      },
      ({ args }) => {
        const wrong = knownValues(args).find((value) => !words.test(value));
        return wrong === undefined ? undefined : `"${wrong}", which is no ${what}`;
      },
    ),
  ),
  refusedByBoth(
    {
      names: ['Header', 'RequestHeader'],
      linePattern: /[ \t]/,
      in22: 'refuses what is no action on a header, too',
      in24: 'refuses what is no action on a header',
      source: 'modules/metadata/mod_headers.c: header_inout_cmd',
      at: 'directory',
      examples: ['Header sets X-A b', 'RequestHeader remove X-A', 'Header always put X-A b'],
      accepted: ['Header always Set X-A b', 'RequestHeader unset X-A', 'Header onsuccess append X-A b'],
    },
    ({ key, args }) => {
      const skipped = key === 'header' && CONDITION.test(args[0]?.value ?? '') ? 1 : 0;
      const [action] = knownValues(args.slice(skipped, skipped + 1));
      return action === undefined || ACTION.test(action) ? undefined : `"${action}", which is no action on a header`;
    },
  ),
]; // prettier-ignore
