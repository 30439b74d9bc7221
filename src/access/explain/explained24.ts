import type { State24 } from '../models';
import { type Scope, isRead } from '../policy';
import type { AccessRequest, Answer } from '../primitives';
import type { Line } from './explained';

/** A Require line or a container of the rewrite, `depth` containers deep. */
export interface Line24 {
  readonly text: string;
  readonly depth: number;
}

/** The Require lines of a section with the containers and Limits around them, as 2.4 reads them. */
export function linesOf24(scope: Scope, request: Pick<AccessRequest, 'config'>): Line24[] {
  const lines: Line24[] = scope.merging.flatMap(({ node, inner }) =>
    node.kind === 'directive' && inner.every(({ section }) => isRead(section, request))
      ? [{ text: `${node.name} ${node.rest}`, depth: 0 }]
      : [],
  );
  for (const { node } of scope.ssl) lines.push({ text: `${node.name} ${node.rest}`.trimEnd(), depth: 0 });
  const open = new Set<object>();
  for (const { node, inner } of scope.lines24) {
    if (node.kind !== 'directive' || !inner.every(({ section }) => isRead(section, request))) continue;
    const around = inner.filter(({ section }) => /^(?:require|limit)/.test(section.key));
    around.forEach(({ section }, depth) => {
      if (open.has(section)) return;
      open.add(section);
      lines.push({
        text: `<${section.name}${section.open.rest === '' ? '' : ` ${section.open.rest}`}>`,
        depth,
      });
    });
    lines.push({ text: `${node.name} ${node.rest}`, depth: around.length });
  }
  return lines;
}

/** Lines that 2.4 does not know without mod_access_compat. */
export function leftLines(scope: Scope): Line[] {
  return scope.old.flatMap(({ node, file }) =>
    node.kind === 'directive'
      ? [
          {
            text: `${node.name} ${node.rest}`,
            file: file.name,
            line: file.document.positionAt(node.from).line,
          },
        ]
      : [],
  );
}

/** Why 2.4 gives its answer, in words. */
export function reason24(
  { tree, ssl }: State24,
  answer: Answer,
  { user, tls }: Pick<AccessRequest, 'user' | 'tls'>,
  place?: { readonly section: string; readonly file: string; readonly line: number },
): string {
  if (ssl && tls === false) return 'SSLRequireSSL refuses what comes without TLS';
  if (tree === undefined)
    return answer === 'E' ? 'an AuthType is in effect, and no Require' : 'no Require is in effect';
  const from = place === undefined ? '' : ` of ${place.section} at ${place.file}:${place.line}`;
  switch (answer) {
    case 'P':
      return `the Require lines${from} grant it`;
    case 'U':
      return user === undefined
        ? `the Require lines${from} ask for a user`
        : `the Require lines${from} do not admit ${user}`;
    case 'F':
      return `the Require lines${from} deny it, whoever the user is`;
    case 'E':
      return `the Require lines${from} ask for a user, and no AuthType says how`;
    case '?':
      return `what a Require line${from} says`;
  }
}
