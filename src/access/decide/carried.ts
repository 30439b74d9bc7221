import { type Frame, conditionOf } from '../../config';
import { findDirective } from '../../httpd/directives';
import { findModule } from '../../httpd/modules';
import type { Directive, Node } from '../../syntax';
import { SCOPES, needsCompat } from '../collect';
import { type Scope, conditionUnder } from '../policy';
import { EMPTY_LIST } from '../primitives';
import type { AccessRun } from '../report';

/** A line that says how users are asked and looked up (AuthType, AuthName, AuthUserFile): both versions read it the same. */
interface AuthLine {
  readonly key: string;
  readonly value: string;
  readonly inner: readonly Frame[];
}

/**
 * The blocks for 2.2 in a section that are opened for 2.4, so that it reads the lines about users that are left in them.
 * @returns undefined where that cannot be: the blocks hold something else, or lines for 2.4 alone name other users
 */
export function carriedBlocks(scope: Scope, collected: AccessRun['collected']): readonly Frame[] | undefined {
  const { file, section, lines } = scope;
  for (const { inner } of lines.only22)
    for (const frame of inner) if (!isReadBy24(frame) && !isReadBy22(frame, collected)) return undefined;
  const whole = section?.body ?? file.document.body;
  if (!whole.some((node) => node.kind === 'section' && SCOPES[node.key] === undefined)) return EMPTY_LIST;
  const all = authLinesIn(whole, []);
  const for22 = all.filter(({ inner }) => !inner.every(isReadBy24) && inner.every(mayBeReadBy22));
  const only24 = all.filter(({ inner }) => inner.every(isReadBy24) && !inner.every(mayBeReadBy22));
  const valuesOf = (wanted: string): ReadonlySet<string> =>
    new Set(all.flatMap(({ key, value }) => (key === wanted ? value : [])));
  const isReadBy22Too = (wanted: string): boolean =>
    all.some(({ key, inner }) => key === wanted && inner.every(mayBeReadBy22));
  if (only24.some(({ key }) => !isReadBy22Too(key) || valuesOf(key).size > 1)) return undefined;
  const nodes = new Set<Node>(lines.only22.map(({ node }) => node));
  const isCarried = (node: Node): boolean =>
    node.kind === 'section'
      ? SCOPES[node.key] === undefined && node.close !== undefined && node.body.every(isCarried)
      : node.kind !== 'directive' || nodes.has(node) || isOfUsers(node);
  const blocks = [...new Set(for22.flatMap(({ inner }) => inner.filter((frame) => !isReadBy24(frame))))];
  return blocks.every((frame) => isReadBy22(frame, collected) && isCarried(frame.section))
    ? blocks
    : undefined;

  function authLinesIn(body: readonly Node[], inner: readonly Frame[]): readonly AuthLine[] {
    return body.flatMap((node): readonly AuthLine[] => {
      if (node.kind === 'section')
        return SCOPES[node.key] === undefined
          ? authLinesIn(node.body, [...inner, { file, section: node }])
          : [];
      return node.kind === 'directive' && isOfUsers(node) ? [{ key: node.key, value: node.rest, inner }] : [];
    });
  }
}

/** Whether both versions know a line, and it says how users are asked and looked up. */
function isOfUsers({ key }: Directive): boolean {
  if (!key.startsWith('auth') || key === 'authmerging' || needsCompat(key)) return false;
  const info = findDirective(key);
  return info !== undefined && info.owners22.length > 0 && info.owners24.length > 0;
}

export function isReadBy24({ section }: Frame): boolean {
  return conditionUnder(section).after !== false;
}

function mayBeReadBy22({ section }: Frame): boolean {
  return conditionUnder(section).before !== false;
}

/** Whether the 2.2 of the run surely reads a block. */
export function isReadBy22({ section }: Frame, { loadModules }: AccessRun['collected']): boolean {
  const { on22 } = conditionOf(section);
  if (on22 !== undefined) return on22;
  const module = section.key === 'ifmodule' ? findModule(section.open.rest) : undefined;
  return module !== undefined && loadModules.includes(module.identifier);
}
