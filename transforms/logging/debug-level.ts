import { type Place, isConditional } from '../../src/config';
import { type Edit, removeArguments, removeLine, replaceLine } from '../../src/edit';
import { type Finding } from '../../src/engine';
import type { Directive } from '../../src/syntax';
import { lineRule } from '../common/line-rule';
import { atoi } from '../common/lines';

const MODULES: Readonly<Record<string, string>> = {
  __proto__: null!,
  charsetoptions: 'charset_lite',
  extfilteroptions: 'ext_filter',
};
const OPTION = /^debuglevel=/i;

export default lineRule({
  id: 'debug-level',
  changes: ['L04'],
  title: 'The option DebugLevel becomes LogLevel',
  stops: true,
  why: 'mod_charset_lite and mod_ext_filter log debugging messages according to LogLevel and refuse the option.',
  docs: ['core: LogLevel', 'modules/filters/mod_charset_lite.c', 'modules/filters/mod_ext_filter.c'],
  directives: ['CharsetOptions', 'ExtFilterOptions'],
  findingFor(node, place) {
    if (!node.args.some(({ value }) => OPTION.test(value))) return undefined;
    return { level: 'error', ...findingFor(node, place) };
  },
});

function findingFor(node: Directive, place: Place): Pick<Finding, 'safety' | 'message' | 'edits'> {
  const { document } = place.file;
  const value = node.args.findLast((arg) => OPTION.test(arg.value))!.value.slice('DebugLevel='.length);
  const otherArguments = node.args.filter((arg) => !OPTION.test(arg.value));
  const unknownOption = `2.4 does not know DebugLevel in ${node.name}`;
  if (value.includes('${')) return { safety: 'manual', message: `${unknownOption}: use LogLevel`, edits: [] };
  const removal: Edit[] =
    otherArguments.length === 0
      ? [removeLine(document, node)]
      : removeArguments(
          node,
          node.args.flatMap((arg, i) => (OPTION.test(arg.value) ? [i] : [])),
        );
  if (atoi(value) <= 0)
    return {
      safety: 'safe',
      message: `${unknownOption}: it is removed, because level ${value} logs nothing`,
      edits: removal,
    };
  const spec = `LogLevel ${MODULES[node.key]}:debug`;
  if (place.root.role === 'htaccess' || !canHoldLogLevel(place))
    return {
      safety: 'review',
      message: `${unknownOption}, and LogLevel is not allowed here: to keep its messages, write "${spec}" in the server configuration`,
      edits: removal,
    };
  const lineWithoutOption = `${node.name} ${otherArguments.map((arg) => document.text.slice(arg.start, arg.end)).join(' ')}`;
  return {
    safety: 'review',
    message: `${unknownOption}: "${spec}" logs the same messages; remove it if it was only for debugging`,
    edits: [replaceLine(document, node, otherArguments.length === 0 ? [spec] : [lineWithoutOption, spec])],
  };
}

/** LogLevel is allowed at server level and in directory, files, location and proxy sections. */
function canHoldLogLevel({ chain }: Place): boolean {
  return chain.every(
    ({ section }) =>
      isConditional(section) ||
      /^(?:virtualhost|directory|directorymatch|location|locationmatch|files|filesmatch|proxy|proxymatch)$/.test(
        section.key,
      ),
  );
}
