export { withoutCommands } from './actions';
export { shellWord } from './again';
export { printDocument, printResult, OK, OPEN, statusOf, TROUBLE, useColour } from './output';
export { showProgress } from './progress';
