/** What a line of a template does that asks for the version, or that stands behind such a line. */
export type VersionLine = '2.2' | '2.4' | 'else' | 'end' | 'other';

/** Any mention of a version with a second number; the first of two is not the only one. */
const NUMBER = /\b2\.([234])\b(?!\.[1-9])/g;

/** @returns undefined where the line is none of a template */
export function versionLine(line: string): VersionLine | undefined {
  if (!/^(?:<%|\{%)/.test(line) || !/(?:%>|%\})$/.test(line)) return undefined;
  const text = line
    .slice(2, -2)
    .replace(/^[-+]|[-+]$/g, '')
    .replace(/[ \t]+/g, ' ')
    .trim();
  if (text.startsWith('=')) return undefined;
  if (/^(?:end|endif)$/.test(text)) return 'end';
  if (text === 'else') return 'else';
  const asked = /^(?:if|elsif|elif) (.*)$/.exec(text)?.[1];
  if (asked === undefined || !/apache|httpd/i.test(asked) || !/version/i.test(asked)) return 'other';
  // More than one question, or one that is turned round, is not read.
  if (/&|\||\band\b|\bor\b|\bnot\b|![^=]/.test(asked)) return 'other';
  const numbers = [...asked.matchAll(NUMBER)];
  const operators = [...asked.matchAll(/[<>]=?|[!=]==?/g)];
  if (numbers.length !== 1 || operators.length !== 1) return 'other';
  const minor = Number(numbers[0]![1]);
  const holds = (running: number): boolean => isSo(running - minor, operators[0]![0]);
  return holds(2) === holds(4) ? 'other' : holds(2) ? '2.2' : '2.4';
}

function isSo(difference: number, operator: string): boolean {
  if (operator.startsWith('=')) return difference === 0;
  if (operator.startsWith('!')) return difference !== 0;
  if (difference === 0) return operator.endsWith('=');
  return operator.startsWith('<') === difference < 0;
}
