/**
 * What a person asks about a run: what becomes of a request, what a message of httpd means, who gets in. In words; it prints
 * nothing and reads no file.
 *
 * - `ask`: one text, whichever of these it asks
 * - `question`: a request as a person or a log puts it
 * - `explanation-text`: what both versions do with it, section by section
 * - `starting`: what keeps 2.4 from answering at all
 * - `messages`: what httpd complains about, each kind of complaint once
 * - `explain-message`: the rule and the remedy for a message
 * - `places`: the lines of the configuration that a message names
 * - `answers`: what the rules make of those lines
 * - `denied`: what refuses a request, and what to write
 * - `snippet`: lines of a configuration that a question brings along
 * - `audience-tables`: who gets in where, as a table and as lines
 * - `suggest`: the name that was meant
 */
export { ANSWER_WORDS, ask, type Reply, type RequestReply, type VersionReply } from './ask';
export { MessageAnswers } from './answers';
export { agreement, audiencesOf, audienceText, placesOf } from './audience-tables';
export { deniedText } from './denied';
export { explanationText } from './explanation-text';
export { DENIED, type GroupedMessages, groupMessages, groupText, type MessageGroup } from './messages';
export { unquoted } from './marks';
export { snippetIn, snippetText } from './snippet';
export {
  type AskedRequest,
  type Explained,
  type ExplainedMessage,
  parseQuestion,
  QuestionError,
} from './question';
