/** Released patch levels to tell apart: 2.2.0 was the first of 2.2, 2.4.1 the first of 2.4. */
const RANGES = { '2.2': [0, 99], '2.4': [1, 99] } as const;

/**
 * What `<IfVersion words>` says on any server of a line; undefined when it depends on the patch level, or httpd would refuse it
 * (modules/metadata/mod_version.c: start_ifversion, the same in both).
 */
export function evaluateVersion(words: readonly string[], line: keyof typeof RANGES): boolean | undefined {
  const [operator = '', operand = ''] = words.length === 1 ? ['=', words[0]] : words;
  const parsed = /^(!?)(==?|>=?|<=?|~)$/.exec(operator);
  if (parsed === null || words.length > 2) return undefined;
  const test = versionTest(parsed[2] ?? '', operand);
  if (test === undefined) return undefined;
  const [major = 0, minor = 0] = line.split('.').map(Number);
  const [first, last] = RANGES[line];
  const result = test(major, minor, first);
  for (let patch = first + 1; patch <= last; patch++) {
    if (test(major, minor, patch) !== result) return undefined;
  }
  return result !== (parsed[1] === '!');
}

type Test = (major: number, minor: number, patch: number) => boolean;

function versionTest(operator: string, operand: string): Test | undefined {
  const slashed = operator.startsWith('=') ? /^\/(.+)\/$/s.exec(operand)?.[1] : undefined;
  const source = operator === '~' ? operand : slashed;
  if (source !== undefined) {
    const regex = compile(source);
    return regex && ((...version) => regex.test(version.join('.')));
  }
  // What is left out counts as 0: `2.4` is 2.4.0, not "any 2.4".
  const number = /^(\d+)(?:\.(\d+)(?:\.(\d+))?)?$/.exec(operand);
  if (number === null) return undefined;
  const [major, minor, patch] = [1, 2, 3].map((i) => Number(number[i] ?? 0)) as [number, number, number];
  return (...version) => {
    const order = version[0] - major || version[1] - minor || version[2] - patch;
    if (operator.startsWith('=')) return order === 0;
    if (order === 0) return operator.endsWith('=');
    return operator.startsWith('>') ? order > 0 : order < 0;
  };
}

/** Only what PCRE and JavaScript read alike. */
function compile(source: string): RegExp | undefined {
  if (!/^(?:[\w.^$*+?|(){}[\],-]|\\[.d])*$/.test(source) || source.includes('(?')) return undefined;
  try {
    return new RegExp(source);
  } catch {
    return undefined;
  }
}
