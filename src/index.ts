// The library: pure, it runs where there is no node. Texts are latin1, one character a byte; file names are byte strings.
export * from './syntax';
export * from './edit';
export {
  type ConfigFile,
  type ConfigTree,
  type DirectoryEntry,
  type FileSource,
  type Frame,
  loadTree,
  type LoadOptions,
  memory,
  overlay,
  type Place,
  type Problem,
  remember,
  type FileRole,
  SourceError,
  type UnreadablePath,
} from './config';
export {
  type Change,
  checkRegistry,
  defineTransform,
  type Finding,
  type Level,
  type Outcome,
  type Plan,
  type Reread,
  run,
  type RunOptions,
  type RunResult,
  type Safety,
  type Transform,
  type TransformContext,
} from './engine';
export { NEWEST, parseRelease, type Release } from './httpd/release';
export { diffPath, unifiedDiff } from './report';
export { transforms } from '../transforms';
