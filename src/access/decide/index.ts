/**
 * Decides a group of sections, pass by pass: what is refused, restated, let in nobody, or stays. It words no message.
 *
 * - `passes`: the list of passes, `decideGroup`, which runs them, and what a group has come to, for the report
 * - `group`: a group and what is known of it between two passes
 * - `refuse`: why a section cannot be rewritten, by its lines, by what it meets, and by what AllowOverride lets its file say
 * - `kept-refused`: the Require line for which 2.4 answers 500 where 2.2 does
 * - `denied`: sections of a `.htaccess` that are to let nobody in
 * - `shut-above`: the directory of a `.htaccess` that cannot be written, shut in the server's own files
 * - `unconverted`: whether what is refused may stay while the rest is converted
 * - `inherit-unconverted`: sections below one of which it is not known what it says
 * - `restate`: the text of each section, once more in the virtual hosts in which it decides differently
 * - `strictest`: the strictest form, where there is no exact text, or a `Satisfy Any` whose host list is not in the run
 * - `places`: texts of lines that are read in several places
 * - `conflicts`: sections that share lines and would need other texts
 * - `unwrap`: lines that only 2.2 reads, as if both versions read them
 * - `carried`: the blocks that are opened for 2.4 so that it reads AuthType, AuthName and their like in them
 * - `restated-branch`: what becomes of lines that their author wrote for one version each
 * - `version-mark`: a container that shows that a group has been converted
 * - `lines`: the lines of a section, and how one is told from another
 * - `assumptions`: what a conversion takes for granted
 */
export type { AccessGroup } from './group';
export { sectionsInConflict } from './conflicts';
export { PASSES, begin, decideGroup } from './passes';
export { denyingFile, shutReason } from './denied';
export { isTwin, overrideRefusal } from './refuse';
export { sectionFor24 } from './restated-branch';
export { isShutAbove } from './shut-above';
