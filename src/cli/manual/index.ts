import type { Transform } from '../../engine/types';
import { encode } from '../../report';
import { commandLine, type Shell } from '../options';
import { bashCompletion } from './bash';
import { type CommandEntry, commandTree } from './command-tree';
import { fishCompletion } from './fish';
import { zshCompletion } from './zsh';

export { commandTree, type CommandEntry, type OptionEntry } from './command-tree';
export { manPage } from './man-page';

const SCRIPTS: Readonly<Record<Shell, (tree: CommandEntry) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

/** What a shell is to read so that it completes the command line: a byte string. */
export function completionScript(
  shell: Shell,
  version: string,
  transforms: readonly Pick<Transform, 'id'>[],
): string {
  const rules = transforms.map(({ id }) => id);
  return encode(SCRIPTS[shell](commandTree(commandLine(version), rules)));
}
