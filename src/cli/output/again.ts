import { shellWord } from '../../shell-word';

/** Options with a value that say where a run is shown. */
const WITH_VALUE: ReadonlySet<string> = new Set(['--color', '--format', '--output']);

/** Options that say how a run is shown, or what becomes of it: these do not belong to what somebody types next. */
const OF_THIS_RUN: ReadonlySet<string> = new Set([
  '--check', '--diff', '--fix', '-i', '--interactive', '-q', '--quiet', '--summary', '-v', '--verbose', '-w', '--write', ...WITH_VALUE,
]); // prettier-ignore

/** Options with a value of which a run takes one alone: what is to be typed takes the place of what was. */
const ONCE: ReadonlySet<string> = new Set(['--modules']);

/** Columns of a command that a report prints whole: what is typed next is copied, so it may take two rows. */
const LONGEST = 145;

/**
 * The command of a run with an option more, to be typed next: a byte string. What was given stands as `...` where the line would
 * be long.
 * @param argv the command line as given
 */
export function commandWith(argv: readonly string[] = []): (option: string) => string {
  // The hook is a command with options of its own, which stand behind its name.
  const isHook = argv[0] === 'hook';
  if (isHook) return commandOf(`httpd-codemod ${argv.slice(0, 2).join(' ')}`, argv.slice(2));
  return commandOf('httpd-codemod', argv);
}

/** @param head what every such command begins with */
function commandOf(head: string, argv: readonly string[]): (option: string) => string {
  const isKept = (word: string, i: number): boolean =>
    !OF_THIS_RUN.has(word.split('=')[0]!) && !WITH_VALUE.has(argv[i - 1] ?? '');
  const given = argv.filter(isKept).map(shellWord);
  return (option) => {
    const [name = ''] = option.split(' ');
    const others = ONCE.has(name) ? withoutOption(given, name) : given;
    const whole = [head, option, ...others].join(' ');
    return whole.length <= LONGEST ? whole : `${head} ${option} ...`;
  };
}

/** @param name of an option with a value */
function withoutOption(words: readonly string[], name: string): readonly string[] {
  return words.filter((word, i) => word !== name && !word.startsWith(`${name}=`) && words[i - 1] !== name);
}
