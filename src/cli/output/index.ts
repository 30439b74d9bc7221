export { printResult } from './output';
export { showProgress } from './progress';
export { OK, OPEN, statusOf, TROUBLE } from './status';
export { writing } from './writing';
