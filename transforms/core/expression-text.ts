import { defineTransform, type Finding } from '../../src/engine';
import { type FactName, holds, sinceRelease } from '../../src/httpd/facts';
import type { Argument } from '../../src/syntax';
import { escapeExpression, isCarriedOver, isEscaped, replaceValue } from '../common/lines';
import { asWrittenFor24, isWrittenFor24 } from '../common/written-for';

/** The argument of each directive that 2.4 reads as an expression, how many there are, and the fact that says since when. */
const EXPRESSION_ARGUMENTS: Readonly<Record<string, readonly [at: number, count: number, fact: FactName]>> = {
  __proto__: null!,
  authname: [0, 1, 'auth-name-expression'],
  authtype: [0, 1, 'auth-name-expression'],
  errordocument: [1, 2, 'error-document-expression'],
  sethandler: [0, 1, 'set-handler-expression'],
};

export default defineTransform({
  id: 'expression-text',
  changes: ['C22', 'C23'],
  title: 'Text that 2.4 reads as an expression',
  why: '2.4 reads the text of ErrorDocument, AuthName, AuthType and SetHandler as an expression, in which %{, $1 and the backslash are special.',
  docs: ['expr: Expressions in strings', 'server/core.c: set_error_document', 'server/util_expr_scan.l'],
  directives: ['AuthName', 'AuthType', 'ErrorDocument', 'SetHandler'],
  run(context) {
    context.directives(['AuthName', 'AuthType', 'ErrorDocument', 'SetHandler'], (node, place) => {
      if (!/[\\$]|%\{|default/i.test(node.rest) || !isCarriedOver(place)) return;
      const { file } = place;
      const [at, count, fact] = EXPRESSION_ARGUMENTS[node.key]!;
      const arg = node.args[at];
      if (arg === undefined || node.args.length !== count) return;
      const isText = holds(fact, context.target);
      const textOrDefault =
        (isText
          ? textFinding(`${sinceRelease(fact)} httpd reads this ${node.name}`, arg, file.document.text)
          : undefined) ??
        (holds('error-document-default-word', context.target) ? defaultFinding(node.key, arg) : undefined);
      if (textOrDefault === undefined) return;
      const found = isWrittenFor24(context, place) ? asWrittenFor24(textOrDefault) : textOrDefault;
      context.report({ file, at: arg.start, ...found });
    });
  },
});

type TextFinding = Pick<Finding, 'level' | 'safety' | 'message' | 'edits'>;

function textFinding(reader: string, arg: Argument, text: string): TextFinding | undefined {
  const { value } = arg;
  const known = value.replace(/\$\{[^}]*\}/g, '');
  if (!/\\|%\{|\$[0-9]/.test(known)) return undefined;
  // A text that is escaped already was probably written for 2.4.
  if (isEscaped(known))
    return {
      level: 'info',
      safety: 'manual',
      message: `${reader} as an expression, in which a backslash escapes the next character: double the backslashes if the text was written for 2.2`,
      edits: [],
    };
  const reading = `${reader} as an expression: %{, $1 and \\ are escaped so that they stay text`;
  const variable = known.includes('%{');
  return {
    level: variable ? 'error' : 'warning',
    safety: variable ? 'review' : 'safe',
    message: variable
      ? `${reading}; this assumes that the text was written for 2.2, which has no variables in it`
      : reading,
    edits: [replaceValue(text, arg, escapeExpression(value))],
  };
}

function defaultFinding(key: string, { value }: Argument): TextFinding | undefined {
  if (key !== 'errordocument' || value === 'default' || value.toLowerCase() !== 'default') return undefined;
  return {
    level: 'warning',
    safety: 'manual',
    message: `2.2 sent the text "${value}"; 2.4 reads this word in any letter case as default, and sends its own message: write another text if one is to be sent`,
    edits: [],
  };
}
