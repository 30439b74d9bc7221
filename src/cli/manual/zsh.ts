import { shellQuoted } from '../../shell-word';
import type { ArgumentEntry, CommandEntry, OptionEntry, WordKind } from './command-tree';

/** The completion for zsh: a file of the fpath, or to be evaluated. */
export function zshCompletion(tree: CommandEntry): string {
  const names = tree.commands.map(({ name }) => name);
  return `#compdef ${tree.name}
# zsh completion for ${tree.name}: write it to a file _${tree.name} in a directory of $fpath, or
# eval "$(${tree.name} completion zsh)"

_httpd_codemod_first() {
    local -a commands
    commands=(
${tree.commands.map(({ name, description }) => `        ${shellQuoted(`${name}:${description}`)}`).join('\n')}
    )
    _describe -t commands command commands
    _files
}

_httpd_codemod() {
    local word command=
    for word in \${words[2,CURRENT-1]}; do
        case $word in
            (${names.join('|')}) command=$word; break ;;
        esac
    done
    case $command in
${tree.commands.map((command) => commandCase(command, names)).join('\n')}
        (*)
            _arguments -S ${argumentsOf(tree, ["'1:path:_httpd_codemod_first'"])} ;;
    esac
}

if [ "$funcstack[1]" = _${tree.name} ]; then
    _httpd_codemod "$@"
elif (( $+functions[compdef] )); then
    compdef _httpd_codemod ${tree.name}
fi
`;
}

function commandCase(command: CommandEntry, names: readonly string[]): string {
  return `        (${command.name})
            _arguments -S ${argumentsOf(command, [`'1:command:(${names.join(' ')})'`])} ;;`;
}

/** @param first what stands before the arguments: the command itself */
function argumentsOf(command: CommandEntry, first: readonly string[]): string {
  const options = [...command.options, ...command.runOptions].flatMap(optionSpecs);
  const places = command.arguments.map(({ isVariadic, value, term }: ArgumentEntry, i) =>
    shellQuoted(`${isVariadic ? '*' : i + 2}:${escaped(term)}:${actionOf(value)}`),
  );
  return [...options, ...first, ...places].map((spec) => `\\\n                ${spec}`).join(' ');
}

/** For instance `--format=[output format]:format:(text json)`, for each spelling. */
function optionSpecs({ short, long, description, isRepeatable, value }: OptionEntry): string[] {
  const text = `[${escaped(description).replaceAll('[', '\\[').replaceAll(']', '\\]')}]`;
  const action = value === undefined ? '' : `:value:${actionOf(value)}`;
  const repeat = isRepeatable ? '*' : '';
  return [
    ...(short === undefined
      ? []
      : [shellQuoted(`${repeat}${short}${value === undefined ? '' : '+'}${text}${action}`)]),
    ...(long === undefined
      ? []
      : [shellQuoted(`${repeat}${long}${value === undefined ? '' : '='}${text}${action}`)]),
  ];
}

function actionOf(value: WordKind): string {
  switch (value.kind) {
    case 'words':
      return `(${value.words.join(' ')})`;
    case 'file':
      return '_files';
    case 'directory':
      return '_files -/';
    case 'any':
      return ' ';
  }
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll(':', '\\:');
}
