/** A block of commands in a guide. */
export interface CommandBlock {
  /** Number of the first line, from 1. */
  readonly line: number;
  readonly text: string;
  /** What the last command of the block exits with. */
  readonly status: number;
  /** The machine that it is typed on; undefined where the guide has one alone. */
  readonly on: string | undefined;
}

/**
 * The blocks of a Markdown text that begin with ```` ```sh ````; behind that may stand `on=old`, the machine, and `exit=1`, the
 * status of its last command. Other blocks show what is printed, or lines of a configuration.
 */
export function commandBlocks(markdown: string): readonly CommandBlock[] {
  const blocks: CommandBlock[] = [];
  const lines = markdown.split('\n');
  for (let i = 0; i < lines.length; i++) {
    const [, fence, language, rest = ''] = /^(`{3,})([a-z]*) ?(.*)$/.exec(lines[i]!) ?? [];
    if (fence === undefined) continue;
    const end = lines.indexOf(fence, i + 1);
    if (end < 0) throw new Error(`line ${i + 1}: the block is not closed`);
    if (/^(?:bash|shell|console|powershell|cmd|bat)$/.test(language ?? ''))
      throw new Error(`line ${i + 1}: commands that nothing runs: begin the block with \`\`\`sh`);
    if (language === 'sh') {
      const [, on, status = '0'] = /^(?:on=([a-z]+))? ?(?:exit=(\d+))?$/.exec(rest) ?? misread(rest, i + 1);
      blocks.push({ line: i + 2, text: lines.slice(i + 1, end).join('\n'), status: Number(status), on });
    }
    i = end;
  }
  return blocks;
}

function misread(rest: string, line: number): never {
  throw new Error(`line ${line}: ${rest} is no machine and status: on=NAME exit=N`);
}

/** The blocks as one bash script, which ends at the first that exits otherwise than it should: one shell, as a reader has. */
export function scriptOf(blocks: readonly CommandBlock[], name: string): string {
  return blocks
    .map(({ line, text, status }) => {
      const place = `${name}:${line}`;
      const commands =
        status === 0
          ? `set -e\n${text}\nset +e`
          : `set +e\n${text}\nended=$?\n[ $ended = ${status} ] || { echo "${place}: status $ended instead of ${status}"; exit 1; }`;
      return `trap 'ended=$?; [ $ended = 0 ] || echo "${place}: ended with status $ended"' EXIT\n${commands}\n`;
    })
    .join('');
}

/** The blocks that are typed on one machine before the next is turned to, in the order of the guide. */
export function visits(blocks: readonly CommandBlock[]): readonly (readonly CommandBlock[])[] {
  const found: CommandBlock[][] = [];
  for (const block of blocks) {
    const last = found.at(-1);
    if (last !== undefined && last[0]!.on === block.on) last.push(block);
    else found.push([block]);
  }
  return found;
}
