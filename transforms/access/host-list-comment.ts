import { defineTransform } from '../../src/engine';
import { FACTS } from '../../src/httpd/facts';
import { isUnknown } from '../shared/lines';
import { eachLeft } from './left-as-given';

export default defineTransform({
  id: 'host-list-comment',
  changes: [],
  title: 'Words with # in Allow and Deny lines that stay',
  why: 'httpd has no comments at the end of a line. 2.2 read a word with # as a host name, which never matches; since 2.4.32 mod_access_compat refuses it. Where access is rewritten, such words are dropped. This rule reports the lines that stay.',
  docs: ['modules/aaa/mod_access_compat.c: allow_cmd'],
  lifeSpan: FACTS['host-list-comment-refused'],
  advisory: true,
  directives: [],
  run() {},
  runOnResult(context) {
    eachLeft(context, ['Allow', 'Deny'], /#/, (node, { file, at }) => {
      const word = node.args.slice(1).find(({ value }) => /^(?!env=)[^/]*#[^/]*$/i.test(value))?.value;
      if (word === undefined || isUnknown(word)) return;
      context.report({
        file,
        at,
        level: 'error',
        safety: 'manual',
        message: `since 2.4.32 mod_access_compat refuses ${word}: what is meant as a comment needs a line of its own`,
        edits: [],
      });
    });
  },
});
