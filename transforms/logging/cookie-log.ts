import { replaceLine } from '../../src/edit';
import { defineTransform } from '../../src/engine';
import { eachLine } from '../common/lines';

export default defineTransform({
  id: 'cookie-log',
  changes: ['R09'],
  title: 'CookieLog becomes CustomLog',
  why: '2.4 does not know CookieLog; 2.2 wrote the same as CustomLog with the format "%{Cookie}n \\"%r\\" %t".',
  docs: ['mod_usertrack: Logging', 'modules/loggers/mod_log_config.c: set_cookie_log (2.2)'],
  directives: ['CookieLog'],
  run(context) {
    eachLine(context, ['CookieLog'], (node, { file }) => {
      const { text } = file.document;
      const [log, ...more] = node.args;
      const common = { file, at: node.from, level: 'error' as const };
      if (log === undefined || more.length > 0)
        return context.report({
          ...common,
          safety: 'manual',
          message: '2.4 does not know CookieLog: use CustomLog with the format "%{Cookie}n \\"%r\\" %t"',
        });
      const logArgument = text.slice(log.start, log.end).replace(/^(["']?)\|(?![|$])/, '$1|$$');
      return context.report({
        ...common,
        safety: 'safe',
        message: '2.4 does not know CookieLog: CustomLog with the same format replaces it',
        edits: [replaceLine(file.document, node, [`CustomLog ${logArgument} "%{Cookie}n \\"%r\\" %t"`])],
      });
    });
  },
});
