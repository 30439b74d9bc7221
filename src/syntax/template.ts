import type { Span } from './span';

/**
 * What other programs fill in before httpd sees the text: ERB, EJS and Mason (`<% %>`), PHP (`<? ?>`), Jinja, Mustache and Go
 * (`{{ }}`, `{% %}`), Template Toolkit (`[% %]`), HTML::Template (`<tmpl_var>`), autoconf (`@X@`), Python (`%(x)s`), Ruby
 * (`#{x}`), sed (`__X__`), a variable (`${X}`). None of them has a meaning in a regex, a log format or an expression of httpd.
 */
const PLACEHOLDER =
  /<%|<\?(?:=|php|[ \t])|\{\{|\{%|\[%[-+]?[ \t]|<\/?tmpl_|@@?[a-z_][\w.:-]*@|(?:^|[^a-z0-9])__[a-z][a-z0-9]*(?:_[a-z0-9]+)*__|%\([\w.]+\)[a-z]|#\{|\$\{/i;

/** Whether a text holds a placeholder, so that it cannot be read. */
export function hasPlaceholder(text: string): boolean {
  return PLACEHOLDER.test(text);
}

/** A mark with what it holds; the length is limited so that many marks left open cost little. */
const MARK =
  /<%.{0,200}?%>|<\?.{0,200}?\?>|<tmpl_[^>]{0,200}>|\{\{.{0,200}?\}\}|\{%.{0,200}?%\}|\[%.{0,200}?%\]|@@?[a-z_][\w.:-]{0,80}@|__[a-z][a-z0-9_]{0,80}?__|%\([\w.]{1,80}\)[a-z]|#\{[^}]{0,200}\}/gi;

/** What is left of a text without what other programs fill in. */
export function withoutPlaceholders(text: string): string {
  return text.replace(MARK, '');
}

/** `<%`, `<?php`, `<tmpl_if>`, `<#if>`, `<c:if>`, `<dtml-if>`: no section of httpd's or of a module's has such a name. */
const TAG = /^(?:[^a-z/]|tmpl_|(?:dtml|tal)-|[a-z]+:[a-z])/i;

/** Whether a name behind `<` or `</` is that of a tag that a template engine reads. */
export function isTemplateTag(name: string): boolean {
  return TAG.test(name);
}

const BRACE = 123;
const BRACKET = 91;

/** Whether a line that begins with this word is one of a template: `{%`, `{{`, `[%`. */
export function isTemplateLine(word: string): boolean {
  const first = word.charCodeAt(0);
  return (first === BRACE || first === BRACKET) && /^(?:\{[%{#]|\[%)/.test(word);
}

/** What a line of a template does to the lines after it. */
export type TemplateLine = 'opens' | 'divides' | 'closes' | 'value';

/** What comes before the first word of a line of a template. */
const MARKS =
  /^(?:<%+|<\?(?:php|=)?|<!--#?|\{%|\{\{|\[%|<\/?(?=tmpl_|dtml-|tal-|[a-z]+:)|<\/?#|%(?!%)|@)[-+~=]?[ \t]*/i;

/** A tag further on in a line that ends what the line begins. */
const ENDS_HERE = /.(?:<%|<\?(?:php)?|\{%|\{\{|\[%)[-+~]?[ \t]*(?:end|\/|\})|.<\/(?:tmpl_|#|[a-z]+:)/i;

/** The last words of what a brace or `do` opens: `<% @names.each do |name| -%>`, `<? if ($x) { ?>`. */
const OPENS_LAST = /(?:\bdo(?:[ \t]*\|[^|]*\|)?|\{)[ \t]*[-+~]?(?:%\}|%>|\?>|%\]|\}\})?$/;

/**
 * What a line does that httpd has no name for, as template engines have it: `{% if x %}`, `<% else %>`, `[% END %]`, `<? } ?>`,
 * `{{/each}}`. A value, a comment, or a line that ends what it begins, stands for itself.
 */
export function templateLine(text: string): TemplateLine {
  const marks = MARKS.exec(text)?.[0] ?? '';
  if (text.startsWith('</')) return 'closes';
  if (marks === '' || marks.trimEnd().endsWith('=') || ENDS_HERE.test(text)) return 'value';
  const rest = text.slice(marks.length).replace(/^(?:tmpl_|(?:dtml|tal)-|[a-z]+:(?=[a-z]))/i, '');
  if (/^\}[ \t]*els/i.test(rest)) return 'divides';
  const [word] = /^[#^/]?[a-z]*/i.exec(rest.toLowerCase())!;
  if (/^(?:end|\/|done$)/.test(word) || rest.startsWith('}')) return 'closes';
  if (/^(?:els|elif$|when$|case$|default$|otherwise$)/.test(word)) return 'divides';
  const section = marks.startsWith('{{') && /^[#^][a-z]/.test(word);
  return section || OPENERS.has(word) || OPENS_LAST.test(withoutBlanksBehind(rest)) ? 'opens' : 'value';
}

/** In one pass, however many blanks stand somewhere in the text. */
function withoutBlanksBehind(text: string): string {
  let end = text.length;
  while (end > 0 && ' \t'.includes(text[end - 1]!)) end--;
  return text.slice(0, end);
}

const OPENERS = new Set(
  'if unless ifdef ifndef for foreach each while until with loop in range repeat block filter macro switch begin choose ifequal ifchanged autoescape raw verbatim define section call'.split(
    ' ',
  ),
);

/** A brace at the beginning of a line, which opens a block of Perl for Text::Template: no line of httpd begins with one. */
const PERL = /^[ \t]*\{(?![%{#])/gm;

const BRACES = /\\[^]|[{}]/g;

/**
 * The blocks of Perl in a text, as Text::Template (e-smith) finds them: from a brace to the one that closes it, those behind a
 * backslash not counted. What such a block prints is not yet configuration.
 */
export function perlBlocks(text: string): readonly Span[] {
  const blocks: Span[] = [];
  PERL.lastIndex = 0;
  for (let open = PERL.exec(text); open !== null; open = PERL.exec(text)) {
    const start = PERL.lastIndex - 1;
    let depth = 0;
    BRACES.lastIndex = start;
    for (let brace = BRACES.exec(text); brace !== null; brace = BRACES.exec(text)) {
      if (brace[0] === '{') depth++;
      else if (brace[0] === '}' && --depth === 0) break;
    }
    if (depth > 0) break;
    blocks.push({ start, end: BRACES.lastIndex });
    PERL.lastIndex = BRACES.lastIndex;
  }
  return blocks;
}
