import { transforms } from '../src';
import { ANSWER } from './protocol';

const KEYS = transforms.flatMap(({ questions = [] }) => questions.map(({ key }) => key));

/**
 * What stands on the page for an option of the command, the longest wording first. Texts for people name options; who has only
 * the page must find what is meant on it.
 */
const CONTROLS: readonly (readonly [option: RegExp, control: string])[] = [
  [/; with [a-z0-9-]+@PATH=[^ ]+ for one file or directory alone/g, ''],
  [/--answer [a-z0-9-]+=yes/g, `Yes at ${ANSWER}`],
  [/--answer [a-z0-9-]+=no/g, `No at ${ANSWER}`],
  [/--answer [a-z0-9-]+=((?!yes\b)[^ ,;)]+)/g, `"$1" at ${ANSWER}`],
  [/the script of --format sh/g, 'the script ("Download the script")'],
  [/`?(?:httpd-codemod )?--format sh`? prints/g, '"Download the script" has'],
  [/--pin-defaults/g, `the switch "keep 2.2's defaults"`],
  [/give --exact/g, 'choose "leave the old lines"'],
  [/leave out --exact/g, 'choose "let fewer in"'],
  [/--exact/g, 'the choice "leave the old lines"'],
  [/give --target/g, 'choose it at "For httpd"'],
  [/--dual/g, 'the switch "readable by 2.2, too"'],
  [/ with this command/g, ` with the switch "keep 2.2's defaults"`],
  [/\. --explain(?! ')/g, '. The box "Ask"'],
  [/--explain '[^']*', with the same files,/g, 'the box "Ask"'],
  [/ask --explain/g, 'see in the box "Ask"'],
  [/--explain/g, 'the box "Ask"'],
  [
    / \(FILE holds what its httpd -M prints(?: then)?\)/g,
    ' (then paste what httpd -M prints into the field "Modules of the new server")',
  ],
  [/with --modules/g, 'in the field "Modules of the new server"'],
  [/--modules(?: FILE)?/g, 'the field "Modules of the new server"'],
  [/: name (one|another) with vhost=/g, ' (add "vhost NAME" for $1)'],
  [/say which with vhost=/g, 'add "vhost NAME"'],
  [/no from= is given/g, 'no "from ADDRESS" is given'],
  // The choices of a question are buttons.
  [new RegExp(` \\((?:${KEYS.join('|')})=[a-z-]+\\)`, 'g'), ''],
  // What the page has no control for.
  [
    /--(comments|unused|templates|server-root|honour-ignores|safe-only|no-dual|log-format|format [a-z]+)/g,
    "the command's --$1",
  ],
];

/** A text for a person, with the page's controls in the place of the command's options. */
export function inControls(text: string): string {
  if (!/--|[(=]|with this command/.test(text)) return text;
  const keys = [...text.matchAll(/--answer ([a-z0-9-]+)=(?!yes\b)/g)].map(([, key]) => key!);
  const named = CONTROLS.reduce((worded, [option, control]) => worded.replace(option, control), text);
  // Where a text names one choice with the option, it names the others of that key without.
  return keys.reduce(
    (worded, key) =>
      worded.replace(
        new RegExp(`(^|[ (])${key}=([^ ,;)]+)`, 'g'),
        (_, before: string, choice: string) => `${before}"${choice}"`,
      ),
    named,
  );
}
