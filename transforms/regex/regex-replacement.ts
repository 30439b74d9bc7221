import type { Place } from '../../src/config';
import { defineTransform, type Finding } from '../../src/engine';
import type { Argument, Directive } from '../../src/syntax';
import { eachLine, replaceParts } from '../common/lines';
import { asWrittenFor24, isWrittenFor24 } from '../common/written-for';

const NAMES = [
  'AliasMatch', 'BrowserMatch', 'BrowserMatchNoCase', 'Header', 'ProxyPassMatch', 'RedirectMatch', 'RequestHeader', 'ScriptAliasMatch',
  'SetEnvIf', 'SetEnvIfNoCase', 'Substitute',
]; // prettier-ignore

export default defineTransform({
  id: 'regex-replacement',
  changes: ['C27'],
  title: '& and backslashes in replacements',
  why: 'In 2.2, & is the whole match, and a backslash is literal unless it precedes & or $. In 2.4, & is literal, $0 is the whole match, and a backslash must be doubled.',
  docs: ['server/util.c: regsub_core'],
  run(context) {
    eachLine(context, NAMES, (node, place) => {
      const { file } = place;
      for (const arg of replacementArguments(node, place)) {
        const finding = findingFor(node, arg, file.document.text);
        if (finding === undefined) continue;
        const reported = isWrittenFor24(context, place) ? asWrittenFor24(finding) : finding;
        context.report({ file, at: arg.start, ...reported });
      }
    });
  },
});

function findingFor(
  node: Directive,
  arg: Argument,
  text: string,
): Pick<Finding, 'level' | 'safety' | 'message' | 'edits'> | undefined {
  const { value } = arg;
  const span = replacementSpan(node, value);
  if (span === undefined) return undefined;
  const [start, end] = span;
  const oldText = value.slice(start, end);
  const isHeader = node.key === 'header' || node.key === 'requestheader';
  const newText = isHeader ? headerFormat(replacementFor24(oldText)) : replacementFor24(oldText);
  if (!readsDifferently(oldText) && newText === oldText) return undefined;
  if (isPaired(oldText) && oldText.includes('\\\\'))
    return {
      level: 'info',
      safety: 'manual',
      message: `2.4 reads two backslashes in a replacement as one: double them if this was not written for 2.4`,
      edits: [],
    };
  if (oldText.includes('${') || (node.key === 'proxypassmatch' && oldText.includes('\\')))
    return {
      level: 'warning',
      safety: 'manual',
      message: `2.4 reads & and backslashes in this replacement differently: write $0 for &, and \\\\ for \\`,
      edits: [],
    };
  return {
    // 2.4 refuses a format that it does not know.
    level: isHeader && oldText.replaceAll('%%', '').includes('%') ? 'error' : 'warning',
    safety: 'safe',
    message: `2.4 reads this replacement differently: ${[
      ...(/(?<!\\)&/.test(oldText)
        ? ['$0 is what & meant in 2.2 (restore & if an ampersand was intended)']
        : []),
      ...(/\\(?![$&]|$)/.test(oldText) ? ['a backslash is doubled'] : []),
      ...(isHeader && oldText.replaceAll('%%', '').includes('%') ? ['%% is a percent sign'] : []),
    ].join(', ')}`,
    edits: replaceParts(text, arg, [{ start, end, text: newText }]),
  };
}

const STATUS = /^(?:permanent|temp|seeother|gone|[0-9].*)$/;

/** 2.4 first reads a header's replacement as a format (mod_headers.c: parse_format_string): % and \\\\ are special. */
function headerFormat(replacement: string): string {
  return replacement.replace(/\\\\/g, '\\\\\\\\').replace(/%%?/g, '%%');
}

function replacementArguments({ key, args }: Directive, { chain }: Place): readonly Argument[] {
  switch (key) {
    case 'aliasmatch':
    case 'scriptaliasmatch':
      return args.length === 2 ? args.slice(1) : [];
    case 'redirectmatch':
      // A status that is not a redirect has no target.
      return args.length === (STATUS.test((args[0]?.value ?? '').toLowerCase()) ? 3 : 2)
        ? args.slice(-1)
        : [];
    case 'proxypassmatch': {
      const at = chain.some(({ section }) => section.key.startsWith('location')) ? 0 : 1;
      return args.slice(at, at + 1);
    }
    case 'substitute':
      return args.length === 1 ? args : [];
    case 'header':
    case 'requestheader':
      return headerEdit(args);
    default: {
      const first = key.startsWith('browser') ? 0 : 1;
      const regex = args[first]?.value ?? '';
      // If the pattern has no special character, httpd replaces nothing in the value.
      return /(?<!\\)(?:\\\\)*[.^$|()[\]*+?{}]/.test(regex) ? args.slice(first + 1) : [];
    }
  }
}

function headerEdit(args: readonly Argument[]): readonly Argument[] {
  const words = args.map(({ value }) => value.toLowerCase());
  const at = words[0] === 'always' || words[0] === 'onsuccess' ? 1 : 0;
  return words[at] === 'edit' || words[at] === 'edit*' ? args.slice(at + 3, at + 4) : [];
}

function replacementSpan({ key }: Directive, value: string): [start: number, end: number] | undefined {
  if (key === 'substitute') {
    const delimiter = value.charAt(1);
    const from = value.indexOf(delimiter, 2);
    const to = from < 0 ? -1 : value.indexOf(delimiter, from + 1);
    if (
      !/^s$/i.test(value.charAt(0)) ||
      to < 0 ||
      value
        .slice(to + 1)
        .toLowerCase()
        .includes('n')
    )
      return undefined;
    return [from + 1, to];
  }
  if (/setenvif|browsermatch/.test(key)) {
    const equals = value.indexOf('=');
    return equals < 0 || value.charAt(equals + 1) === '!' ? undefined : [equals + 1, value.length];
  }
  return [0, value.length];
}

/**
 * The replacement that means in 2.4 what `value` meant in 2.2 (server/util.c: regsub_core). In 2.2, `&` is the whole match, and a
 * backslash is special only before `&` and `$`. In 2.4, `&` is an ampersand, and a backslash escapes every character.
 */
function replacementFor24(value: string): string {
  return value.replace(/\\[$&]|\\(?=.)|&/gs, (part) => (part === '&' ? '$0' : part === '\\' ? '\\\\' : part));
}

/** True if 2.4 substitutes something else for this text than 2.2. */
function readsDifferently(value: string): boolean {
  return replacementFor24(value) !== value;
}

/** True if every backslash is one of a pair, or before `$` or `&`: it may have been written for 2.4. */
function isPaired(value: string): boolean {
  const rest = value.replace(/\\[\\$&]/g, '');
  return !rest.includes('&') && !/\\(?=.)/s.test(rest);
}
