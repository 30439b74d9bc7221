import type { Place } from '../../src/config';
import { defineTransform, type TransformContext } from '../../src/engine';
import type { Directive } from '../../src/syntax';
import { eachLine, isAtServerLevel } from '../common/lines';
import { rewriteWords } from '../common/rewrite-words';

export default defineTransform({
  id: 'set-env-if-url',
  changes: ['A24'],
  title: 'Access by a variable that SetEnvIf sets from the URL, and internal redirects',
  why: 'After an internal redirect, SetEnvIf looks at the new URL. 2.2 then checked access again where a <Location> or a <Files> was met, or the new file lies in another directory. 2.4 checks it only if other sections are met than before, so that whoever gets in by the first URL gets what it is redirected to.',
  docs: ['server/request.c: ap_process_request_internal', 'mod_setenvif: SetEnvIf'],
  advisory: true,
  onlyWhenUpgrading: true,
  directives: [],
  run(context) {
    const asked = variablesOfAccess(context);
    const redirecting = asked.size === 0 ? undefined : redirectingLine(context);
    if (redirecting === undefined) return;
    eachLine(context, ['SetEnvIf', 'SetEnvIfNoCase'], (node, { file }) => {
      const [attribute, , ...settings] = node.args.map(({ value }) => value);
      if (attribute?.toLowerCase() !== 'request_uri') return;
      const name = settings.map(nameIn).find((variable) => asked.has(variable.toLowerCase()));
      if (name === undefined) return;
      context.report({
        file,
        at: node.from,
        level: 'warning',
        safety: 'manual',
        message: `${name} decides about access and is set from the URL, and ${redirecting.name} leads to other URLs: 2.2 asked about these more often than 2.4 does; look whether everybody who is let in for the first URL may have what it leads to`,
        edits: [],
      });
    });
  },
});

/** The variables that Allow and Deny ask for, in lower case. */
function variablesOfAccess(context: TransformContext): ReadonlySet<string> {
  const names = new Set<string>();
  eachLine(context, ['Allow', 'Deny'], ({ args }) => {
    for (const { value } of args) {
      const name = /^env=!?(.+)$/is.exec(value)?.[1];
      if (name !== undefined) names.add(name.toLowerCase());
    }
  });
  return names;
}

/** The name in `name=value` or `!name`. */
function nameIn(setting: string): string {
  return setting.replace(/^!|=.*$/gs, '');
}

/** The first line by which a request goes on to another URL of the same server. */
function redirectingLine(context: TransformContext): Directive | undefined {
  let found: Directive | undefined;
  eachLine(context, ['RewriteRule', 'Action'], (node, place) => {
    if (found === undefined && (node.key === 'action' || redirects(node, place))) found = node;
  });
  return found;
}

/** At server level mod_rewrite is there before access is checked, and redirects to nothing (mod_rewrite.c: hook_uri2file, hook_fixup). */
function redirects(node: Directive, place: Place): boolean {
  if (isAtServerLevel(place)) return false;
  const [, target, flags] = rewriteWords(node).map(({ text }) => text);
  if (target === undefined || target === '-') return false;
  return !/[[,] *(?:R(?:edirect)?(?:=[^,\]]*)?|F|forbidden|G|gone|P|proxy) *[,\]]/i.test(flags ?? '');
}
