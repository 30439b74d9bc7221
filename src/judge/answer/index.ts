/**
 * What a version answers to a request, given the sections that it meets.
 *
 * - `request`: the request, the client that sends it, and the answers
 * - `met-sections`: the sections that a request meets, in the order in which they are merged
 * - `host-lists`: Order, Allow and Deny lines, as both versions read them
 * - `login`: who is asked for a name and a password
 * - `expression`: the conditions of mod_rewrite and of `Require expr`
 * - `answer-22`: the answer of 2.2
 * - `answer-24`: the answer of 2.4
 * - `answer-mixed`: the answer where lines of both versions meet
 */
export { answerOf22, READ_IN_22 } from './answer-22';
export { answerOf24 } from './answer-24';
export { answerAsWritten, answerOfToday, isToStay, wantedOf } from './answer-mixed';
export { MetSections } from './met-sections';
export type { JudgeClient, JudgeRequest, Letter } from './request';
