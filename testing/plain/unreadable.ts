/** What the judge of access here cannot read: no answer is given for it, and it is counted. */
export class Unreadable extends Error {}
