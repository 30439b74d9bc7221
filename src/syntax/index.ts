export { Document, type Position } from './document';
export { leaves, type Leaf, type LeafKind } from './leaves';
export { type Grammar, backslashesBefore, joinedLine, sameLinesInBothVersions } from './lines';
export {
  type Argument,
  Blank,
  Comment,
  Directive,
  type Node,
  Raw,
  Section,
  SectionClose,
  SectionOpen,
  Stray,
  type StrayReason,
  TEMPLATE_SECTION,
  TemplateOpen,
} from './nodes';
export { parse, parseAgain } from './parse';
export { appendAll, firstEndingAfter, firstWhere } from './search';
export { type Span } from './span';
export {
  type TemplateLine,
  hasPlaceholder,
  isTemplateTag,
  perlBlocks,
  templateLine,
  withoutPlaceholders,
} from './template';
export { isPlainElse } from './template-version';
export { walk } from './walk';
export { quoteWord, readWord, readWords, type Word } from './words';
