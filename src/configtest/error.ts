/** Says that there is no httpd to ask, or that it gave no answer. The message is one line, a byte string. */
export class ConfigTestError extends Error {}
