import { defineTransform, type Finding } from '../../src/engine';
import type { Argument } from '../../src/syntax';
import { escapeExpression, isCarriedOver, isEscaped, replaceValue } from '../shared/lines';
import { asWrittenFor24, isWrittenFor24 } from '../shared/written-for';

/** Directive → which argument 2.4 reads as an expression, and how many there are. */
const TEXTS: Readonly<Record<string, readonly [at: number, count: number]>> = {
  authname: [0, 1],
  authtype: [0, 1],
  errordocument: [1, 2],
  sethandler: [0, 1],
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
      const [at, count] = TEXTS[node.key]!;
      const arg = node.args[at];
      if (arg === undefined || node.args.length !== count) return;
      const told = tellText(node.name, arg, file.document.text) ?? tellDefault(node.key, arg);
      if (told === undefined) return;
      const found = isWrittenFor24(context, place) ? asWrittenFor24(told) : told;
      context.report({ file, at: arg.start, ...found });
    });
  },
});

type Told = Pick<Finding, 'level' | 'safety' | 'message' | 'edits'>;

function tellText(name: string, arg: Argument, text: string): Told | undefined {
  const { value } = arg;
  const known = value.replace(/\$\{[^}]*\}/g, '');
  if (!/\\|%\{|\$[0-9]/.test(known)) return undefined;
  // No variables of httpd are put into the text of an expression that is escaped already.
  if (isEscaped(known))
    return {
      level: 'info',
      safety: 'manual',
      message: `2.4 reads this ${name} as an expression and takes its backslashes for escapes: if it was not written for 2.4, double them`,
      edits: [],
    };
  const reading = `2.4 reads this ${name} as an expression: backslashes keep %{, $1 and \\ what they are`;
  const variable = known.includes('%{');
  return {
    level: variable ? 'error' : 'warning',
    safety: variable ? 'review' : 'safe',
    message: variable
      ? `${reading}; this assumes that it was written for 2.2, which has no variables there`
      : reading,
    edits: [replaceValue(text, arg, escapeExpression(value))],
  };
}

function tellDefault(key: string, { value }: Argument): Told | undefined {
  if (key !== 'errordocument' || value === 'default' || value.toLowerCase() !== 'default') return undefined;
  return {
    level: 'warning',
    safety: 'manual',
    message: `2.2 sent the text "${value}"; 2.4 takes it for the wish to have its own message, in any letter case`,
    edits: [],
  };
}
