import { asksAboutEachUrl } from '../../src/access';
import type { Place } from '../../src/config';
import { defineTransform, type TransformContext } from '../../src/engine';
import type { Directive } from '../../src/syntax';
import { OR_ASK_AGAIN } from '../common/access-lines';
import { isAtServerLevel, reportLines } from '../common/lines';
import { flagsOf, rewriteWords } from '../common/words';
import { type AccessVariable, accessVariables, redirectOf } from './access-variables';

export default defineTransform({
  id: 'access-variable-changes',
  changes: ['A24'],
  title: 'Access by a variable that is another for what a request leads to',
  why: 'An internal redirect puts REDIRECT_ in front of the names of variables, [E=…] of a RewriteRule at server level is for one URL, and SetEnv comes after the check of access. Where a <Location> or a <Files> is met, 2.2 asked again about a redirect, an index file or a part of a page; 2.4 does so only if other sections are met than before.',
  docs: [
    'server/request.c: ap_process_request_internal',
    'http_request.c: rename_original_env',
    'mod_rewrite: RewriteRule',
    'mod_env: SetEnv',
  ],
  advisory: true,
  onlyWhenUpgrading: true,
  run(context) {
    const asked = accessVariables(context);
    if (asked.size === 0 || !asksAboutEachUrl(context.tree, undefined)) return;
    reportRenamed(context, asked);
    reportLines(context, ['RewriteRule', 'SetEnv', 'PassEnv'], (node, place) => {
      const variable = namesSet(node)
        .map((name) => asked.get(name.toLowerCase()))
        .find((found) => found !== undefined);
      const problem = variable && problemOf(context, variable, node, place);
      if (problem === undefined) return undefined;
      return {
        level: 'error',
        changesAccess: true,
        message: `${variable!.name} decides about access, and ${problem}, ${OR_ASK_AGAIN}`,
      };
    });
  },
});

/** What an internal redirect sets keeps nobody out of the first URL. */
function reportRenamed(context: TransformContext, asked: ReadonlyMap<string, AccessVariable>): void {
  for (const [key, { name, keepsOut }] of asked) {
    const redirect = key.startsWith('redirect_') && keepsOut !== undefined ? redirectOf(context) : undefined;
    if (redirect?.isAsked !== true) continue;
    context.report({
      file: keepsOut!.file,
      at: keepsOut!.node.from,
      level: 'error',
      changesAccess: true,
      message: `${name} is set for what ${redirect.name} leads to, which 2.2 refused here: 2.4 asks about that only where other sections are met than for the first URL; limit it in a <Location> of its own, ${OR_ASK_AGAIN}`,
    });
  }
}

function problemOf(
  context: TransformContext,
  { letsIn, keepsOut }: AccessVariable,
  node: Directive,
  place: Place,
): string | undefined {
  if (node.key !== 'rewriterule' || !isAtServerLevel(place))
    return keepsOut === undefined
      ? undefined
      : `is set here only when a request has been let in: 2.2 then refused its index file and the parts of its page, and 2.4 asks about these only where other sections are met; set it by SetEnvIf`;
  if (keepsOut !== undefined)
    return 'is set here for some URLs: 2.2 also asked about them where they are an index file, a part of a page or what a redirect leads to, and 2.4 does so only where other sections are met; limit them in a <Location> of their own';
  const redirect = letsIn && redirectOf(context);
  return redirect?.isAsked === true
    ? `is set here for some URLs, and ${redirect.name} leads to others: 2.2 asked about these, and 2.4 does so only where other sections are met; look whether everybody who is let in for the first URL may have what it leads to`
    : undefined;
}

/** The variables that a line sets. */
function namesSet(node: Directive): readonly string[] {
  if (node.key === 'rewriterule')
    return flagsOf(rewriteWords(node)[2])
      .filter(({ key }) => key === 'e' || key === 'env')
      .map(({ value }) => value.replace(/:.*$/s, ''));
  const names = node.args.map(({ value }) => value);
  return node.key === 'setenv' ? names.slice(0, 1) : names;
}
