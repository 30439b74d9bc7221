import type { Transform } from '../../src/engine';
import rewriteCond from './rewrite-cond';
import rewriteInAlias from './rewrite-in-alias';
import rewriteLock from './rewrite-lock';
import rewriteRuleOwnHost from './rewrite-rule-own-host';
import rewriteRuleQuestionMark from './rewrite-rule-question-mark';
import rewriteRuleUnsafe from './rewrite-rule-unsafe';

export const rewrite: readonly Transform[] = [
  rewriteCond,
  rewriteRuleOwnHost,
  rewriteRuleUnsafe,
  rewriteLock,
  rewriteRuleQuestionMark,
  rewriteInAlias,
];
