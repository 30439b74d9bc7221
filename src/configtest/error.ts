/** There is no httpd to ask, or it did not come to an answer. The message is one line, a byte string. */
export class ConfigTestError extends Error {}
