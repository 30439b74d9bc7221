import { defineTransform } from '../../src/engine';
import { reportLines } from '../common/lines';

export default defineTransform({
  id: 'cookie-tracking',
  changes: ['F19'],
  title: 'CookieTracking cookies do not name the client',
  why: "2.2 makes the cookie from the client's host name or address and the time; 2.4 makes it from a random number and the time. The contents of UNIQUE_ID changed too. Both are as unique as before. 2.4 sends the cookie with error pages and redirects too, so that Header lines without always do not change it.",
  docs: ['mod_usertrack', 'modules/metadata/mod_usertrack.c: make_cookie'],
  advisory: true,
  onlyWhenUpgrading: true,
  run(context) {
    let isOn = false;
    reportLines(context, ['CookieTracking'], (node) => {
      if (node.args[0]?.value.toLowerCase() !== 'on') return undefined;
      isOn = true;
      return {
        level: 'info',
        message:
          'in 2.4 the cookie begins with a random number instead of the host name or address of the client: check programs that read the client from it; it is sent with error pages and redirects, too',
      };
    });
    if (!isOn) return;
    reportLines(context, ['Header'], (node) => {
      const [first = '', ...others] = node.args.map(({ value }) => value);
      if (/^always$/i.test(first)) return undefined;
      const [action = '', name = ''] = /^onsuccess$/i.test(first) ? others : [first, ...others];
      if (!/^set-cookie:?$/i.test(name) || !/^(?:append|edit\*?|merge|set|unset)$/i.test(action))
        return undefined;
      return {
        level: 'warning',
        message: `this line no longer changes the cookie of CookieTracking in 2.4: add the same line with always after Header, which changes cookies of programs, too`,
      };
    });
  },
});
