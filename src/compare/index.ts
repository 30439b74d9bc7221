/**
 * Asks an old and a new server the same requests of a log, and compares the answers. It sends nothing that changes anything: GET
 * and HEAD, without a query unless that is allowed, and no credentials unless they are given.
 *
 * - `choice`: which requests of the logs are asked
 * - `ask`: asks one server; nothing else here knows the network
 * - `answers`: what of two answers is compared
 * - `run`: asks both servers in turn, so many a second, and groups what differs
 */
export { type AnsweredDifference } from './answers';
export { type AskedUrl, RequestChoice } from './choice';
export { type ComparisonReport, type DifferenceGroup, compareServers } from './run';
export type { ServerAnswer } from './answers';
