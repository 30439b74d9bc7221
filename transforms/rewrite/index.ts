import type { Transform } from '../../src/engine';
import rewriteCond from './rewrite-cond';
import rewriteInAlias from './rewrite-in-alias';
import rewriteLock from './rewrite-lock';
import rewriteRuleNoSlash from './rewrite-rule-no-slash';
import rewriteRuleOwnHost from './rewrite-rule-own-host';
import rewriteRuleQuestionMark from './rewrite-rule-question-mark';
import rewriteRuleUnsafe from './rewrite-rule-unsafe';
import rewriteVariable from './rewrite-variable';

export const rewrite: readonly Transform[] = [
  rewriteCond,
  rewriteRuleOwnHost,
  rewriteRuleUnsafe,
  rewriteLock,
  rewriteRuleQuestionMark,
  rewriteInAlias,
  rewriteRuleNoSlash,
  rewriteVariable,
];
