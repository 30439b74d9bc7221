import { byText } from './by-text';

/** The contents of the capturing groups of a regular expression; the whole pattern comes first. */
export const groupsOf = byText((pattern): readonly string[] => {
  const groups = [pattern];
  const open: { readonly index: number; readonly at: number }[] = [];
  for (const { 0: found, index } of pattern.matchAll(
    /\\[^]|\[\^?\]?(?:\\[^]|[^\]\\])*\]|\(\?[:=!>a-z-]*|[()]/g,
  )) {
    if (found === '(') {
      open.push({ index: groups.length, at: index + 1 });
      groups.push('');
    } else if (found.startsWith('(?')) open.push({ index: -1, at: index });
    else if (found === ')') {
      const start = open.pop();
      if (start !== undefined && start.index > 0) groups[start.index] = pattern.slice(start.at, index);
    }
  }
  return groups;
});
