import type { CommandEntry, OptionEntry, WordKind } from './command-tree';

export function fishCompletion(tree: CommandEntry): string {
  const names = tree.commands.map(({ name }) => name);
  const complete = (condition: string, words: string): string =>
    `complete -c ${tree.name}${condition === '' ? '' : ` -n '${condition}'`} ${words}`;
  const lines = [tree, ...tree.commands].flatMap((command) => {
    const isProgram = command === tree;
    const condition = isProgram ? '__httpd_codemod_in' : `__httpd_codemod_in ${command.name}`;
    const [argument] = command.arguments;
    const last = command.arguments.at(-1) ?? argument;
    return [
      ...(isProgram
        ? command.commands.map(({ name, description }) =>
            complete('__httpd_codemod_first', `-a ${name} -d ${quoted(description)}`),
          )
        : []),
      ...(argument === undefined || isProgram
        ? []
        : [
            complete(
              condition,
              `${last?.value.kind === 'file' ? '' : '-f '}${valueOf(argument.value)}`.trim(),
            ),
          ]),
      ...[...command.options, ...command.runOptions].map((option) =>
        complete(condition, optionWords(option)),
      ),
    ];
  });
  return `# fish completion for ${tree.name}: ${tree.name} completion fish | source
function __httpd_codemod_command
    for word in (commandline -opc)[2..-1]
        if contains -- $word ${names.join(' ')}
            echo $word
            return
        end
    end
end

# Whether the command line is one of this command, or of none.
function __httpd_codemod_in
    set -l command (__httpd_codemod_command)
    test "$command" = "$argv[1]"
end

function __httpd_codemod_first
    test -z (__httpd_codemod_command; or echo '')
end

${lines.filter((line) => line.length > 0).join('\n')}
`;
}

function optionWords({ short, long, description, value }: OptionEntry): string {
  const words = [
    ...(short === undefined ? [] : [short.length === 2 ? `-s ${short.slice(1)}` : `-o ${short.slice(1)}`]),
    ...(long === undefined ? [] : [`-l ${long.slice(2)}`]),
    `-d ${quoted(description)}`,
    ...(value === undefined ? [] : ['-r', valueOf(value)]),
  ];
  return words.filter((word) => word !== '').join(' ');
}

function valueOf(value: WordKind): string {
  switch (value.kind) {
    case 'words':
      return `-f -a '${value.words.join(' ')}'`;
    case 'file':
      return '-F';
    case 'directory':
      return `-f -a '(__fish_complete_directories)'`;
    case 'any':
      return '-f';
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", `\\'`)}'`;
}
