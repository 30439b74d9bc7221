import { readWords } from '../../syntax';
import { type State24, evaluateExpr } from '../models';
import type { Node24, State } from '../policy';
import { addressIn, addressMatches } from '../primitives';
import { STRANGERS } from './axes';
import { type Complete, Names, hostsText, maskText, peopleText, requireText } from './policytext';
import type { Target } from './witness';

/** More words than this make a text that takes longer than to ask the requests. */
const MAX_WORDS = 16;

/** `authz`, `tree` and `when` are of the other reading alone. */
type Before = Complete<
  State,
  | 'hosts'
  | 'requires'
  | 'satisfy'
  | 'authType'
  | 'authorizers'
  | 'authNone'
  | 'ssl'
  | 'authz'
  | 'tree'
  | 'when'
>;
type After = Complete<State24, 'tree' | 'authType' | 'ssl'>;

/**
 * Everything that the answers of both models hang on, as one text: equal for two questions only if they are the same but for the names
 * of their addresses, users and groups. A name stands in it as a number, and which address lies in which stands at its end.
 * @returns undefined where there is too much of it to be worth while
 */
export function questionKey(before: Before, after: After, target: Target): string | undefined {
  const { hosts, requires, satisfy, authType, authorizers, authNone, ssl } = before;
  const { tree, authType: authType24, ssl: ssl24 } = after;
  const names = new Names();
  let key = `${authType} ${authNone} ${ssl?.kind} ${authType24} ${ssl24}\n`;
  if (hosts !== undefined) key += hostsText(hosts, names, MAX_WORDS);
  if (requires !== undefined) for (const line of requires) key += requireText(line, names);
  for (const [method, value] of satisfy) key += `${value} ${method}\n`;
  for (const [module, { authoritative, configured }] of authorizers)
    key += `${module} ${authoritative} ${configured}\n`;
  if (tree !== undefined) key += `\n${nodeText(tree, names, target)}`;
  return names.size > MAX_WORDS ? undefined : `${key}\n${overlaps(names)}\n${names.legend}`;
}

function nodeText(node: Node24, names: Names, target: Target): string {
  const sign = node.negated ? '!' : '';
  if (node.kind === 'container') {
    let text = `${sign}${node.op}(`;
    for (const child of node.children) text += nodeText(child, names, target);
    return `${text})\n`;
  }
  const { provider } = node;
  let { args } = node;
  // All that an expression can ask is the file name and the URL.
  if (provider === 'expr') args = `${evaluateExpr(args, target)}`;
  else if (provider === 'user' || provider === 'group') args = peopleText(args, names);
  else if (provider === 'ip') {
    args = '';
    for (const { value } of readWords(node.args)) {
      if (names.size > MAX_WORDS) break;
      args += `#${names.of(value)} `;
    }
  }
  return `${sign}${provider}\n${args}\n${node.masks.map(maskText).join('\n')}\n`;
}

/** Which of the words each client is in that is made of one of them, and those that are made of none. */
function overlaps(names: Names): string {
  let text = '';
  for (const word of names.words) {
    for (const address of STRANGERS) if (addressMatches(word, address)) text += `${address} `;
    const own = addressIn(word);
    if (own === undefined) text += '-';
    else for (const other of names.words) text += addressMatches(other, own) ? '1' : '0';
  }
  return text;
}
