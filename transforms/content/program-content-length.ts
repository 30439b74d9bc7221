import { defineTransform } from '../../src/engine';
import { FACTS, sinceRelease } from '../../src/httpd/facts';
import type { Directive } from '../../src/syntax';
import { isCarriedOver } from '../common/lines';
import { flagsOf, rewriteWords } from '../common/rewrite-words';

/** Backends whose answers are read like those of CGI programs. */
const BACKEND = /^(?:ajp|fcgi|scgi):/i;

const NAMES = [
  'AddHandler', 'BalancerMember', 'ProxyPass', 'ProxyPassMatch', 'RewriteRule', 'ScriptAlias', 'ScriptAliasMatch', 'SetHandler',
  'VirtualScriptAlias', 'VirtualScriptAliasIP',
]; // prettier-ignore

const CGI_HANDLER = /^cgi-script$/i;

export default defineTransform({
  id: 'program-content-length',
  changes: ['F36'],
  title: 'The Content-Length that programs send',
  why: 'Since 2.4.59 httpd does not trust the Content-Length of CGI programs and of ajp:, fcgi: and scgi: backends. It leaves it out, and counts by itself where the answer is short.',
  docs: ['CHANGES 2.4.59: CVE-2024-24795', 'modules/generators/mod_cgi.c: cgi_handler', 'manual: env'],
  lifeSpan: FACTS['program-length-dropped'],
  advisory: true,
  directives: [],
  onlyWhenUpgrading: true,
  run(context) {
    const isTrusted = context.index.someDirective(['SetEnv', 'SetEnvIf', 'SetEnvIfNoCase'], ({ args }) =>
      args.some(({ value }) => /^ap_trust_cgilike_cl(?:=|$)/.test(value)),
    );
    if (isTrusted) return;
    context.index.someDirective(NAMES, (node, place) => {
      if (!isCarriedOver(place) || !leadsToProgram(node)) return false;
      context.report({
        file: place.file,
        at: node.from,
        level: 'info',
        safety: 'manual',
        message: `${sinceRelease('program-length-dropped')} httpd leaves out the Content-Length that programs send, so HEAD shows no length and clients no progress of a long answer: SetEnv ap_trust_cgilike_cl 1 restores it, if you trust your programs`,
        edits: [],
      });
      return true;
    });
  },
});

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
