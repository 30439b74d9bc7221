import { loadRereadable, memory } from '../../src/config';
import { type RunOptions, type RunResult, run } from '../../src/engine';
import { transforms } from '../../transforms';

/** Where lines of 2.2 and of 2.4 meet, the text is to say what a 2.4 with mod_access_compat answers. */
export const AS_TODAY = ['old-lines', 'half-converted'].map((key) => ({
  key,
  value: true,
  choice: 'as-today',
  reason: 'the server with mod_access_compat is what it is compared with',
}));

/** Runs all transforms over files in memory (absolute path → latin1 text), verification included. */
export function convertFiles(
  files: Readonly<Record<string, string>>,
  paths: readonly string[] = Object.keys(files),
  options: RunOptions = {},
  defines: readonly string[] = [],
): RunResult {
  const source = memory(new Map(Object.entries(files)));
  const load = {
    defines: new Map(defines.map((name) => [name, ''])),
    env: new Map<string, string>(),
    cwd: '/',
  };
  return run(loadRereadable(source, paths, load), transforms, options);
}

/**
 * Runs all transforms over one text, as the file `path`, and returns the new text.
 * @throws Error where the run fails
 */
export function convertText(text: string, path = '/httpd.conf'): string {
  const result = convertFiles({ [path]: text });
  if (result.failure !== undefined) throw new Error(result.failure);
  return textAfter(result, path)!;
}

/** The text of one file after the run. */
export function textAfter(result: RunResult, path: string): string | undefined {
  const change = result.plan.find((planned) => planned.file.path === path);
  return change?.text ?? result.tree.files.find((file) => file.path === path)?.document.text;
}
