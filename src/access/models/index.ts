/**
 * A request in, an answer out: 2.2, 2.4, and 2.4 with mod_access_compat. They check the decision as an expression, so they do
 * not use it.
 *
 * They stay beside `src/judge`, which says nothing of what it cannot read, and only whether a result may stand: the models answer
 * for all that `collect` files, and name the sections that an answer comes from, for `verify`, `explain` and `replay`.
 *
 * - `httpd22`: how 2.2 answers
 * - `httpd24`: how 2.4 answers, without mod_access_compat and with it
 * - `expressions`: the value of an expression of 2.4
 * - `matching`: which sections a request meets
 */
export { evaluateExpr } from './expressions';
export { classOf, decider22, hostLineHits, hostsAdmit, refusesEveryUser, state22 } from './httpd22';
export * from './httpd24';
export * from './matching';
