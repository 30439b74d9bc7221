import { placeAt, textOf } from './subject';
import type { Answer, Finding, Outcome, RunOptions, RunResult, Transform } from '../types';

/** What a person answers about a finding that asks or rests on something: what it assumes, else what its rule does. */
function keysOf({ rule, safety, edits, assuming, question }: Finding): readonly string[] {
  if (question !== undefined) return [question];
  if (safety !== 'review' || edits.length === 0) return [];
  return assuming === undefined ? [rule] : assuming.assumptions.map(({ key }) => key);
}

/**
 * The findings as a person has answered about them. Where all that one assumes is so, it is exact; where something is not, its
 * edits stay out ({@link Finding.answers} says so, and `declines` of the run need not). What a question is about is only worth
 * knowing once it is so.
 */
export function withAnswers(
  findings: readonly Finding[],
  answers: readonly Answer[] = [],
): readonly Finding[] {
  if (answers.length === 0) return findings;
  return findings.map((finding) => {
    const keys = keysOf(finding);
    const given = keys.map((key) => answerFor(key, finding, answers));
    const known = given.filter((answer) => answer !== undefined);
    if (known.length === 0) return finding;
    const { assuming, ...others } = finding;
    if (known.length < keys.length || known.some(({ value }) => !value))
      return { ...finding, answers: known };
    if (finding.question !== undefined) return { ...finding, level: 'info', answers: known };
    return { ...others, message: assuming?.message ?? finding.message, safety: 'safe', answers: known };
  });
}

/** The answer for the smallest place that a file lies in. */
export function answerFor(
  key: string,
  { file }: Pick<Finding, 'file'>,
  answers: readonly Answer[],
): Answer | undefined {
  return answerAt(key, [file.path], answers);
}

/** The answer for the smallest place that any of several paths lies in: of a file and of the directory it speaks of. */
export function answerAt(
  key: string,
  paths: readonly string[],
  answers: readonly Answer[],
): Answer | undefined {
  let best: Answer | undefined;
  for (const answer of answers) {
    const { place } = answer;
    if (answer.key !== key) continue;
    if (place !== undefined && !paths.some((path) => path === place || path.startsWith(`${place}/`)))
      continue;
    if (best === undefined || (place?.length ?? 0) >= (best.place?.length ?? 0)) best = answer;
  }
  return best;
}

/** Why a finding's edits stay out, if a person has said so. */
export function answeredNo({ answers }: Finding): string | undefined {
  const no = answers?.find(({ value }) => !value);
  return no && `answered no to ${no.key}${no.reason === '' ? '' : `: ${no.reason}`}`;
}

/** What a person has decided, held against what the run has found. */
export function withDecisions(
  result: RunResult,
  transforms: readonly Transform[],
  { answers = [], acceptance, rules, skip = [] }: RunOptions,
): RunResult {
  if (answers.length === 0 && acceptance === undefined) return result;
  const byId = new Map(transforms.map((transform) => [transform.id, transform]));
  const met = new Set<string>();
  const outcomes = result.outcomes.map((outcome): Outcome => {
    if (acceptance === undefined) return outcome;
    const fingerprint = acceptance.hash(identityOf(outcome, result, byId.get(outcome.rule))).slice(0, DIGITS);
    const accepted = acceptance.accepted.get(fingerprint);
    const assumes = keysOf(outcome);
    // What is new stands before what is copied: behind it, V8 would give each object a hidden class of its own.
    if (accepted === undefined) return { assumes, fingerprint, ...outcome };
    met.add(fingerprint);
    return { assumes, fingerprint, accepted, ...outcome };
  });
  const asked = new Set(outcomes.flatMap((outcome) => outcome.answers ?? []));
  // Of rules that were not asked nothing is known.
  const isWhole = rules === undefined && skip.length === 0;
  const unmet = {
    answers: isWhole ? answers.filter((answer) => !asked.has(answer)) : [],
    accepted: isWhole
      ? [...(acceptance?.accepted.keys() ?? [])].filter((fingerprint) => !met.has(fingerprint))
      : [],
  };
  return { ...result, outcomes, unmet };
}

/** Hexadecimal digits of a fingerprint: too many for two findings to have the same by chance. */
const DIGITS = 16;

/**
 * What a finding is, wherever it stands: its rule and the version of that, the line, the sections around it, and what the rule
 * says that it rests on beside them. A name of a virtual host, its address and its document root are left out: copies of a site
 * differ in these.
 */
function identityOf(finding: Finding, { tree }: RunResult, transform: Transform | undefined): string {
  const { chain, node } = placeAt(finding.file, finding.at);
  const site = siteWords(chain);
  const neutral = (text: string): string =>
    site.reduce((changed, [word, name]) => changed.replaceAll(word, `%{${name}}`), text);
  const sections = chain.map(({ key, open }) => (key === 'virtualhost' ? '<VirtualHost>' : open.text));
  return [
    finding.rule,
    String(transform?.version ?? 1),
    finding.level,
    finding.safety,
    ...[...sections, textOf(node)].map(neutral),
    neutral(transform?.basis?.(tree, finding) ?? ''),
  ].join('\n');
}

/** What stands for the site in the virtual host around a line, the longest first. */
function siteWords(chain: ReturnType<typeof placeAt>['chain']): readonly (readonly [string, string])[] {
  const host = chain.find(({ key }) => key === 'virtualhost');
  const words = (host?.body ?? []).flatMap((node) =>
    node.kind === 'directive' && (node.key === 'documentroot' || node.key === 'servername')
      ? [[node.args[0]?.value ?? '', node.name] as const]
      : [],
  );
  // A root of one letter stands in every path.
  return words.filter(([word]) => word.length > 2).sort(([a], [b]) => b.length - a.length);
}
