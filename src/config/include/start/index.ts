/**
 * What the script that starts a server hands to its configuration.
 *
 * - `shell-settings`: the variables that a shell script sets
 * - `start-names`: the names of `httpd -D`
 * - `start-variables`: the variables of the environment
 */
export { findStartNames } from './start-names';
export { findStartVariables, withStartVariables } from './start-variables';
