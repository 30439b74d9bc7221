import type { Transform } from '../../engine/types';
import { encode } from '../../report';
import { commandLine, HELP_SECTIONS } from '../options';
import { type ArgumentEntry, type CommandEntry, commandTree, type OptionEntry } from './command-tree';

/** The manual page, as troff with the man macros: a byte string. */
export function manPage(version: string, transforms: readonly Pick<Transform, 'id'>[]): string {
  const tree = commandTree(
    commandLine(version),
    transforms.map(({ id }) => id),
  );
  const sections = HELP_SECTIONS.flatMap(({ title, text }) => [
    `.SH ${title.toUpperCase()}`,
    ...bodyOf(text),
  ]);
  const lines = [
    `.TH HTTPD\\-CODEMOD 1 "" "${tree.name} ${version}" "User Commands"`,
    '.SH NAME',
    `${troff(tree.name)} \\- convert the configuration of Apache httpd 2.2 for 2.4`,
    '.SH SYNOPSIS',
    ...synopsis(tree.name, tree),
    ...tree.commands.flatMap((command) => ['.br', ...synopsis(`${tree.name} ${command.name}`, command)]),
    '.SH DESCRIPTION',
    troff(tree.description),
    '.SH OPTIONS',
    ...tree.options.flatMap(optionLines),
    '.SH COMMANDS',
    'Options of a run go before or after a command. Those that mean nothing to it are refused.',
    ...tree.commands.flatMap(commandLines),
    ...sections,
    '.SH SEE ALSO',
    '.BR httpd (8),',
    'https://httpd.apache.org/docs/2.4/upgrading.html',
  ];
  return encode(`${lines.join('\n')}\n`);
}

function synopsis(name: string, command: CommandEntry): readonly string[] {
  const terms = command.arguments.map(({ term }) => ` ${troff(term)}`).join('');
  return [`.B ${troff(name)}`, `[\\fIoption\\fR...]${terms}`];
}

function commandLines(command: CommandEntry): readonly string[] {
  const { name, description, arguments: places, options, listedRunOptions } = command;
  const terms = places.map(({ term }) => ` ${term}`).join('');
  return [
    `.SS ${troff(name + terms)}`,
    troff(`${description.charAt(0).toUpperCase()}${description.slice(1)}.`),
    ...places.flatMap(argumentLines),
    ...[...options, ...listedRunOptions].flatMap(optionLines),
  ];
}

function argumentLines({ term, description }: ArgumentEntry): readonly string[] {
  return ['.TP', `.I ${troff(term)}`, troff(description)];
}

function optionLines({ flags, description }: OptionEntry): readonly string[] {
  return ['.TP', `.B ${troff(flags)}`, troff(description)];
}

/** Lines that begin with blanks are kept; the others are filled. */
function bodyOf(text: string): readonly string[] {
  const lines: string[] = [];
  let isKept = false;
  for (const line of text.split('\n')) {
    const keep = line.startsWith(' ');
    if (keep !== isKept) lines.push(keep ? '.nf' : '.fi');
    isKept = keep;
    lines.push(troff(line));
  }
  return isKept ? [...lines, '.fi'] : lines;
}

/** A text as troff reads it: a backslash is one, a dash is the one of the keyboard, and no line is taken for a macro. */
function troff(text: string): string {
  const plain = text.replaceAll('\\', '\\e').replaceAll('-', '\\-');
  return /^[.']/.test(plain) ? `\\&${plain}` : plain;
}
