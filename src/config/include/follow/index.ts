/**
 * Follows Include lines from the main file to all others.
 *
 * - `include-reader`: reads the files in the order in which httpd does, and finds what they name
 * - `expand`: puts the values of `${…}` into a word
 * - `override-lines`: the AllowOverride and AccessFileName lines that are met on the way
 * - `served-by`: the directories that a line has served
 */
export { expand } from './expand';
export { type FollowOptions, IncludeReader } from './include-reader';
