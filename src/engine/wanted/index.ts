/**
 * What a person has said about findings.
 *
 * - `decisions`: answers and accepted findings
 * - `ignore`: comments and files that ask to leave something alone
 * - `subject`: what a finding is known by in a later run
 */
export { answerAt, answerFor, answeredNo, withAnswers, withDecisions } from './decisions';
export { filesLeftAlone, keeperOf, markIgnored } from './ignore';
export { subjectIn } from './subject';
