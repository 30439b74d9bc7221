/** What was given as the tar of a server is none; the message is one line for a person, a byte string. */
export class CollectedError extends Error {}
