import type { ConfigFile } from '../../config';
import { needsCompat } from '../collect';
import { type Scope, authorizerOf, directoryOf, scopeName } from '../policy';
import { type AccessFinding, type Findings, offsetOf } from './findings';
import type { GroupOutcome } from './outcome';
import { type Refusal, isRefusedBy22, remedyOf, scopeWithPlace, unconvertedText } from './refusals';
import { mayBeOnOneWay } from '../primitives';

/** Says why sections are left as they are, at each of them. */
export function reportRefusals({ met, targets, refusals, conversions }: GroupOutcome, to: Findings): void {
  if (refusals.size === 0) return;
  const isWhole = conversions.length === 0;
  const [cause, because] = [...refusals][0]!;
  /** What comes of a refusal for the sections around. */
  const aroundText = (scope: Scope, { kind }: Refusal): string => {
    if (kind === 'open-question') return '';
    if (!isWhole) return untilConverted(scope);
    const hasOthers = met.some((other) => other !== scope && other.lines.old.length > 0);
    return hasOthers ? '; so are the sections it can meet' : '';
  };
  for (const scope of targets) {
    const refusal = refusals.get(scope);
    if (refusal === undefined && !isWhole) continue;
    if (refusal === undefined && scope.lines.old.length === 0 && !isReadOtherwise(scope)) continue;
    const { file, at } = placeOfRefusal(scope);
    const reason = refusal ?? because;
    if (refusal?.kind === 'not-included-meets-blocks' || refusal?.kind === 'not-included-changes') {
      to.leaveFile(file, at, scope, refusal);
      continue;
    }
    // A line that may not stand in a file is a 500 to both, also to a 2.4 with mod_access_compat.
    const isSame =
      refusal?.kind === 'override-forbids' &&
      scope.reading === '2.2' &&
      scope.lines.old.length > 0 &&
      scope.lines.old.every(({ node }) => needsCompat(node.key));
    to.add({
      file,
      at,
      level: isSame ? 'warning' : 'error',
      safety: 'manual',
      ...(refusal === undefined
        ? {
            message: besideText(scope, cause, because),
            ...(because.kind !== 'open-question' && remedyOf(undefined)),
          }
        : {
            message: unconvertedText(scope, refusal) + aroundText(scope, refusal),
            ...remedyOf(refusal),
            ...taskOf(refusal, refusals),
          }),
      ...(reason.kind === 'open-question' && { question: reason.question }),
      ...(refusal?.kind === 'left-alone' && !isWhole && { besideIgnored: true }),
      edits: [],
    });
  }
}

type AskedOfPerson = NonNullable<AccessFinding['task']>;

/** Where the name of a variable, or a mark of a template, does not tell what it stands for. */
const PLACEHOLDER_TASK: AskedOfPerson = {
  text: 'say what placeholders in Allow and Deny lines stand for: addresses, or names (placeholder=host)',
  option: '--answer placeholder=ip',
};

/** A person decides between the lines: each of both says something that can be converted, and all below it with it. */
const MIXED_TASK: AskedOfPerson = {
  text: 'decide between the lines for 2.2 and those for 2.4 in these sections, take the others out, and run this again',
  option: "--explain '/PATH?from=ADDRESS'",
};

/** Neither version reads such a line, so nobody knows who was to get in. */
const REFUSED_TASK: AskedOfPerson = {
  text: 'correct or remove these access lines, which 2.2 refuses, too, then run this again',
  option: '-v',
};

/** What is asked about sections for which no other item has a better word. */
export const WHO_GETS_IN: AskedOfPerson = {
  text: 'say who may get in at these places: 2.4 has no words for what 2.2 did there, or decides differently',
  option: "--explain '/PATH?from=ADDRESS'",
};

/** What is asked of a person about a refusal, if it is not what the rule asks; what another section keeps waits for that. */
function taskOf(refusal: Refusal, refusals: GroupOutcome['refusals']): Pick<AccessFinding, 'task' | 'after'> {
  if (refusal.kind !== 'inherits-unconverted') {
    const task = ownTaskOf(refusal);
    return task === undefined ? {} : { task };
  }
  const after = { rule: 'order-allow-deny', subject: 'which settles what inherits from these' };
  const cause = causeOf(refusal, refusals);
  if (cause === undefined) return { after };
  const task = ownTaskOf(cause) ?? (remedyOf(cause).remedy === undefined ? undefined : WHO_GETS_IN);
  return task === undefined ? { after } : { after, task: { ...task, subject: after.subject } };
}

function ownTaskOf(refusal: Refusal): AskedOfPerson | undefined {
  if (refusal.kind === 'placeholder' && refusal.stands === 'for-hosts') return PLACEHOLDER_TASK;
  if (refusal.kind === 'mixed') return MIXED_TASK;
  return isRefusedBy22(refusal) ? REFUSED_TASK : undefined;
}

/** Why the section stays that another one inherits from, by however many sections; undefined where that is not known here. */
function causeOf(refusal: Refusal, refusals: ReadonlyMap<Scope, Refusal>): Refusal | undefined {
  const passed = new Set<Refusal>();
  let cause: Refusal | undefined = refusal;
  while (cause?.kind === 'inherits-unconverted' && !passed.has(cause)) {
    passed.add(cause);
    cause = refusals.get(cause.other);
  }
  return cause?.kind === 'inherits-unconverted' ? undefined : cause;
}

/** What is said of a section that only another one keeps as it is. @param because why that one is left */
function besideText(scope: Scope, cause: Scope, because: Refusal): string {
  // Of those for directories beside each other a third one is what they hang together by.
  const isOnWay = mayBeOnOneWay(directoryOf(scope), directoryOf(cause));
  const meets = isOnWay ? 'can meet' : 'is decided together with';
  const why =
    because.kind === 'open-question' ? 'about which a question is open' : 'which cannot be converted';
  return `${scopeName(scope)} is left as it is: it ${meets} ${scopeWithPlace(cause)}, ${why}`;
}

/** The place of the finding that a section stays: at what is to blame, or where the section begins. */
export function placeOfRefusal({ problems: [problem], section, file, oldFor24, lines }: Scope): {
  readonly file: ConfigFile;
  readonly at: number;
} {
  const { all, old, requires, authType } = lines;
  const first = old[0] ?? requires[0] ?? authType;
  const node = problem?.node;
  // What is to blame may stand in a file that the section includes, or in the one that includes its lines.
  const known = oldFor24 === undefined ? all : [oldFor24, ...all];
  const holder =
    known.find((line) => line.node === node)?.file ??
    known.flatMap(({ inner }) => inner).find((frame) => frame.section === node)?.file;
  if (holder !== undefined) return { file: holder, at: offsetOf(node) };
  if (section !== undefined && (node === undefined || node === section))
    return { file, at: offsetOf(section.open) };
  return { file: first?.file ?? file, at: offsetOf(node ?? old[0]?.node ?? requires[0]?.node) };
}

/** What 2.4 does with a section that stays where the sections that it meets are converted. */
function untilConverted({ place, policy, lines: { old } }: Scope): string {
  const isOfUser = place.root.role === 'htaccess';
  const answer = isOfUser ? 'answers 500 there' : 'does not start';
  const hasList = old.some(({ node }) => node.key !== 'satisfy');
  const isOpen = policy.satisfy.some(({ value }) => value === 'any' || (isOfUser && !hasList));
  const compat = isOpen
    ? ', and with it may let in there whom other sections refuse: do not load that module'
    : '';
  return `; the sections it can meet are converted, and until it is too, 2.4 ${answer} without mod_access_compat${compat}`;
}

/** Whether a 2.4 takes the Require lines of a section for alternatives, or knows a word, where 2.2 did not. */
function isReadOtherwise({ reading, unanswered, policy, lines: { requires } }: Scope): boolean {
  if (reading === 'compat' || requires.length === 0) return false;
  const modules = new Set(policy.requires?.map(({ keyword }) => authorizerOf(keyword)));
  return unanswered.length > 0 || modules.size > 1;
}
