import { findDirective } from '../../httpd/directives';
import { isOfTemplate, type Line, Unreadable, refusesAtLast } from '../text';
import { isWellFormed } from './override';
import type { ReadVersion } from './reader';

/** The names of directives and sections that have to do with who gets in. */
const DECIDES =
  /^(?:order|allow|deny|satisfy|require.*|auth.*|limit|limitexcept|files|filesmatch|allowoverride|allowoverridelist|allowmethods|if|elseif|else|ssl(?:require|requiressl|verify.*|options|username))$/;

export const decidesAccess = (name: string): boolean => DECIDES.test(name);

/** Directives that the judge reads in both versions. */
const READ = new Set(
  `require limit limitexcept files filesmatch allowoverride authtype authname authuserfile authgroupfile
   authbasicprovider sslrequiressl`.split(/[ \n]+/),
);
const HOST_LISTS = new Set(['order', 'allow', 'deny', 'satisfy']);
const READ_IN_24 = new Set(['requireany', 'requireall', 'requirenone', 'authmerging', 'allowoverridelist']);

const PROVIDERS_24 = new Set([
  'all',
  'ip',
  'local',
  'method',
  'host',
  'env',
  'expr',
  'ssl',
  'valid-user',
  'user',
  'group',
]);

/** The server that reads lines, as far as it matters for what can be read. */
interface ReadingServer {
  readonly version: ReadVersion;
  readonly compat: boolean;
  readonly namesFilledIn: boolean;
}

/** Lines that make others, which are not known before the server starts. */
const MAKES_LINES = /^(?:macro|use|perl|perlmodule|include|includeoptional)$|^[^a-z_]/;

/** More than a line of 2.2 holds. */
const MAX_LINE = 8000;

/**
 * Checks that the lines of a section, or of a `.htaccess`, say nothing about who gets in that the judge does not read.
 * @param server what it reads: `compat` where 2.4 has mod_access_compat, `namesFilledIn` where a person has said that words of a
 * template stand for host names
 * @throws Unreadable naming the first that does
 */
export function checkReadable(lines: readonly Line[], server: ReadingServer): void {
  const { version, compat } = server;
  for (const line of lines) {
    if (MAKES_LINES.test(line.name)) throw new Unreadable(line.name);
    if (line.body !== undefined) checkReadable(line.body, server);
    if (isOfSubrequests(line) || refusesAtLast(line) || !DECIDES.test(line.name)) continue;
    const { name, rest, unsure } = line;
    const isRead =
      READ.has(name) ||
      (version === '2.4' && READ_IN_24.has(name)) ||
      ((version === '2.2' || compat) && HOST_LISTS.has(name));
    if (
      !isRead ||
      unsure ||
      rest.length > MAX_LINE ||
      /\$\{|[{%]\{|<%|\{%|\[%|@[A-Z_]+@/.test(hidden(line, server))
    )
      throw new Unreadable(name);
    if (name === 'require' && (isOfTemplate(hidden(line, server)) || !isProviderRead(line, version)))
      throw new Unreadable(rest);
    if ((name === 'allow' || name === 'deny') && line.words.some((word) => word.startsWith('#')))
      throw new Unreadable(rest);
    if (findDirective(name) === undefined) throw new Unreadable(name);
  }
}

/** Whether it can be read what a Require line asks for. To a 2.2 it matters only where the line decides. */
function isProviderRead({ words }: Line, version: ReadVersion): boolean {
  if (version === '2.2') return true;
  const [first = '', second = ''] = words.map((word) => word.toLowerCase());
  return PROVIDERS_24.has(first === 'not' ? second : first);
}

/** A line without the variables of an expression, which the server fills in for each request. */
function hidden(line: Line, { namesFilledIn }: ReadingServer): string {
  const { name, rest } = line;
  // Such words of a host list stand for all or for nobody: both are asked. Without an answer nothing says that they are names.
  const isOfNames = name === 'require' && !namesFilledIn && /^(?:not[ \t]+)?host[ \t]/i.test(rest);
  if (name === 'allow' || name === 'deny' || isOfNames)
    return line.words.filter((word) => !isOfTemplate(word)).join(' ');
  return name === 'require' && /^(?:not[ \t]+)?expr[ \t]/i.test(rest) ? '' : rest;
}

/** An If that no request of a client meets says nothing about them. */
function isOfSubrequests({ name, rest, body }: Line): boolean {
  return (
    name === 'if' && rest === '"-T %{IS_SUBREQ}"' && body?.some((line) => DECIDES.test(line.name)) === false
  );
}

/** Checks the lines of sections of a server's files, which keep it from starting where they are malformed. @throws Unreadable */
export function checkWellFormed(lines: readonly Line[], version: ReadVersion): void {
  for (const line of lines) {
    if (DECIDES.test(line.name) && !isWellFormed(line, { options: undefined }, version))
      throw new Unreadable(line.rest);
    if (line.body !== undefined) checkWellFormed(line.body, version);
  }
}
