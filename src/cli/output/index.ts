export { withoutCommands } from './actions';
export { printDocument, printResult, OK, OPEN, statusOf, TROUBLE } from './output';
export { showProgress } from './progress';
