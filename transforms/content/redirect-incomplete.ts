import { advice } from '../common/advice';
import { groupsOf } from '../common/words';
import { isAtServerLevel, isUnknown } from '../common/lines';
import { matchingRule } from '../common/seen-requests';

export default advice({
  id: 'redirect-incomplete',
  changes: ['F30'],
  title: 'RedirectMatch to something that is neither a URL nor a path',
  why: 'At server level, 2.2 logs an error and sends the target as it is, and browsers look for it below the page that they asked for. 2.4 answers 500, as both versions do in sections and .htaccess files.',
  docs: ['mod_alias: RedirectMatch', 'modules/mappers/mod_alias.c: translate_alias_redir'],
  names: ['RedirectMatch'],
  level: 'warning',
  messageFor: ({ args }, place) => {
    if (!isAtServerLevel(place) || args.length < 2) return undefined;
    const words = args.map(({ value }) => value);
    const status = words.length > 2 ? words[0]! : '';
    if (/^(?:gone|[0-2456789][0-9]*)$/i.test(status)) return undefined;
    const [pattern = '', target = ''] = words.slice(-2);
    if (/^(?:gone|[0-9]{3})$/i.test(pattern) || isUnknown(target)) return undefined;
    const start = startOf(pattern, target);
    return start === 'whole'
      ? undefined
      : {
          message: `2.4 answers 500${start === 'unknown' ? ' where the result of this redirect has neither a scheme nor a slash in front' : ` instead of a redirect to ${target}, which has neither a scheme nor a slash in front`}; 2.2 sent it as it was: write a whole URL, or a path that begins with a slash`,
          concerns: matchingRule(pattern, false, ''),
        };
  },
});

/** What a redirect leads to: a whole URL or path, something else, or what the request decides. */
function startOf(pattern: string, target: string): 'whole' | 'other' | 'unknown' {
  if (target.startsWith('/') || /^[A-Za-z][A-Za-z0-9+.-]*:/.test(target)) return 'whole';
  const reference = /^\$([0-9])/.exec(target)?.[1];
  if (reference === undefined) return /^[$%]/.test(target) ? 'unknown' : 'other';
  if (reference === '0') return 'whole';
  const group = groupsOf(pattern)[Number(reference)] ?? '';
  const isFirst = pattern.replace(/^\^/, '').startsWith(`(${group}`);
  return isFirst || /^(?:\(\?:)?(?:\/|https?:)/.test(group) ? 'whole' : 'unknown';
}
