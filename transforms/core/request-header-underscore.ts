import type { Place } from '../../src/config';
import { defineTransform, type TransformContext } from '../../src/engine';
import type { Directive } from '../../src/syntax';
import { VARIABLE_DIRECTIVES, byText, rewriteWords, variablesSetBy } from '../common/words';
import { eachLine, reportLines } from '../common/lines';
import { firstProgramLine, hasBackend } from '../common/servers';

export default defineTransform({
  id: 'request-header-underscore',
  changes: ['C33'],
  title: 'Request headers that programs do not see',
  why: '2.4 gives CGI programs only headers with letters, digits and hyphens in their names; 2.2 turned every other character into an underscore. SetEnvIf can still pass such a header on.',
  docs: ['env: Environment Variables and CGI', 'server/util_script.c: ap_add_common_vars'],
  advisory: true,
  onlyWhenUpgrading: true,
  run(context) {
    const hasPrograms = firstProgramLine(context.index) !== undefined;
    // A backend gets every header.
    if (hasPrograms || !hasBackend(context.index)) reportSet(context);
    if (!hasPrograms) return;
    const told = new Set<string>();
    const variables = variablesSet(context);
    const report = (node: Directive, place: Place, header: string): void => {
      const name = header.toLowerCase();
      if (told.has(name) || isPassedOn(context, header)) return;
      told.add(name);
      context.report({
        file: place.file,
        at: node.from,
        level: 'warning',
        message: `programs no longer see the request header ${header}, as its name has other characters than letters, digits and hyphens: if one reads it, add ${lineFor(header)}`,
      });
    };
    eachLine(context, ['SetEnvIf', 'SetEnvIfNoCase', 'RewriteCond', 'RewriteRule'], (node, place) => {
      const isVariable = (name: string): boolean =>
        node.key.startsWith('setenvif') && (VARIABLES.test(name) || variables.has(name.toLowerCase()));
      for (const header of headersIn(node)) if (!isVariable(header)) report(node, place, header);
    });
  },
});

/** Reports headers that RequestHeader adds. */
function reportSet(context: TransformContext): void {
  reportLines(context, ['RequestHeader'], (node) => {
    const [action = '', name] = node.args.map(({ value }) => value);
    if (name === undefined || !/^(?:add|append|merge|set)$/i.test(action) || /^[A-Za-z0-9-]+:?$/.test(name))
      return undefined;
    return {
      level: 'warning',
      message: `CGI programs no longer see the header ${name}: use only letters, digits and hyphens in its name`,
    };
  });
}

/** The headers that a line reads, of those whose names programs no longer see. */
function headersIn(node: Directive): readonly string[] {
  if (node.key.startsWith('setenvif')) {
    const name = node.args[0]?.value ?? '';
    // What has other characters is a regular expression; attributes of the request have names with an underscore, too.
    return /^[A-Za-z0-9-]*_[A-Za-z0-9_-]*$/.test(name) && !ATTRIBUTES.test(name) ? [name] : [];
  }
  return rewriteWords(node).flatMap(({ text }) => headersInWord(text));
}

const headersInWord = byText((text) =>
  [...text.matchAll(/%\{HTTP:([^}]+)\}/gi)]
    .map(([, name = '']) => name)
    .filter((name) => /[^A-Za-z0-9-]/.test(name)),
);

/** What SetEnvIf takes for an attribute of the request (modules/metadata/mod_setenvif.c: add_setenvif_core). */
const ATTRIBUTES =
  /^(?:remote_addr|remote_host|remote_user|request_method|request_protocol|request_uri|server_addr)$/i;

/** Variables of programs and of modules: no client sends a header of such a name, and SetEnvIf reads variables, too. */
const VARIABLES =
  /^(?:(?:geoip|http|maxmind|mm|redirect|remote|request|script|server|ssl)_\w+|auth_type|content_(?:length|type)|document_root|path_info|path_translated|query_string|unique_id)$/i;

/** The variables that any line sets, in lower case. */
function variablesSet({ index }: TransformContext): ReadonlySet<string> {
  const lines = index.directives(VARIABLE_DIRECTIVES);
  return new Set(lines.flatMap(({ node }) => variablesSetBy(node).map((name) => name.toLowerCase())));
}

function lineFor(header: string): string {
  const name = /^[A-Za-z0-9_-]+$/.test(header) ? header : `^${header.replace(/[^A-Za-z0-9_-]/g, '\\$&')}$`;
  return `SetEnvIf ${name} (.+) ${variableOf(header)}=$1`;
}

function variableOf(header: string): string {
  return `HTTP_${header.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`;
}

/** Whether a SetEnvIf sets the variable that programs read. */
function isPassedOn({ index }: TransformContext, header: string): boolean {
  const variable = variableOf(header);
  return index.someDirective(['SetEnvIf', 'SetEnvIfNoCase'], ({ args }) =>
    args.some(({ value }) => value.startsWith(`${variable}=`)),
  );
}
