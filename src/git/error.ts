/** git is not there, or refused what was asked of it. The message is one line, a byte string. */
export class GitError extends Error {}
