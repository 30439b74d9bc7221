/** A report without the line breaks and the indentation that the width of a terminal brings: for what a test looks for in it. */
export function unbroken(report: string): string {
  return report.replaceAll(/(?: \\)?\n +(?=\S)(?![$~!?+>i] |\d )/g, ' ');
}
