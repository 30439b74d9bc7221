/** A text with a mistake in it. */
export interface Mistake {
  readonly at: number;
  readonly text: string;
}

/** What could be wrong with the words of a `Require` line: `[what is there, what stands in its place]`. */
const WRONG: readonly (readonly [RegExp, string])[] = [
  [/all granted$/i, 'all denied'],
  [/all denied$/i, 'all granted'],
  [/(?<=^ip (?:.* )?)\d+(?:\.\d+)*(?:\/\d+)?$/i, '192.0.2.9'],
  [/(?<=^ip .*\d)$/i, ' 192.0.2.0/24'],
  // The first address stays in, or nothing but the range around it is added.
  [/(?<=^ip .*\d)\/24$/i, '/25'],
  [/(?<=^ip .*\d)\/24$/i, '/23'],
  [/(?<=^ip .*\d)\/24$/i, ''],
  [/(?<=^ip (?:.* )?\d+(?:\.\d+){0,2})$/i, '.0'],
  [/(?<=^(?:user|group) .*)[\w]+$/i, 'zed'],
  [/(?<=^(?:user|group) .*\w)$/i, ' zoe'],
  [/^valid-user$/i, 'user zed'],
  [/(?<=^env )\w+/i, 'other'],
  [/(?<=^method )\w+/i, 'MOVE'],
  [/=~/, '!~'],
  [/!~/, '=~'],
  [/^not /i, ''],
  [/^(?=(?:ip|env|user|group) )/i, 'not '],
];

/** The texts that one wrong word makes of a configuration for 2.4, and those without one of its `Require` lines. */
export function mistakesIn(text: string): Mistake[] {
  const found: Mistake[] = [];
  for (const { index, 0: line, 1: start = '', 2: words = '' } of text.matchAll(/^([ \t]*Require )(.*)$/gm)) {
    const put = (replacement: string): void => {
      found.push({ at: index, text: text.slice(0, index) + replacement + text.slice(index + line.length) });
    };
    put('');
    const bare = words.replace(/^not /i, '');
    const sign = words.slice(0, words.length - bare.length);
    for (const [pattern, replacement] of WRONG)
      if (pattern.source.startsWith('^not')) {
        if (sign !== '') put(start + bare);
      } else if (pattern.test(bare) && !(sign !== '' && replacement === 'not '))
        put(start + sign + bare.replace(pattern, replacement));
  }
  return found;
}
