import { replaceLine } from '../../src/edit';
import { lineRule } from '../common/line-rule';

export default lineRule({
  id: 'cookie-log',
  changes: ['R09'],
  title: 'CookieLog becomes CustomLog',
  stops: true,
  why: '2.4 does not know CookieLog; 2.2 wrote the same as CustomLog with the format "%{Cookie}n \\"%r\\" %t".',
  docs: ['mod_usertrack: Logging', 'modules/loggers/mod_log_config.c: set_cookie_log (2.2)'],
  directives: ['CookieLog'],
  findingFor(node, { file }) {
    const [log, ...more] = node.args;
    if (log === undefined || more.length > 0)
      return {
        level: 'error',
        message: '2.4 does not know CookieLog: use CustomLog with the format "%{Cookie}n \\"%r\\" %t"',
      };
    const target = file.document.text.slice(log.start, log.end).replace(/^(["']?)\|(?![|$])/, '$1|$$');
    return {
      level: 'error',
      safety: 'safe',
      message: '2.4 does not know CookieLog: CustomLog with the same format replaces it',
      edits: [replaceLine(file.document, node, [`CustomLog ${target} "%{Cookie}n \\"%r\\" %t"`])],
    };
  },
});
