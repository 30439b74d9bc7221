export { withoutCommands } from './actions';
export { commandWith } from './again';
export { type Consent, consentOf, withinPaths } from './beyond';
export { printDocument, printResult, OK, OPEN, statusOf, TROUBLE, useColour } from './output';
export { type Progress, showProgress } from './progress';
export { withStore } from './store';
