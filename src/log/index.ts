/**
 * Logs of httpd: which request a line is about, and what the requests of a log say of a run. It reads no file and prints nothing.
 *
 * - `log-line`: a line of an access log or an error log, in a format of httpd's own
 * - `logged-request`: the request that such a line is about, in the words of `--explain`
 * - `formats`: a LogFormat as a reader of lines
 * - `known-formats`: the formats that a configuration names, and whose log a file is
 * - `times`: what `%t` prints, as a time
 * - `entries`: a line of an access log as a request
 * - `reader`: the requests of one log, as it is handed over
 * - `not-shown`: what a log cannot show, in words
 * - `stream`: hands files over; nothing else here knows the disk
 * - `lines`: the lines of a text that comes in pieces
 * - `examples`: lines that are shown, without what they say of a person
 * - `counter`: counts the requests of logs by what both versions make of them
 * - `concerned`: which requests a finding of a rule is about
 * - `request-concerns`: which rules tell of a request
 * - `excuses`: which findings a log excuses
 * - `led-on`: whether requests are led to other files than their URLs name
 * - `percent`: `%XX` in a URL
 * - `types`: what comes of it
 */
export { LogCounter } from './counter';
export { type LogEntry } from './entries';
export { RequestConcerns } from './request-concerns';
export { KnownFormats } from './known-formats';
export { LogReader } from './reader';
export { excused } from './excuses';

export { readLogLine } from './log-line';
export { type LoggedRequest, loggedRequest, requestKeys, requestText } from './logged-request';
export { decode } from './percent';
export type * from './types';
