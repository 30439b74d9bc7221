/**
 * What a section says and inherits, as people read it, and what a decision rests on. It decides nothing and adds no finding.
 *
 * - `inheritance`: sections with all that a request may bring with it, also as the text that an accepted finding is known by
 * - `section-lines`: the lines of a section, for display
 */
export * from './inheritance';
export {
  type ConfigLine,
  directivesOf,
  linesAsWritten,
  linesOf22,
  linesOfCompat,
  shownAt,
} from './section-lines';
