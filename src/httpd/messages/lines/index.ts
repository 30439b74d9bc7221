/**
 * Lines of a configuration in a question that are wrong by themselves.
 *
 * - `telling-lines`: what is asked of them, in its order, and lines that are wrong alone
 * - `hosts`, `rewriting`, `sections`: lines that are wrong together
 * - `given-lines`: the lines of a question
 * - `finder`: how such lines are found
 */
export { misnamedModule } from './sections';
export { tellingLine } from './telling-lines';
