import { type CommandEntry, commandTree, type OptionEntry } from '../../src/cli/manual';
import { commandLine, HELP_SECTIONS } from '../../src/cli/options';
import type { Transform } from '../../src/engine';

/** Where a guide says more about an option or a command, by its long name. */
const GUIDES: Readonly<Record<string, string>> = {
  '--write': 'writing',
  '--backup': 'writing',
  '--follow': 'writing',
  '--configtest': 'writing',
  undo: 'writing',
  '--interactive': 'interactive',
  '--only': 'interactive',
  '--plan': 'plan',
  apply: 'plan',
  lsp: 'editor',
  report: 'fleet',
  '--answer': 'answers',
  '--format': 'report#formats',
  '--fail-on': 'report#levels-and-kinds',
  '--safe-only': 'report#levels-and-kinds',
  '--exact': 'report#levels-and-kinds',
  '--explain': 'explain',
  why: 'explain',
  debug: 'explain#why-does-the-tool-say-that',
  '--dual': 'both-versions',
  '--no-dual': 'both-versions',
  '--exclude': 'leaving-alone',
  '--honour-ignores': 'leaving-alone',
  '--config': 'leaving-alone#the-project-file',
  '--no-config': 'leaving-alone#the-project-file',
  hook: 'hook',
  collect: 'index#what-collect-takes',
};

/** What the help has no room for, by the long name of an option. */
const NOTES: Readonly<Record<string, string>> = {
  '--write': 'All files of the diff or none; owner, mode and attributes stay.',
  '--rule': '`httpd-codemod rules` lists them.',
  '--color': '`NO_COLOR` is respected.',
  '--modules': 'Modules compiled in there are not loaded, and missing ones are reported.',
  '--server-root': "It counts instead of the configuration's own `ServerRoot`.",
  '--stdin-name': 'The name is looked up in ignore files.',
  '--pin-defaults': 'Without it, a finding names the defaults that matter.',
  '--null': '`find -print0` writes such names.',
  '--exclude': 'Syntax of `.gitignore`, for paths below the working directory and for full paths.',
  '--output': 'A file of the configuration is refused.',
};

/** The page of all commands and options, from the command line as it is defined: what `--help` says, with links. */
export function commandLinePage(transforms: readonly Transform[]): string {
  const tree = commandTree(
    commandLine(''),
    transforms.map(({ id }) => id),
  );
  const named = new Set([...tree.options.map(({ long }) => long), ...tree.commands.map(({ name }) => name)]);
  const unknown = Object.keys({ ...GUIDES, ...NOTES }).filter((name) => !named.has(name));
  if (unknown.length > 0) throw new Error(`no option or command is called ${unknown.join(' or ')}`);
  const lines = [
    '# The command line',
    '',
    '```text',
    `${tree.name} [options] ${termsOf(tree)}`,
    ...tree.commands.map((command) => `${tree.name} ${command.name} ${termsOf(command)}`.trimEnd()),
    '```',
    '',
    '## Options',
    '',
    ...tree.options.map(optionItem),
    '',
    '## Commands',
    '',
    'Options of a run go before or after a command. Those that mean nothing to it are refused.',
    ...tree.commands.flatMap(commandLines),
    '',
    ...HELP_SECTIONS.flatMap(({ title, text }) => [`## ${title}`, '', '```text', text, '```', '']),
    '## In a shell',
    '',
    '`httpd-codemod completion bash|zsh|fish` prints what completes commands, options, rules and files. In `~/.bashrc`:',
    '',
    '```text',
    'eval "$(httpd-codemod completion bash)"',
    '```',
  ];
  return `${lines.join('\n')}\n`;
}

const termsOf = ({ arguments: places }: CommandEntry): string => places.map(({ term }) => term).join(' ');

const more = (name: string | undefined): string => {
  const [page, id] = (GUIDES[name ?? ''] ?? '').split('#');
  return page === '' ? '' : ` [More](guides/${page}.md${id === undefined ? '' : `#${id}`})`;
};

function optionItem({ flags, description, long, initial }: OptionEntry): string {
  const note = NOTES[long ?? ''];
  const sentences = [
    `${escaped(description)}.`,
    ...(initial === undefined ? [] : [`Default: \`${initial}\`.`]),
    ...(note === undefined ? [] : [note]),
  ];
  return `- \`${flags}\`: ${sentences.join(' ')}${more(long)}`;
}

function commandLines(command: CommandEntry): string[] {
  const { name, description, arguments: places, options, listedRunOptions } = command;
  return [
    '',
    `### ${name}`,
    '',
    `${escaped(description.charAt(0).toUpperCase() + description.slice(1))}.${more(name)}`,
    '',
    ...places.map(({ term, description: text }) => `- \`${term}\`: ${escaped(text)}`),
    ...[...options, ...listedRunOptions].filter(({ long }) => long !== '--help').map(optionItem),
  ];
}

const escaped = (text: string): string => text.replace(/[<>|*_[\]]/g, '\\$&');
