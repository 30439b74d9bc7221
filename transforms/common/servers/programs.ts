import type { Place } from '../../../src/config';
import type { TransformContext, TreeIndex } from '../../../src/engine';
import type { Directive } from '../../../src/syntax';
import { isCarriedOver } from '../lines';
import { flagsOf, rewriteWords } from '../words';
import { memo } from '../../../src/maps';

/** Handlers of httpd itself that run no program. */
const OTHER_HANDLERS =
  /^(?:balancer-manager|default-handler|imap-file|ldap-status|none|send-as-is|server-info|server-parsed|server-status|type-map)$/i;

/** Handlers that are known to run programs; any other may be one of a module that answers by itself. */
const PROGRAM_HANDLERS =
  /^(?:application\/x-httpd-.*|cgi-script|fastcgi-script|fcgid-script|isapi-handler|mod_python|modperl|perl-script|php.*|proxy:.*|python-program|suphp.*|wsgi-script|x-httpd-php.*|x-mapp-php.*)$/i;

const PROGRAM_DIRECTIVES = [
  'Action', 'AddHandler', 'AddType', 'FcgidWrapper', 'RewriteRule', 'Script', 'ScriptAlias', 'ScriptAliasMatch', 'SetHandler',
  'VirtualScriptAlias', 'VirtualScriptAliasIP', 'WSGIScriptAlias',
]; // prettier-ignore

export interface ProgramLine {
  readonly node: Directive;
  readonly place: Place;
}

/** The first line of the run that has programs started for requests, which both versions read. Several rules ask for it. */
export const firstProgramLine = memo((index: TreeIndex) =>
  firstLineWhere(index, PROGRAM_DIRECTIVES, startsPrograms),
);

/** The first such line, without handlers of which it is not known that they run programs. */
export function firstKnownProgramLine(index: TreeIndex): ProgramLine | undefined {
  const isKnown = (node: Directive): boolean =>
    (node.key !== 'addhandler' && node.key !== 'sethandler') ||
    PROGRAM_HANDLERS.test(node.args[0]?.value ?? '');
  return firstLineWhere(index, PROGRAM_DIRECTIVES, (node) => isKnown(node) && startsPrograms(node));
}

/** The first line of these names that both versions read and `isFound` holds for. */
export function firstLineWhere(
  index: TreeIndex,
  names: readonly string[],
  isFound: (node: Directive) => boolean,
): ProgramLine | undefined {
  let found: ProgramLine | undefined;
  index.someDirective(names, (node, place) => {
    if (!isCarriedOver(place) || !isFound(node)) return false;
    found = { node, place };
    return true;
  });
  return found;
}

/** Whether an Action line has a program for a type: one of the server's own files, or of the one that gives files the type. */
export function hasAction({ index }: TransformContext, type: string, giver?: Place['root']): boolean {
  return index.someDirective(
    ['Action'],
    ({ args }, place) =>
      (place.root.role !== 'htaccess' || place.root === giver) &&
      args[0]?.value.toLowerCase() === type.toLowerCase() &&
      isCarriedOver(place),
  );
}

function startsPrograms(node: Directive): boolean {
  const first = node.args[0]?.value ?? '';
  switch (node.key) {
    case 'addhandler':
    case 'sethandler':
      return first !== '' && !OTHER_HANDLERS.test(first);
    case 'addtype':
      return /^application\/x-httpd-/i.test(first);
    case 'rewriterule':
      return flagsOf(rewriteWords(node)[2]).some(
        ({ key, value }) => (key === 'h' || key === 'handler') && !OTHER_HANDLERS.test(value),
      );
    default:
      return true;
  }
}
