export { withoutCommands } from './actions';
export { printDocument, printResult, OK, OPEN, statusOf, TROUBLE, useColour } from './output';
export { showProgress } from './progress';
