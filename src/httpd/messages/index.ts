import { ACCESS_MESSAGES, OLD_ACCESS } from './access';
import { MODULE_MESSAGES } from './modules';
import { PACKAGE_MESSAGES } from './packages';
import { PLACE_MESSAGES } from './places';
import { PROXY_MESSAGES } from './proxy';
import { REQUEST_MESSAGES } from './requests';
import type { MessageShape } from './shape';
import { START_MESSAGES } from './start';
import { SYNTAX_MESSAGES, UNKNOWN_WORDS } from './syntax';
import { TLS_MESSAGES } from './tls';

export type { MessageShape } from './shape';
export { type LogMessage, logMessage } from './log-message';
export { configError } from './config-error';
export { remedyOfArea } from './areas';
export { plainWords, QUESTIONS, SYMPTOMS } from './questions';
export { misnamedModule, tellingLine } from './lines';

/** The messages of 2.4 that an upgrade brings about. The first that fits a line counts, so the general ones come last. */
export const MESSAGES: readonly MessageShape[] = [
  OLD_ACCESS,
  ...UNKNOWN_WORDS,
  ...ACCESS_MESSAGES,
  ...PACKAGE_MESSAGES,
  ...START_MESSAGES,
  ...MODULE_MESSAGES,
  ...TLS_MESSAGES,
  ...PROXY_MESSAGES,
  ...REQUEST_MESSAGES,
  ...SYNTAX_MESSAGES,
  ...PLACE_MESSAGES,
];
