import type { Io } from '../io';

/**
 * Text of which GitHub Actions takes no line for a command: it reads the output of every step, and a configuration or a name
 * could hold `::error::` or `##[`. The lines added stand before and behind a diff, where git and patch pass them over.
 */
export function withoutCommands(text: string, env: Io['env']): string {
  if (env['GITHUB_ACTIONS'] !== 'true' || !/^[ \t]*::|##\[/m.test(text)) return text;
  const token = crypto.randomUUID();
  return `::stop-commands::${token}\n${text}${text.endsWith('\n') ? '' : '\n'}::${token}::\n`;
}
