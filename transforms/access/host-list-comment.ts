import { defineTransform } from '../../src/engine';
import { FACTS } from '../../src/httpd/facts';
import { hasPlaceholder } from '../../src/syntax';
import { eachRemainingLine } from './remaining-lines';

export default defineTransform({
  id: 'host-list-comment',
  changes: [],
  title: 'Words with # in Allow and Deny lines that stay',
  why: 'httpd has no comments at the end of a line. 2.2 read a word with # as a host name that never matches; since 2.4.32 mod_access_compat refuses such a word. Where access is rewritten, these words are dropped. This rule reports the lines that stay.',
  docs: ['modules/aaa/mod_access_compat.c: allow_cmd'],
  lifeSpan: FACTS['host-list-comment-refused'],
  advisory: true,
  isAboutAccess: true,
  task: () => ({
    text: 'move comments behind Allow and Deny to lines of their own: their words are read as host names',
  }),
  run() {},
  runOnResult(context) {
    eachRemainingLine(context, ['Allow', 'Deny'], /#/, (node, { file, at }) => {
      const host = node.args.slice(1).find(({ value }) => /^(?!env=)[^/]*#[^/]*$/i.test(value))?.value;
      if (host === undefined || hasPlaceholder(host)) return;
      context.report({
        file,
        at,
        level: 'error',
        message: `${host} is read as a host name, and mod_access_compat refuses it since 2.4.32: move the comment to a line of its own`,
      });
    });
  },
});
