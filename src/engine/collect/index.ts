export { treeFor } from './collect';
export { FindingCollector } from './finding-collector';
export { CHECK_IDS, problemFinding } from './problems';
export { originIn } from './result';
