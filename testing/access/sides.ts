import { clientsFrom, conditionalSettings, targetsFor, valuesToTry } from '../../src/access/verify';
import { collect, factsOf } from '../../src/access/collect';
import { decider22, state22 } from '../../src/access/models';
import { matchScopes } from './answers';
import { type ConfigTree, readingOf } from '../../src/config';
import { parse } from '../../src/syntax';

const MAX_TARGETS = 60;
const MAX_CLIENTS = 200;

/**
 * Whether 2.2 takes two trees for the same one: line by line, but for the place of access lines in their section, and by its
 * model's answers. Undefined where it does, else what differs.
 */
export function differsFor22(before: ConfigTree, after: ConfigTree): string | undefined {
  for (const { path, document } of before.files) {
    const other = after.files.find((file) => file.path === path);
    const renewed = parse(other?.document.text ?? '', '2.2');
    if (renewed.flaws > document.flaws) return `${path}: 2.2 would refuse a line`;
    const [a, b] = [accessFirst(readingOf(document, '2.2')), accessFirst(readingOf(renewed, '2.2'))];
    const i = Math.max(a.length, b.length) === 0 ? -1 : a.findIndex((line, at) => line !== b[at]);
    if (i >= 0 || a.length !== b.length) return `${path}: 2.2 would read "${b[i]}" for "${a[i]}"`;
  }
  const [old, renewed] = [collect(before), collect(after)];
  const facts = factsOf(old, before);
  const targets = old.scopes.flatMap((scope) => targetsFor(scope, old.scopes, old.mapping));
  for (const target of targets.slice(0, MAX_TARGETS))
    for (const config of conditionalSettings(old.scopes)) {
      const [stateBefore, stateAfter] = [old, renewed].map(({ scopes }) =>
        state22(matchScopes(scopes, { ...target, config } as never), facts, config),
      );
      for (const client of clientsFrom(valuesToTry([stateBefore!, stateAfter!], []), MAX_CLIENTS)) {
        const request = { ...target, ...client, config };
        if (decider22(stateBefore!, facts)(request) !== decider22(stateAfter!, facts)(request))
          return `${request.method} ${target.uri} (${target.filename}) from ${request.address}: 2.2 would answer differently`;
      }
    }
  return undefined;
}

/**
 * The lines of a reading with the access lines of each section in front of its others, by their names: 2.2 decides once it has
 * all of them.
 */
export function accessFirst(reading: readonly string[]): string[] {
  const bodies: { access: string[]; others: string[] }[] = [{ access: [], others: [] }];
  for (const line of reading) {
    const isEnd = line.startsWith('</');
    if (isEnd && bodies.length > 1) {
      const { access, others } = bodies.pop()!;
      bodies.at(-1)!.others.push(...byName(access), ...others);
    }
    const { access, others } = bodies.at(-1)!;
    (/^(?:allow|deny|order|require|satisfy) /.test(line) ? access : others).push(line);
    if (line.startsWith('<') && !isEnd) bodies.push({ access: [], others: [] });
  }
  return bodies.flatMap(({ access, others }) => [...byName(access), ...others]);
}

/** Lines of one name stay in their order. */
function byName(lines: readonly string[]): string[] {
  const nameOf = (line: string): string => line.slice(0, line.indexOf(' '));
  return [...lines].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : nameOf(a) > nameOf(b) ? 1 : 0));
}
