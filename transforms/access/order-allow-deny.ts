import {
  type AccessFinding,
  accessBasis,
  ASSUMPTION_KEYS,
  checkRewrites,
  differenceFindings,
  LOG_QUESTION,
  strictSummary,
  translateAccess,
  WHO_GETS_IN,
} from '../../src/access';
import { defineTransform, type Task } from '../../src/engine';
import type { ConfigFile } from '../../src/config';
import type { Edit } from '../../src/edit';
import { getOrInsert } from '../../src/maps';
import { appendAll } from '../../src/syntax';
import { requireNotAlone } from './require-not-alone';
import { saidInComment } from './said-in-comment';

/** What a person is asked about sections in which lines for both versions meet, by the key of the answer. */
const QUESTIONS: Readonly<Record<string, Task>> = {
  __proto__: null!,
  'old-lines': {
    text: 'say how the old sites are to answer: as they did on 2.2, or as 2.4 does today (old-lines=as-today)',
    option: '--answer old-lines=as-on-2.2',
    joint: 'old and new lines',
  },
  'half-converted': {
    text: 'say how half-converted sections are to answer: as their lines for 2.4 say, or as 2.4 does today (half-converted=as-today)',
    option: '--answer half-converted=as-2.4-lines',
    joint: 'old and new lines',
  },
};

export default defineTransform({
  id: 'order-allow-deny',
  changes: ['A01', 'A03', 'A04', 'A05', 'A07', 'A02', 'A06', 'A17', 'A19', 'M02', 'M07'],
  title: 'Order, Allow, Deny, Satisfy and Require become Require trees',
  why: '2.2 decides access from host lists, Require and Satisfy, each inherited separately; 2.4 decides it from one tree of Require lines. With mod_access_compat, the old lines can let in people whom 2.2 refused.',
  docs: ['mod_authz_core: Require', 'mod_authz_host', 'mod_access_compat'],
  directives: [
    'Order',
    'Allow',
    'Deny',
    'Satisfy',
    'Require',
    'AuthzGroupFileAuthoritative',
    'AuthzUserAuthoritative',
    'AuthzDBMAuthoritative',
    'AuthzOwnerAuthoritative',
    'AuthzLDAPAuthoritative',
  ],
  assumes: ASSUMPTION_KEYS,
  questions: [
    LOG_QUESTION,
    { key: 'old-lines', choices: 'as-on-2.2 or as-today', accepts: /^as-(?:on-2\.2|today)$/ },
    { key: 'half-converted', choices: 'as-2.4-lines or as-today', accepts: /^as-(?:2\.4-lines|today)$/ },
    { key: 'placeholder', choices: 'ip, host or any', accepts: /^(?:ip|host|any)$/ },
  ],
  advisoryOnResult: true,
  isAboutAccess: true,
  task: ({ level, safety, remedy, question = '' }) =>
    QUESTIONS[question] ??
    (safety === 'strict' || (level === 'error' && remedy !== undefined) ? WHO_GETS_IN : undefined),
  run(context) {
    const taken = new Map<ConfigFile, Edit[]>();
    for (const finding of translateAccess(context.tree, context.dual)) {
      appendAll(
        getOrInsert(taken, finding.file, () => []),
        finding.edits,
      );
      const said = saidInComment(finding);
      context.report(said === undefined ? finding : { ...finding, group: said.group });
      if (said !== undefined) context.report(said);
    }
    for (const finding of requireNotAlone(context, (file) => taken.get(file) ?? [])) context.report(finding);
  },
  runOnResult({ tree, result, outcomes, report }) {
    const applied = outcomes.filter(
      ({ rule, status }) => rule === 'order-allow-deny' && status === 'applied',
    );
    const strict = applied.filter(({ safety }) => safety === 'strict');
    const [first] = strict;
    if (first !== undefined) {
      const { file, at } = first;
      report({
        file,
        at,
        level: 'error',
        message: strictSummary(strict.length),
        task: WHO_GETS_IN,
        sumsUpStrict: true,
      });
    }
    // What is left as it is has been told of.
    const isTold = (finding: AccessFinding): boolean =>
      outcomes.some(
        ({ rule, level, status, file, at }) =>
          rule === 'order-allow-deny' &&
          level === 'error' &&
          status === 'none' &&
          file === finding.file &&
          at === finding.at,
      );
    for (const finding of differenceFindings(tree, result, applied))
      if (!isTold(finding)) report(finding.level === 'error' ? { ...finding, task: WHO_GETS_IN } : finding);
  },
  check: checkRewrites,
  basis: accessBasis,
});
