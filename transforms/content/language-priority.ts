import { FACTS, sinceRelease } from '../../src/httpd/facts';
import { advice } from '../common/advice';

export default advice({
  id: 'language-priority',
  changes: ['F45'],
  title: 'LanguagePriority with capital letters',
  why: 'AddLanguage and type maps have languages in small letters, whatever is written there. 2.2 compares LanguagePriority with them letter by letter, so that a name with a capital is never found; since 2.4.38 it is.',
  docs: [
    'mod_negotiation: LanguagePriority',
    'CHANGES 2.4.38',
    'modules/mappers/mod_negotiation.c: set_default_lang_quality, find_lang_index',
  ],
  lifeSpan: FACTS['language-priority-case'],
  names: ['LanguagePriority'],
  level: 'warning',
  messageFor: ({ args }) => {
    // What stands behind others counts only for pages that have none of those: docs/facts/every-server.md tells of it.
    const name = args[0]?.value ?? '';
    if (!/[A-Z]/.test(name)) return undefined;
    return `2.2 never found ${name} of LanguagePriority, because of its capital letters; ${sinceRelease('language-priority-case')} it counts: remove it if pages are to be chosen as before`;
  },
});
