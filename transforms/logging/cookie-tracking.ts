import { defineTransform } from '../../src/engine';
import { isCarriedOver } from '../common/lines';

export default defineTransform({
  id: 'cookie-tracking',
  changes: ['F19'],
  title: 'CookieTracking cookies do not name the client',
  why: "2.2 makes the cookie from the client's host name or address and the time; 2.4 makes it from a random number and the time. The contents of UNIQUE_ID changed too. Both are as unique as before.",
  docs: ['mod_usertrack', 'modules/metadata/mod_usertrack.c: make_cookie'],
  advisory: true,
  directives: [],
  onlyWhenUpgrading: true,
  run(context) {
    context.directives(['CookieTracking'], (node, place) => {
      if (node.args[0]?.value.toLowerCase() !== 'on' || !isCarriedOver(place)) return;
      context.report({
        file: place.file,
        at: node.from,
        level: 'info',
        safety: 'manual',
        message:
          'in 2.4 the cookie begins with a random number instead of the host name or address of the client: check programs that read the client from it',
        edits: [],
      });
    });
  },
});
