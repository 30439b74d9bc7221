export { withListedPaths } from './files-from';
export { ignoringOf } from './ignored';
export { type LogLine, readLogLine } from './log-line';
export { type LoggedRequest, loggedRequest, requestKeys, requestText } from './logged-request';
export { decode } from './percent';
export { withProject } from './project';
export { findTarget, type TargetServer as Target } from './target';
export { checkBesideTree, type Loaded, loadPaths, loadStdin, placeOf } from './tree';
export { withServerHere } from './server-here';
