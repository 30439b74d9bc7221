import { defineTransform } from '../../src/engine';
import { FACTS, sinceRelease } from '../../src/httpd/facts';
import { isCarriedOver } from '../common/lines';
import { withStatus } from '../common/seen-requests';
import { hasOtherAnswers } from '../common/servers';

const ON_ERROR = withStatus(400, 599);

export default defineTransform({
  id: 'expires-on-errors',
  changes: ['F27'],
  title: 'Expires on error pages of programs, backends and files sent as they are',
  why: '2.2 adds Expires and Cache-Control to every answer of a program, a backend or a file that is sent as it is, even to its error pages. Since 2.4.10, pages with a status of 400 or above get neither.',
  docs: ['mod_expires: ExpiresActive', 'modules/metadata/mod_expires.c: expires_filter'],
  lifeSpan: FACTS['expires-not-on-errors'],
  advisory: true,
  onlyWhenUpgrading: true,
  run(context) {
    const isActive = context.index.someDirective(['ExpiresActive'], ({ args }) =>
      /^on$/i.test(args[0]?.value ?? ''),
    );
    if (!isActive || !hasOtherAnswers(context.index)) return;
    context.index.someDirective(['ExpiresDefault', 'ExpiresByType'], (node, place) => {
      if (!isCarriedOver(place)) return false;
      context.report({
        file: place.file,
        at: node.from,
        level: 'info',
        message: `${sinceRelease('expires-not-on-errors')} error pages of programs, backends and files sent as they are (send-as-is) get no Expires and Cache-Control from this and other lines: have the program send them, or add them with Header always, if caches are to keep such pages`,
        concerns: ON_ERROR,
        isForMore: true,
      });
      return true;
    });
  },
});
