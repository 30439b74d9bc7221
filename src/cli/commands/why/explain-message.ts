import type { Transform } from '../../../engine/types';
import { findDirective } from '../../../httpd/directives';
import { reasonGone } from '../../../httpd/gone';
import { MESSAGES } from '../../../httpd/messages';
import { findThirdParty, type ThirdPartyModule, thirdPartyOwner } from '../../../httpd/third-party';

/** What is known of a message of httpd. */
export interface MessageExplanation {
  readonly rule: Pick<Transform, 'id' | 'title'> | undefined;
  readonly remedy: string;
  readonly directive: string | undefined;
  /** The file of the configuration that the message blames. */
  readonly file: string | undefined;
  /** What the message quotes of the line. */
  readonly quoted: string | undefined;
}

/** @returns undefined for a line that matches no known message */
export function explainMessage(
  line: string,
  transforms: readonly Transform[],
): MessageExplanation | undefined {
  for (const { pattern, rule, owned, remedy } of MESSAGES) {
    const match = pattern.exec(line);
    if (match === null) continue;
    const directive = match.groups?.['directive'];
    const foreign = foreignIn(match.groups?.['module']);
    const invalid = remedy === '' && directive !== undefined;
    const ruleOfDirective = owned && directive !== undefined ? ruleOf(directive, transforms) : undefined;
    const id =
      (foreign && 'third-party-module') ??
      ruleOfDirective ??
      rule ??
      (directive === undefined ? undefined : ownerOf(directive, transforms));
    return {
      rule: transforms.find((transform) => transform.id === id),
      remedy: invalid
        ? remedyOf(directive)
        : foreign === undefined
          ? remedy
          : `2.4 cannot load ${foreign.name} as built for 2.2: ${whatToDo(foreign)}`,
      directive,
      file: match.groups?.['file'],
      quoted: / '([^']+)'/.exec(line.slice(match.index))?.[1],
    };
  }
  return undefined;
}

/** The module of others in a file, by the name between `mod_` or `lib` and `.so`: that may end in a version. */
function foreignIn(file: string | undefined): ThirdPartyModule | undefined {
  return file === undefined ? undefined : (findThirdParty(file) ?? findThirdParty(file.replace(/[-_]?2?[-_.]?[0-9.]+$/, ''))); // prettier-ignore
}

function whatToDo({ advice, packages }: ThirdPartyModule): string {
  const known = Object.entries(packages).map(([system, text]) => `${system}: ${text}`);
  return advice + (known.length === 0 ? '' : ` (packages for 2.4: ${known.join('; ')})`);
}

/** The rule that looks after a directive. */
function ruleOf(directive: string, transforms: readonly Transform[]): string | undefined {
  const key = directive.toLowerCase();
  return transforms.find(({ directives }) => directives.some((name) => name.toLowerCase() === key))?.id;
}

/** The rule that looks after a directive, as far as 2.4 lacks it; else the one that loads modules. */
function ownerOf(directive: string, transforms: readonly Transform[]): string {
  const known = findDirective(directive);
  if (known === undefined) return 'third-party-module';
  if (known.owners24.length > 0) return 'load-module';
  return ruleOf(directive, transforms) ?? 'unknown-directive';
}

function remedyOf(directive: string): string {
  const known = findDirective(directive);
  const foreign = known === undefined ? thirdPartyOwner(directive.toLowerCase()) : undefined;
  if (foreign !== undefined)
    return `${directive} is of ${foreign.name}, which is not loaded: ${whatToDo(foreign)}`;
  if (known === undefined)
    return `no module of httpd has ${directive}: it is misspelled, or of a module that comes from elsewhere and is not loaded`;
  const { name, owners24 } = known;
  // An MPM is always there.
  const modules = owners24.filter((owner) => !owner.startsWith('mpm_'));
  if (owners24.length > 0)
    return `load mod_${(modules.length > 0 ? modules : owners24).join(' or mod_')}: ${name} is its directive in 2.4`;
  const reason = reasonGone(name);
  return `2.4 no longer has ${name}${reason === undefined ? ': httpd-codemod says what takes its place' : `: ${reason}`}`;
}
