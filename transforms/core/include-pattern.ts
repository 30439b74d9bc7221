import { expand, hasVariable } from '../../src/config';
import { rename } from '../../src/edit';
import { lineRule } from '../common/line-rule';

/** A path that apr_fnmatch_test takes for a pattern. */
const PATTERN = /^(?:[^\\]|\\.)*?(?:[?*]|\[(?:[^\\\]]|\\.)*\])/s;

/** A word in capitals and brackets: probably a placeholder of a template, although httpd reads it as a set of characters. */
const PLACEHOLDER = /\[[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\]|\[[A-Z]{4,}\]/g;

/**
 * Whether a pattern stands for whatever files are put into a directory, so that there may be none one day. The directory of the
 * modules that are enabled is not such a directory.
 */
function mayRunEmpty(path: string): boolean {
  const [, directory = '', name = ''] = /^(.*?)([^/]*)$/s.exec(path) ?? [];
  if (/(?:^|\/)(?:mods-enabled|conf\.modules\.d)\/$/.test(directory)) return false;
  return PATTERN.test(directory) || /^[*?[]/.test(name);
}

export default lineRule({
  id: 'include-pattern',
  changes: ['C18'],
  title: 'Include with a pattern becomes IncludeOptional',
  why: 'In 2.2, the pattern of an Include may match nothing. 2.4 then does not start, unless the directive is IncludeOptional.',
  docs: ['core: Include, IncludeOptional', 'server/util.c: ap_dir_fnmatch'],
  directives: ['Include'],
  findingFor(node, _, { tree }) {
    const [arg, ...more] = node.args;
    if (arg === undefined || more.length > 0) return undefined;
    const path = expand(arg.value, tree.variables);
    const filled = path.replace(PLACEHOLDER, '');
    if (PATTERN.test(filled)) {
      const empty = tree.includes.get(node) === undefined;
      if (!empty && !mayRunEmpty(filled)) return undefined;
      return {
        level: empty ? 'error' : 'info',
        safety: 'safe',
        message: empty
          ? `2.4 refuses ${arg.value} as long as it matches nothing: IncludeOptional reads it as 2.2 did`
          : `2.4 does not start once ${arg.value} matches nothing: IncludeOptional allows it, as 2.2 did`,
        edits: [rename(node, 'IncludeOptional')],
      };
    }
    if (filled !== path)
      return {
        level: 'info',
        message: `${arg.value} looks like a template placeholder and is left as it is; if the brackets are a pattern, use IncludeOptional`,
      };
    if (!hasVariable(path)) return undefined;
    return {
      level: 'info',
      message: `if the value of ${arg.value} is a pattern that can match nothing, use IncludeOptional`,
    };
  },
});
