import type { ArgumentEntry, CommandEntry, OptionEntry, WordKind } from './command-tree';

/**
 * The completion for bash 3.2 and later. A word is split at `=` there (COMP_WORDBREAKS), so that the value of `--format=` is a
 * word of its own behind an `=`.
 */
export function bashCompletion(tree: CommandEntry): string {
  const names = tree.commands.map(({ name }) => name);
  return `# bash completion for ${tree.name}: eval "$(${tree.name} completion bash)"
_httpd_codemod() {
    local current=\${COMP_WORDS[COMP_CWORD]} option=\${COMP_WORDS[COMP_CWORD-1]} command= places=0 i
    if [[ $current == = ]]; then
        current=
    elif [[ $option == = ]]; then
        option=\${COMP_WORDS[COMP_CWORD-2]}
    fi
    for ((i = 1; i < COMP_CWORD; i++)); do
        case \${COMP_WORDS[i]} in
            =) ;;
            ${optionsWithValue(tree)
              .flatMap(({ names: spelled }) => spelled)
              .join('|')})
                if [[ \${COMP_WORDS[i+1]} == = ]]; then i=$((i + 2)); else i=$((i + 1)); fi ;;
            -?*) ;;
            ${names.join('|')})
                if [[ -z $command && $places == 0 ]]; then command=\${COMP_WORDS[i]}; else places=$((places + 1)); fi ;;
            *) places=$((places + 1)) ;;
        esac
    done
    COMPREPLY=()
    case $option in
${optionsWithValue(tree)
  .map(({ names: spelled, value }) => `        ${spelled.join('|')}) ${replyWith(value)}; return ;;`)
  .join('\n')}
    esac
    case $command in
${tree.commands.map((command) => commandCase(command.name, command, [])).join('\n')}
${commandCase('*', tree, names)}
    esac
}

_httpd_codemod_words() {
    local IFS=$' \\n'
    COMPREPLY=($(compgen -W "$1" -- "$current"))
}

# With compopt (4.0) bash quotes the names and adds slashes.
_httpd_codemod_files() {
    local IFS=$'\\n'
    compopt -o filenames 2>/dev/null
    COMPREPLY+=($(compgen -f -- "$current"))
}

_httpd_codemod_directories() {
    local IFS=$'\\n'
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -d -- "$current"))
}

complete -F _httpd_codemod ${tree.name}
`;
}

/** What is offered once the command is known: its options behind a dash, else its arguments. */
function commandCase(pattern: string, command: CommandEntry, more: readonly string[]): string {
  const options = [...command.options, ...command.runOptions].flatMap(namesOf);
  const places = command.arguments.map((argument, i) => placeCase(argument, i, more));
  return `        ${pattern})
            if [[ $current == -* ]]; then
                _httpd_codemod_words "${options.join(' ')}"
                return
            fi
            case $places in
${places.join('\n')}
            esac ;;`;
}

function placeCase({ isVariadic, value }: ArgumentEntry, index: number, more: readonly string[]): string {
  const words =
    more.length > 0 ? `if [[ $places == 0 ]]; then _httpd_codemod_words "${more.join(' ')}"; fi; ` : '';
  return `                ${isVariadic ? '*' : index}) ${words}${replyWith(value)} ;;`;
}

function replyWith(value: WordKind): string {
  switch (value.kind) {
    case 'words':
      return `_httpd_codemod_words "${value.words.join(' ')}"`;
    case 'file':
      return '_httpd_codemod_files';
    case 'directory':
      return '_httpd_codemod_directories';
    case 'any':
      return ':';
  }
}

interface SpelledOption {
  readonly names: readonly string[];
  readonly value: WordKind;
}

function optionsWithValue(tree: CommandEntry): readonly SpelledOption[] {
  const all = new Map<string, SpelledOption>();
  for (const { options } of [tree, ...tree.commands])
    for (const option of options)
      if (option.value !== undefined) all.set(option.flags, { names: namesOf(option), value: option.value });
  return [...all.values()];
}

function namesOf({ short, long }: OptionEntry): string[] {
  return [short, long].filter((name) => name !== undefined);
}
