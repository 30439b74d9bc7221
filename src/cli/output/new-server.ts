import type { RunResult } from '../../engine';
import type { NextStep } from '../../report';

/** Where packages of 2.2 have the configuration, and where those of 2.4 have theirs. */
const MOVES: readonly (readonly [before: string, after: string])[] = [
  ['/etc/apache2', '/etc/apache2'],
  ['/etc/httpd', '/etc/httpd'],
  ['/usr/local/etc/apache22', '/usr/local/etc/apache24'],
];

/** The directory where the package of 2.4 has its configuration; undefined where no package made that of 2.2. */
function packagedConfiguration({ tree }: RunResult): string | undefined {
  const names = tree.roots.map(({ name }) => name);
  return MOVES.find(([before]) => names.some((name) => name.startsWith(`${before}/`)))?.[1];
}

/** What is done with the converted tar of a server: its install.sh runs its steps.sh only where it merges two configurations. */
export function installStep(output: string, result: RunResult): NextStep {
  const into = packagedConfiguration(result);
  const option = into === undefined ? '' : ` --into ${into}`;
  const command = `sh converted/install.sh --check${option}`;
  const text = `copy ${output} to the new server and extract it there; this says what would be done, and without --check it is done`;
  return {
    text,
    command,
    withScript: (steps) => ({
      text:
        into === undefined
          ? `${text}; then run converted/steps.sh (${steps})`
          : `${text}, with ${steps} beside the text`,
      command,
    }),
  };
}

/** What is done with the tar that an old server was packed into: the steps beside the text are packed, too. */
export function packStep(command: string): NextStep {
  const text = 'make the tar for the new server';
  return {
    text,
    command,
    withScript: (steps) => ({ text: `${text}, with a script of ${steps} beside the text`, command }),
  };
}
