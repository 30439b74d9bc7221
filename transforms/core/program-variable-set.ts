import { defineTransform } from '../../src/engine';
import { holds, sinceRelease } from '../../src/httpd/facts';
import type { Directive } from '../../src/syntax';
import { eachLine, isCarriedOver } from '../common/lines';
import { firstProgramLine } from '../common/servers';
import { VARIABLE_DIRECTIVES, variablesSetBy } from '../common/words';

/** Variables of programs that 2.4 sets for every request, and 2.2 knew nothing of. */
const NEW = /^(?:REQUEST_SCHEME|CONTEXT_PREFIX|CONTEXT_DOCUMENT_ROOT)$/;

export default defineTransform({
  id: 'program-variable-set',
  changes: ['C41'],
  title: 'Variables that reach programs with another value',
  why: 'What httpd sets itself for programs takes the place of what SetEnv and the like set. 2.4 sets REQUEST_SCHEME, CONTEXT_PREFIX and CONTEXT_DOCUMENT_ROOT, which 2.2 did not know. PATH was that of httpd in 2.2; since 2.4.59 it is the one that the configuration sets.',
  docs: [
    'server/util_script.c: ap_add_common_vars, env2env',
    'CHANGES 2.4.59: mod_env overrides system environment variables',
  ],
  advisory: true,
  directives: [],
  onlyWhenUpgrading: true,
  run(context) {
    if (firstProgramLine(context.index) === undefined) return;
    const told = new Set<string>();
    eachLine(context, VARIABLE_DIRECTIVES, (node, place) => {
      if (!isCarriedOver(place)) return;
      for (const name of variablesSetBy(node)) {
        const message = messageOf(name, node, holds('program-path-set', context.target));
        if (message === undefined || told.has(name)) continue;
        told.add(name);
        context.report({ file: place.file, at: node.from, level: 'warning', safety: 'manual', message });
      }
    });
  },
});

function messageOf(name: string, node: Directive, setsPath: boolean): string | undefined {
  if (NEW.test(name))
    return `2.4 sets ${name} itself for every program, so that programs no longer get the value of this line: set a variable of another name, and have the programs read that`;
  if (name !== 'PATH' || !setsPath) return undefined;
  return `${sinceRelease('program-path-set')} programs get the PATH of this ${node.name} line; 2.2 gave them that of httpd: delete the line to keep it so, or see that the new one has all directories that they need`;
}
