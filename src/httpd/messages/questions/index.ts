/**
 * What people ask in words of their own, and what is answered.
 *
 * - `questions`: all of them, in the order in which they are tried
 * - `usage`, `programs`: the use of httpd whatever its release, and programs behind it
 * - `tls`, `named`: certificates; what is asked of one thing by its name
 * - `symptoms`: what people see, where they name nothing of httpd
 * - `words`: one word for what different people say
 */
export { QUESTIONS } from './questions';
export { SYMPTOMS } from './symptoms';
export { plainWords } from './words';
