import type { Transform } from '../../src/engine';
import rewriteCond from './rewrite-cond';
import rewriteCondVary from './rewrite-cond-vary';
import rewriteInAlias from './rewrite-in-alias';
import rewriteLeadingSlashes from './rewrite-leading-slashes';
import rewriteLock from './rewrite-lock';
import rewriteRedirectQuery from './rewrite-redirect-query';
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
  rewriteLeadingSlashes,
  rewriteCondVary,
  rewriteRedirectQuery,
  rewriteVariable,
];
