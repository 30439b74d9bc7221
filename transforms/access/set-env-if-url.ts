import { defineTransform, type TransformContext } from '../../src/engine';
import { appendAll, type Directive } from '../../src/syntax';
import { OR_ASK_AGAIN } from '../common/access-lines';
import { eachLine, reportLines } from '../common/lines';
import { accessVariables, errorPageOf, redirectOf } from './access-variables';

export default defineTransform({
  id: 'set-env-if-url',
  changes: ['A24'],
  title: 'Access by a variable that SetEnvIf sets from the URL, and internal redirects',
  why: 'After an internal redirect, SetEnvIf looks at the new URL. 2.2 then checked access again where a <Location> or a <Files> was met, or the new file lies in another directory. 2.4 checks it only if other sections are met than before, so that whoever gets in by the first URL gets what it is redirected to.',
  docs: ['server/request.c: ap_process_request_internal', 'mod_setenvif: SetEnvIf'],
  advisory: true,
  onlyWhenUpgrading: true,
  run(context) {
    const asked = accessVariables(context);
    if (asked.size === 0) return;
    const changing = changingVariables(context);
    reportLines(context, ['SetEnvIf', 'SetEnvIfNoCase'], (node) => {
      const [attribute, settings] = wordsOf(node);
      const name = settings.map(nameIn).find((variable) => asked.has(variable.toLowerCase()));
      if (name === undefined || !isOfRequest(attribute, changing)) return undefined;
      // Only the page of an error is asked for by another method.
      const redirect = attribute === 'request_method' ? undefined : redirectOf(context);
      const follows = redirect ?? errorPageOf(context);
      if (follows === undefined) return undefined;
      const origin = attribute === 'request_method' ? 'the method' : 'the URL';
      return {
        level: redirect?.isAsked === true ? 'error' : 'warning',
        changesAccess: true,
        message: `${name} decides about access and is set from ${origin}, and ${follows.name} leads to other URLs: 2.2 asked about these more often than 2.4 does; look whether everybody who is let in for the first URL may have what it leads to, ${OR_ASK_AGAIN}`,
      };
    });
  },
});

function wordsOf(node: Directive): [attribute: string, settings: readonly string[]] {
  const [attribute = '', , ...settings] = node.args.map(({ value }) => value);
  return [attribute.toLowerCase(), settings];
}

/** What SetEnvIf looks at that is another for another URL: a redirect also names variables anew. */
const OF_URL = /^(?:request_uri|redirect_.*)$/;

function isOfRequest(attribute: string, changing: ReadonlySet<string>): boolean {
  return attribute === 'request_method' || OF_URL.test(attribute) || changing.has(attribute);
}

/** Variables that SetEnvIf sets from the URL, or from one of them, in lower case. */
function changingVariables(context: TransformContext): ReadonlySet<string> {
  const setFrom = new Map<string, string[]>();
  eachLine(context, ['SetEnvIf', 'SetEnvIfNoCase'], (node) => {
    const [attribute, settings] = wordsOf(node);
    const names = settings.map((setting) => nameIn(setting).toLowerCase());
    const before = setFrom.get(attribute);
    if (before === undefined) setFrom.set(attribute, names);
    else appendAll(before, names);
  });
  const found = new Set<string>();
  const toFollow = [...setFrom.keys()].filter((attribute) => OF_URL.test(attribute));
  for (let attribute = toFollow.pop(); attribute !== undefined; attribute = toFollow.pop())
    for (const name of setFrom.get(attribute) ?? []) {
      if (found.has(name)) continue;
      found.add(name);
      toFollow.push(name);
    }
  return found;
}

/** The name in `name=value` or `!name`. */
function nameIn(setting: string): string {
  return setting.replace(/^!|=.*$/gs, '');
}
