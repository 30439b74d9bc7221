import type { Place } from '../../src/config';
import { type TransformContext, defineTransform } from '../../src/engine';
import { holds, sinceRelease } from '../../src/httpd/facts';
import type { Directive } from '../../src/syntax';
import { type ProgramLine, firstKnownProgramLine, firstLineWhere } from '../common/servers';
import { flagsOf, rewriteWords } from '../common/words';

/** Backends whose answers are read like those of CGI programs. */
const BACKEND = /^(?:ajp|fcgi|scgi):/i;

const CGI_HANDLER = /^cgi-script$/i;

/** Lines that may lead to a CGI program, or to such a backend. */
const CGI_LINES = [
  'AddHandler', 'BalancerMember', 'ProxyPass', 'ProxyPassMatch', 'RewriteRule', 'ScriptAlias', 'ScriptAliasMatch', 'SetHandler',
  'VirtualScriptAlias', 'VirtualScriptAliasIP',
]; // prettier-ignore

const CLIENT_CERT = 'AUTH_TYPE is ClientCert where SSLUserName sets the user, and was not set in 2.2';

const VARIABLE_LINES = ['SetEnv', 'SetEnvIf', 'SetEnvIfNoCase'];

export default defineTransform({
  id: 'program-changes',
  changes: ['C33', 'F36'],
  title: 'What programs are told, and what they send',
  why: '2.4 gives programs only request headers with letters, digits and hyphens in their names; 2.2 turned every other character into an underscore. Since 2.4.59 httpd does not trust the Content-Length of programs, and counts by itself where the answer is short.',
  docs: [
    'env: Environment Variables and CGI',
    'server/util_script.c: ap_add_common_vars',
    'CHANGES 2.4.59: CVE-2024-24795',
    'modules/generators/mod_cgi.c: cgi_handler',
  ],
  advisory: true,
  onlyWhenUpgrading: true,
  run(context) {
    const reader = firstKnownProgramLine(context.index);
    const sender = firstCgiLine(context);
    const first = reader ?? sender;
    if (first === undefined) return;
    const parts = [
      ...(reader === undefined
        ? []
        : [
            'programs no longer see request headers whose names have other characters than letters, digits and hyphens (SetEnvIf X_Name (.+) HTTP_X_NAME=$1 passes on X_Name)',
          ]),
      ...(sender === undefined
        ? []
        : [
            `${sinceRelease('program-length-dropped')} the Content-Length that ${reader === undefined ? 'programs' : 'they'} send is left out, so that HEAD shows no length (SetEnv ap_trust_cgilike_cl 1 restores it, if you trust your programs)`,
          ]),
    ];
    const isOfAll = ({ root }: Place): boolean => root.role !== 'htaccess' || root === first.place.root;
    const users = reader === undefined ? [] : context.index.directives(['SSLUserName']);
    if (users.some(({ place }) => isOfAll(place))) parts.push(CLIENT_CERT);
    // What the file of one user says is nothing to the programs of another.
    const apart = new Map(
      users.filter(({ place }) => !isOfAll(place)).map((line) => [line.place.root, line]),
    );
    for (const { node, place } of apart.values())
      context.report({ file: place.file, at: node.from, level: 'info', message: CLIENT_CERT });
    context.report({
      file: first.place.file,
      at: first.node.from,
      level: 'info',
      message: parts.join(', and '),
    });
  },
});

/** The first line that leads to a program whose Content-Length is left out. */
function firstCgiLine({ index, target }: TransformContext): ProgramLine | undefined {
  if (!holds('program-length-dropped', target)) return undefined;
  const isTrusted = index.someDirective(VARIABLE_LINES, ({ args }) =>
    args.some(({ value }) => /^ap_trust_cgilike_cl(?:=|$)/.test(value)),
  );
  return isTrusted ? undefined : firstLineWhere(index, CGI_LINES, leadsToProgram);
}

function leadsToProgram(node: Directive): boolean {
  switch (node.key) {
    case 'addhandler':
    case 'sethandler':
      return CGI_HANDLER.test(node.args[0]?.value ?? '');
    case 'balancermember':
    case 'proxypass':
    case 'proxypassmatch':
      return node.args.some(({ value }) => BACKEND.test(value));
    case 'rewriterule': {
      const [, substitution, flags] = rewriteWords(node);
      return (
        BACKEND.test(substitution?.text ?? '') ||
        flagsOf(flags).some(({ key, value }) => (key === 'h' || key === 'handler') && CGI_HANDLER.test(value))
      );
    }
    default:
      return true;
  }
}
